// Huffman codes of limited length. Frequencies are u32, code lengths u8, codes u32: the code, its first bit lowest, and
// its length << 16. At most 288 symbols; frequencies sum to less than 2^23.

const KEYS: usize = memory.data(4 * 288, 16); // frequency << 9 | symbol, ascending: the leaves of the tree
const WEIGHTS: usize = memory.data(4 * 576, 16); // of leaves, then inner nodes; then their depths
const PARENTS: usize = memory.data(4 * 576, 16);
const COUNTS: usize = memory.data(4 * 16, 16); // of codes, by length
const NEXT: usize = memory.data(4 * 16, 16); // the next code of each length

/** Adds `n` to the u32 of `table` at `index`. */
export function add(table: usize, index: usize, n: u32): void {
  const at = table + (index << 2);
  store<u32>(at, load<u32>(at) + n);
}

function sortKeys(count: u32): void {
  for (let gap = count >>> 1; gap > 0; gap >>>= 1) {
    for (let i = gap; i < count; i++) {
      const key = load<u32>(KEYS + (i << 2));
      let j = i;
      for (; j >= gap; j -= gap) {
        const other = load<u32>(KEYS + ((j - gap) << 2));
        if (other < key) break;
        store<u32>(KEYS + (j << 2), other);
      }
      store<u32>(KEYS + (j << 2), key);
    }
  }
}

/** The lengths of an optimal code, none above `limit`: see "Huffman codes" in deflate.ts. */
export function codeLengths(frequencies: usize, symbols: u32, lengths: usize, limit: u32): void {
  let n: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const frequency = load<u32>(frequencies + (symbol << 2));
    if (frequency) store<u32>(KEYS + (n++ << 2), (frequency << 9) | symbol);
  }
  for (let symbol: u32 = 0; n < 2; symbol++) {
    if (!load<u32>(frequencies + (symbol << 2))) store<u32>(KEYS + (n++ << 2), symbol);
  }
  sortKeys(n);
  for (let i: u32 = 0; i < n; i++) store<u32>(WEIGHTS + (i << 2), load<u32>(KEYS + (i << 2)) >>> 9);

  // Two queues, both ascending: the leaves, and the inner nodes in the order they are made.
  const root: u32 = 2 * n - 2;
  let leaf: u32 = 0;
  let inner = n;
  for (let node = n; node <= root; node++) {
    let weight: u32 = 0;
    for (let k = 0; k < 2; k++) {
      const leafFirst =
        inner == node || (leaf < n && load<u32>(WEIGHTS + (leaf << 2)) <= load<u32>(WEIGHTS + (inner << 2)));
      const child = leafFirst ? leaf++ : inner++;
      weight += load<u32>(WEIGHTS + (child << 2));
      store<u32>(PARENTS + (child << 2), node);
    }
    store<u32>(WEIGHTS + (node << 2), weight);
  }

  memory.fill(COUNTS, 0, 64);
  let excess: i32 = -(1 << limit); // in units of the longest code
  store<u32>(WEIGHTS + (root << 2), 0);
  for (let node = <i32>root - 1; node >= 0; node--) {
    const depth = load<u32>(WEIGHTS + (load<u32>(PARENTS + (node << 2)) << 2)) + 1;
    store<u32>(WEIGHTS + (node << 2), depth);
    if (<u32>node >= n) continue;
    const length = min(depth, limit);
    add(COUNTS, length, 1);
    excess += 1 << (limit - length);
  }
  for (; excess > 0; excess--) {
    let length = limit - 1;
    while (!load<u32>(COUNTS + (length << 2))) length--;
    add(COUNTS, length, -1);
    add(COUNTS, length + 1, 2);
    add(COUNTS, limit, -1);
  }

  memory.fill(lengths, 0, symbols);
  let key: usize = KEYS;
  for (let length = limit; length > 0; length--) {
    for (let k = load<u32>(COUNTS + (length << 2)); k > 0; k--, key += 4) {
      store<u8>(lengths + (load<u32>(key) & 511), <u8>length);
    }
  }
}

/** The lowest `length` bits of `code` in reverse. */
function reverse(code: u32, length: u32): u32 {
  code = ((code & 0x5555) << 1) | ((code >>> 1) & 0x5555);
  code = ((code & 0x3333) << 2) | ((code >>> 2) & 0x3333);
  code = ((code & 0x0f0f) << 4) | ((code >>> 4) & 0x0f0f);
  return (((code << 8) | (code >>> 8)) & 0xffff) >>> (16 - length);
}

/** The canonical codes of some lengths (RFC 1951, 3.2.2). */
export function assignCodes(lengths: usize, symbols: u32, codes: usize): void {
  memory.fill(COUNTS, 0, 64);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) add(COUNTS, load<u8>(lengths + symbol), 1);
  store<u32>(COUNTS, 0);
  let code: u32 = 0;
  for (let length: usize = 1; length < 16; length++) {
    code = (code + load<u32>(COUNTS + ((length - 1) << 2))) << 1;
    store<u32>(NEXT + (length << 2), code);
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length: u32 = load<u8>(lengths + symbol);
    if (!length) continue;
    store<u32>(codes + (symbol << 2), reverse(load<u32>(NEXT + (length << 2)), length) | (length << 16));
    add(NEXT, length, 1);
  }
}

/** Bits that the symbols counted in `frequencies` take with these code lengths. */
export function codedBits(frequencies: usize, lengths: usize, symbols: u32): u32 {
  let sum: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    sum += load<u32>(frequencies + (symbol << 2)) * load<u8>(lengths + symbol);
  }
  return sum;
}
