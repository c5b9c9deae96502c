import { alloc, free, resize } from '../memory/heap';

const WINDOW: u32 = 32768;
const CHUNK: u32 = 1 << 18;
const BLOCK_TOKENS: u32 = 1 << 14;
const HASH_BITS: u32 = 14;
const MIN_MATCH: u32 = 4;
const MAX_MATCH: u32 = 258;
const MATCH_BITS: u32 = 9;
const LONG: u32 = 10;
const REJ: i32 = 0;
const SKIP_LOG: u32 = 5;
const LITERALS: u32 = 286;
const DISTANCES: u32 = 30;
const END_OF_BLOCK: u32 = 256;

// A state: its fields, the hash table, the sequences of a block, then the window and the chunk after it.
const OUT: usize = 0; // u32 address of the output
const CAPACITY: usize = 4; // u32 bytes there
const SIZE: usize = 8; // u32 bytes written by this push
const FILLED: usize = 12; // u32 bytes in the chunk
const STARTED: usize = 16; // u32 whether the header was written
const HISTORY: usize = 20; // u32 first index of the buffer that holds input
const ADLER: usize = 24; // u32
const BIT_COUNT: usize = 28; // u32 bits in BITS, less than 8
const BITS: usize = 32; // u64
const TABLE: usize = 64;
const SEQUENCES: usize = TABLE + (4 << HASH_BITS);
const BUFFER: usize = SEQUENCES + 8 * <usize>BLOCK_TOKENS;
const STATE_SIZE: usize = BUFFER + WINDOW + CHUNK;

// The same for every stream.
const LENGTH_BASE: usize = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRA: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const CODE_LENGTH_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
const LENGTH_SYMBOL: usize = memory.data(256); // by length - 3, less 257
const FIXED_LENGTHS: usize = memory.data(288);

// Of the block at hand.
const FREQUENCIES: usize = memory.data(4 * 288, 16);
const DISTANCE_FREQUENCIES: usize = memory.data(4 * 32, 16);
const HISTOGRAMS: usize = memory.data(4 * 4 * 256, 16);
const LENGTHS: usize = memory.data(320, 16); // code lengths, literals then distances without a gap
const CODES: usize = memory.data(4 * 288, 16); // code | length << 16
const DISTANCE_CODES: usize = memory.data(4 * 32, 16);
const MATCH_CODES: usize = memory.data(4 * 256, 16); // length code and extra bits | bits << 24, by length - 3
const RUNS: usize = memory.data(2 * 320, 16); // code length symbol | extra << 8
const RUN_FREQUENCIES: usize = memory.data(4 * 19, 16);
const RUN_LENGTHS: usize = memory.data(20, 16);
const RUN_CODES: usize = memory.data(4 * 19, 16);
const KEYS: usize = memory.data(4 * 288, 16);
const WEIGHTS: usize = memory.data(4 * 576, 16);
const PARENTS: usize = memory.data(4 * 576, 16);
const COUNTS: usize = memory.data(4 * 16, 16);
const COSTS: usize = memory.data(256, 16);
const NEXT: usize = memory.data(4 * 16, 16);

function init(): void {
  let symbol: usize = 0;
  for (let length: u32 = 3; length <= MAX_MATCH; length++) {
    if (symbol < 28 && length >= load<u16>(LENGTH_BASE + ((symbol + 1) << 1))) symbol++;
    store<u8>(LENGTH_SYMBOL + length - 3, <u8>symbol);
  }
  memory.fill(FIXED_LENGTHS, 8, 144);
  memory.fill(FIXED_LENGTHS + 144, 9, 112);
  memory.fill(FIXED_LENGTHS + 256, 7, 24);
  memory.fill(FIXED_LENGTHS + 280, 8, 8);
}
init();

let bits: u64 = 0;
let bitCount: u32 = 0;
let op: usize = 0;

function put(value: u32, count: u32): void {
  bits |= <u64>value << bitCount;
  bitCount += count;
  store<u64>(op, bits);
  op += bitCount >>> 3;
  bits >>= bitCount & 56;
  bitCount &= 7;
}

function bump(at: usize): void {
  store<u32>(at, load<u32>(at) + 1);
}

function distanceSymbol(distance: u32): u32 {
  if (distance <= 2) return distance - 1;
  const log = 31 - clz(distance - 1);
  return (log << 1) + (((distance - 1) >>> (log - 1)) & 1);
}
function distanceExtra(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >>> 1) - 1;
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

function codeLengths(frequencies: usize, symbols: u32, lengths: usize, limit: u32): void {
  let n: u32 = 0;
  for (let s: u32 = 0; s < symbols; s++) {
    store<u8>(lengths + s, 0);
    const f = load<u32>(frequencies + (s << 2));
    if (f) store<u32>(KEYS + (n++ << 2), (f << 9) | s);
  }
  for (let s: u32 = 0; n < 2; s++) {
    if (!load<u32>(frequencies + (s << 2))) store<u32>(KEYS + (n++ << 2), s);
  }
  sortKeys(n);
  for (let i: u32 = 0; i < n; i++) store<u32>(WEIGHTS + (i << 2), load<u32>(KEYS + (i << 2)) >>> 9);
  let leaf: u32 = 0;
  let inner = n;
  for (let node = n; node < 2 * n - 1; node++) {
    let weight: u32 = 0;
    for (let k = 0; k < 2; k++) {
      const takeLeaf =
        inner == node || (leaf < n && load<u32>(WEIGHTS + (leaf << 2)) <= load<u32>(WEIGHTS + (inner << 2)));
      const child = takeLeaf ? leaf++ : inner++;
      weight += load<u32>(WEIGHTS + (child << 2));
      store<u32>(PARENTS + (child << 2), node);
    }
    store<u32>(WEIGHTS + (node << 2), weight);
  }
  memory.fill(COUNTS, 0, 64);
  store<u32>(WEIGHTS + ((2 * n - 2) << 2), 0);
  let excess: i32 = -(1 << limit);
  for (let node = <i32>(2 * n) - 3; node >= 0; node--) {
    const depth = load<u32>(WEIGHTS + (load<u32>(PARENTS + (node << 2)) << 2)) + 1;
    store<u32>(WEIGHTS + (node << 2), depth);
    if (<u32>node < n) {
      const length = min(depth, limit);
      bump(COUNTS + (length << 2));
      excess += 1 << (limit - length);
    }
  }
  for (; excess > 0; excess--) {
    let length = limit - 1;
    while (!load<u32>(COUNTS + (length << 2))) length--;
    store<u32>(COUNTS + (length << 2), load<u32>(COUNTS + (length << 2)) - 1);
    store<u32>(COUNTS + (length << 2) + 4, load<u32>(COUNTS + (length << 2) + 4) + 2);
    store<u32>(COUNTS + (limit << 2), load<u32>(COUNTS + (limit << 2)) - 1);
  }
  let i: u32 = 0;
  for (let length = limit; length > 0; length--) {
    for (let k = load<u32>(COUNTS + (length << 2)); k > 0; k--, i++) {
      store<u8>(lengths + (load<u32>(KEYS + (i << 2)) & 511), <u8>length);
    }
  }
}

function reverse(code: u32, length: u32): u32 {
  code = ((code & 0x5555) << 1) | ((code >>> 1) & 0x5555);
  code = ((code & 0x3333) << 2) | ((code >>> 2) & 0x3333);
  code = ((code & 0x0f0f) << 4) | ((code >>> 4) & 0x0f0f);
  return (((code << 8) | (code >>> 8)) & 0xffff) >>> (16 - length);
}

function assignCodes(lengths: usize, symbols: u32, codes: usize): void {
  memory.fill(COUNTS, 0, 64);
  for (let s: u32 = 0; s < symbols; s++) bump(COUNTS + (<usize>load<u8>(lengths + s) << 2));
  let code: u32 = 0;
  store<u32>(COUNTS, 0);
  for (let length: usize = 1; length < 16; length++) {
    code = (code + load<u32>(COUNTS + ((length - 1) << 2))) << 1;
    store<u32>(NEXT + (length << 2), code);
  }
  for (let s: u32 = 0; s < symbols; s++) {
    const length: u32 = load<u8>(lengths + s);
    if (!length) continue;
    const next = NEXT + (length << 2);
    store<u32>(codes + (s << 2), reverse(load<u32>(next), length) | (length << 16));
    bump(next);
  }
}

/** Bits of the symbols counted in `frequencies` with these code lengths. */
function cost(frequencies: usize, lengths: usize, symbols: u32): u32 {
  let sum: u32 = 0;
  for (let s: u32 = 0; s < symbols; s++) sum += load<u32>(frequencies + (s << 2)) * load<u8>(lengths + s);
  return sum;
}

function countLiterals(p: usize, end: usize): void {
  for (; p + 4 <= end; p += 4) {
    const v = load<u32>(p);
    bump(HISTOGRAMS + ((v & 255) << 2));
    bump(HISTOGRAMS + 1024 + (((v >>> 8) & 255) << 2));
    bump(HISTOGRAMS + 2048 + (((v >>> 16) & 255) << 2));
    bump(HISTOGRAMS + 3072 + ((v >>> 24) << 2));
  }
  for (; p < end; p++) bump(HISTOGRAMS + (<usize>load<u8>(p) << 2));
}

function putLiterals(p: usize, end: usize): void {
  let b = bits;
  let n = bitCount;
  let o = op;
  for (; p + 3 <= end; p += 3) {
    const x = load<u32>(CODES + (<usize>load<u8>(p) << 2));
    b |= <u64>(x & 0xffff) << n;
    n += x >>> 16;
    const y = load<u32>(CODES + (<usize>load<u8>(p, 1) << 2));
    b |= <u64>(y & 0xffff) << n;
    n += y >>> 16;
    const z = load<u32>(CODES + (<usize>load<u8>(p, 2) << 2));
    b |= <u64>(z & 0xffff) << n;
    n += z >>> 16;
    store<u64>(o, b);
    o += n >>> 3;
    b >>= n & 56;
    n &= 7;
  }
  for (; p < end; p++) {
    const x = load<u32>(CODES + (<usize>load<u8>(p) << 2));
    b |= <u64>(x & 0xffff) << n;
    n += x >>> 16;
    store<u64>(o, b);
    o += n >>> 3;
    b >>= n & 56;
    n &= 7;
  }
  bits = b;
  bitCount = n;
  op = o;
}

function reserve(state: usize, more: u32): bool {
  const used = load<u32>(state, SIZE);
  const need = <u64>used + more + 16;
  if (need <= load<u32>(state, CAPACITY)) return true;
  if (need > 0x70000000) return false;
  const capacity = <u32>max<u64>(need, min<u64>(<u64>load<u32>(state, CAPACITY) << 1, 0x70000000));
  const out = resize(load<u32>(state, OUT), used, capacity);
  if (!out) return false;
  store<u32>(state, <u32>out, OUT);
  store<u32>(state, capacity, CAPACITY);
  return true;
}

function writeBlock(state: usize, start: usize, end: usize, sequences: usize, sequencesEnd: usize, last: u32): bool {
  memory.fill(FREQUENCIES, 0, 4 * 288);
  memory.fill(DISTANCE_FREQUENCIES, 0, 4 * 32);
  memory.fill(HISTOGRAMS, 0, 4 * 4 * 256);
  let p = start;
  let extra: u32 = 0;
  for (let q = sequences; q < sequencesEnd; q += 8) {
    const literals = load<u32>(q);
    const length: u32 = load<u16>(q, 4);
    const distance: u32 = <u32>load<u16>(q, 6) + 1;
    countLiterals(p, p + literals);
    p += literals + length;
    const ls: usize = load<u8>(LENGTH_SYMBOL + length - 3);
    bump(FREQUENCIES + (257 << 2) + (ls << 2));
    const ds = distanceSymbol(distance);
    bump(DISTANCE_FREQUENCIES + (ds << 2));
    extra += <u32>load<u8>(LENGTH_EXTRA + ls) + distanceExtra(ds);
  }
  countLiterals(p, end);
  mergeHistograms();
  store<u32>(FREQUENCIES, 1, 4 * 256);

  codeLengths(FREQUENCIES, LITERALS, LENGTHS, 15);
  let hlit = LITERALS;
  while (!load<u8>(LENGTHS + hlit - 1)) hlit--;
  hlit = max<u32>(hlit, 257);
  let bodyBits = cost(FREQUENCIES, LENGTHS, LITERALS);
  codeLengths(DISTANCE_FREQUENCIES, DISTANCES, LENGTHS + hlit, 15);
  bodyBits += cost(DISTANCE_FREQUENCIES, LENGTHS + hlit, DISTANCES) + extra;
  let hdist = DISTANCES;
  while (!load<u8>(LENGTHS + hlit + hdist - 1)) hdist--;

  let runs: usize = RUNS;
  memory.fill(RUN_FREQUENCIES, 0, 4 * 19);
  let headerBits: u32 = 3 + 5 + 5 + 4;
  const all = hlit + hdist;
  for (let i: u32 = 0; i < all; ) {
    const length: u32 = load<u8>(LENGTHS + i);
    let run: u32 = 1;
    while (i + run < all && load<u8>(LENGTHS + i + run) == length) run++;
    i += run;
    if (length) {
      store<u16>(runs, <u16>length);
      runs += 2;
      bump(RUN_FREQUENCIES + (length << 2));
      run--;
    }
    while (run >= 3) {
      let symbol: u32 = 16;
      let take = min<u32>(run, 6);
      let value = take - 3;
      let width: u32 = 2;
      if (!length) {
        if (run < 11) { symbol = 17; take = run; value = run - 3; width = 3; }
        else { symbol = 18; take = min<u32>(run, 138); value = take - 11; width = 7; }
      }
      store<u16>(runs, <u16>(symbol | (value << 8)));
      runs += 2;
      bump(RUN_FREQUENCIES + (symbol << 2));
      headerBits += width;
      run -= take;
    }
    for (; run > 0; run--) {
      store<u16>(runs, <u16>length);
      runs += 2;
      bump(RUN_FREQUENCIES + (length << 2));
    }
  }
  codeLengths(RUN_FREQUENCIES, 19, RUN_LENGTHS, 7);
  headerBits += cost(RUN_FREQUENCIES, RUN_LENGTHS, 19);
  let hclen: u32 = 19;
  while (!load<u8>(RUN_LENGTHS + load<u8>(CODE_LENGTH_ORDER + hclen - 1))) hclen--;
  headerBits += 3 * hclen;
  const dynamicBits = headerBits + bodyBits;
  let fixedBits = 3 + cost(FREQUENCIES, FIXED_LENGTHS, LITERALS) + extra;
  for (let s: u32 = 0; s < DISTANCES; s++) fixedBits += 5 * load<u32>(DISTANCE_FREQUENCIES + (s << 2));

  const size = <u32>(end - start);
  const storedBits = size > 65535 ? u32.MAX_VALUE : 3 + ((5 - bitCount) & 7) + 32 + 8 * size;
  const best = min(storedBits, min(fixedBits, dynamicBits));
  if (!reserve(state, (best >>> 3) + 8)) return false;
  op = <usize>load<u32>(state, OUT) + load<u32>(state, SIZE);
  if (best == storedBits) {
    put(last, 3);
    put(0, (8 - bitCount) & 7);
    store<u16>(op, <u16>size);
    store<u16>(op, <u16>~size, 2);
    memory.copy(op + 4, start, size);
    op += 4 + size;
  } else {
    if (best == fixedBits) {
      put(last | 2, 3);
      memory.copy(LENGTHS, FIXED_LENGTHS, 288);
      assignCodes(LENGTHS, 288, CODES);
      memory.fill(LENGTHS, 5, DISTANCES);
      assignCodes(LENGTHS, DISTANCES, DISTANCE_CODES);
    } else {
      put(last | 4, 3);
      put(hlit - 257, 5);
      put(hdist - 1, 5);
      put(hclen - 4, 4);
      for (let i: u32 = 0; i < hclen; i++) put(load<u8>(RUN_LENGTHS + load<u8>(CODE_LENGTH_ORDER + i)), 3);
      assignCodes(RUN_LENGTHS, 19, RUN_CODES);
      for (let q: usize = RUNS; q < runs; q += 2) {
        const symbol: u32 = load<u8>(q);
        const code = load<u32>(RUN_CODES + (symbol << 2));
        put(code & 0xffff, code >>> 16);
        if (symbol >= 16) put(load<u8>(q, 1), symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
      }
      assignCodes(LENGTHS, hlit, CODES);
      assignCodes(LENGTHS + hlit, hdist, DISTANCE_CODES);
    }
    for (let length: u32 = 3; length <= MAX_MATCH; length++) {
      const symbol: usize = load<u8>(LENGTH_SYMBOL + length - 3);
      const code = load<u32>(CODES + (257 << 2) + (symbol << 2));
      const width = code >>> 16;
      const value = (code & 0xffff) | ((length - load<u16>(LENGTH_BASE + (symbol << 1))) << width);
      store<u32>(MATCH_CODES + ((length - 3) << 2), value | ((width + load<u8>(LENGTH_EXTRA + symbol)) << 24));
    }
    p = start;
    for (let q = sequences; q < sequencesEnd; q += 8) {
      const literals = load<u32>(q);
      const length: u32 = load<u16>(q, 4);
      const d: u32 = load<u16>(q, 6);
      putLiterals(p, p + literals);
      p += literals + length;
      const match = load<u32>(MATCH_CODES + ((length - 3) << 2));
      let value = <u64>(match & 0xffffff);
      let n = match >>> 24;
      const symbol = distanceSymbol(d + 1);
      const code = load<u32>(DISTANCE_CODES + (symbol << 2));
      value |= <u64>(code & 0xffff) << n;
      n += code >>> 16;
      const width = distanceExtra(symbol);
      value |= <u64>(d & ((1 << width) - 1)) << n;
      n += width;
      bits |= value << bitCount;
      bitCount += n;
      store<u64>(op, bits);
      op += bitCount >>> 3;
      bits >>= bitCount & 56;
      bitCount &= 7;
    }
    putLiterals(p, end);
    const code = load<u32>(CODES + (END_OF_BLOCK << 2));
    put(code & 0xffff, code >>> 16);
  }
  store<u32>(state, <u32>op - load<u32>(state, OUT), SIZE);
  return true;
}

/** How many bytes from `p` on are those from `q` on, at most `limit`. */
function matchLength(p: usize, q: usize, limit: u32): u32 {
  let length: u32 = 4;
  while (length < limit) {
    const x = load<u64>(p + length) ^ load<u64>(q + length);
    if (x) {
      length += <u32>(ctz(x) >>> 3);
      break;
    }
    length += 8;
  }
  return min(length, limit);
}

function mergeHistograms(): void {
  for (let s: usize = 0; s < 256; s++) {
    const h = HISTOGRAMS + (s << 2);
    store<u32>(FREQUENCIES + (s << 2), load<u32>(h) + load<u32>(h, 1024) + load<u32>(h, 2048) + load<u32>(h, 3072));
  }
}

function estimateCosts(p: usize, size: u32): void {
  memory.fill(HISTOGRAMS, 0, 4 * 4 * 256);
  countLiterals(p, p + size);
  mergeHistograms();
  codeLengths(FREQUENCIES, 256, COSTS, 15);
}

function literalBits(v: u32): u32 {
  return (
    <u32>load<u8>(COSTS + <usize>(v & 255)) + load<u8>(COSTS + <usize>((v >>> 8) & 255)) +
    load<u8>(COSTS + <usize>((v >>> 16) & 255)) + load<u8>(COSTS + <usize>(v >>> 24))
  );
}

function compressChunk(state: usize, last: bool): bool {
  const buffer = state + BUFFER;
  const table = state + TABLE;
  const first = load<u32>(state, HISTORY);
  const end = WINDOW + load<u32>(state, FILLED);
  bits = load<u64>(state, BITS);
  bitCount = load<u32>(state, BIT_COUNT);
  let i = WINDOW;
  do {
    const start = i;
    estimateCosts(buffer + i, min(BLOCK_TOKENS, end - i));
    let literals = i; // where the run of literals starts
    let stop = i + BLOCK_TOKENS;
    let misses: u32 = 0;
    let sequence = state + SEQUENCES;
    while (i < stop && i + MIN_MATCH <= end) {
      const v = load<u32>(buffer + i);
      const slot = table + (((v * 0x9e3779b1) >>> (32 - HASH_BITS)) << 2);
      const entry = load<u32>(slot);
      store<u32>(slot, (entry << 16) | (i & 0xffff));
      const reach = min(WINDOW, i - first);
      const limit = min(MAX_MATCH, end - i);
      const d = (i - entry) & 0xffff;
      const e = (i - (entry >>> 16)) & 0xffff;
      let length: u32 = 0;
      let distance: u32 = 0;
      if (d - 1 < reach && load<u32>(buffer + i - d) == v) {
        length = matchLength(buffer + i, buffer + i - d, limit);
        distance = d;
      }
      if (e - 1 < reach && load<u32>(buffer + i - e) == v) {
        const other = matchLength(buffer + i, buffer + i - e, limit);
        if (other > length) {
          length = other;
          distance = e;
        }
      }
      if (!length || length < LONG && literalBits(v) * length <= (MATCH_BITS + (31 - clz(distance))) << 2) {
        i += <u32>max(1, <i32>length - REJ) + (misses++ >>> SKIP_LOG);
        continue;
      }
      misses = 0;
      store<u32>(sequence, i - literals);
      store<u16>(sequence, <u16>length, 4);
      store<u16>(sequence, <u16>(distance - 1), 6);
      sequence += 8;
      i += length;
      literals = i;
      stop += length - 1;
    }
    if (i + MIN_MATCH > end) i = end;
    if (!writeBlock(state, buffer + start, buffer + i, state + SEQUENCES, sequence, u32(last && i == end))) return false;
  } while (i < end);
  store<u64>(state, bits, BITS);
  store<u32>(state, bitCount, BIT_COUNT);
  memory.copy(buffer, buffer + end - WINDOW, WINDOW);
  store<u32>(state, 0, FILLED);
  store<u32>(state, 0, HISTORY);
  return true;
}

function adler32(adler: u32, data: usize, size: u32): u32 {
  let a = adler & 0xffff;
  let b = adler >>> 16;
  const end = data + size;
  const weightsLow = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const weightsHigh = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (end - data >= 16) {
    // 5552 bytes are the most that keep the sums below 2^32.
    const stop = data + (min<usize>(end - data, 5552) & ~15);
    b += a * <u32>(stop - data);
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (; data < stop; data += 16) {
      const v = v128.load(data);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(v), weightsLow));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(v), weightsHigh));
    }
    a = (a + lanes(sums)) % 65521;
    b = (b + 16 * lanes(before) + lanes(weighted)) % 65521;
  }
  for (; data < end; data++) {
    a += load<u8>(data);
    b += a;
  }
  return (b % 65521 << 16) | a % 65521;
}

function lanes(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/** A zlib stream, or 0 when memory cannot be had. */
export function deflate_open(): usize {
  const state = alloc(STATE_SIZE);
  if (!state) return 0;
  memory.fill(state, 0, SEQUENCES);
  store<u32>(state, WINDOW, HISTORY);
  store<u32>(state, 1, ADLER);
  return state;
}

/** Gives how many bytes lie at `deflate_output`, or -1 when memory cannot be had. */
export function deflate_push(handle: usize, src: usize, srcEnd: usize, final: bool): i32 {
  store<u32>(handle, 0, SIZE);
  store<u32>(handle, adler32(load<u32>(handle, ADLER), src, <u32>(srcEnd - src)), ADLER);
  if (!load<u32>(handle, STARTED)) {
    if (!reserve(handle, 2)) return -1;
    store<u16>(load<u32>(handle, OUT), 0x0178);
    store<u32>(handle, 2, SIZE);
    store<u32>(handle, 1, STARTED);
  }
  while (src < srcEnd) {
    const filled = load<u32>(handle, FILLED);
    if (filled == CHUNK) {
      if (!compressChunk(handle, false)) return -1;
      continue;
    }
    const take = min(CHUNK - filled, <u32>(srcEnd - src));
    memory.copy(handle + BUFFER + WINDOW + filled, src, take);
    store<u32>(handle, filled + take, FILLED);
    src += take;
  }
  if (final) {
    if (!compressChunk(handle, true) || !reserve(handle, 8)) return -1;
    const end = <usize>load<u32>(handle, OUT) + load<u32>(handle, SIZE);
    const rest = (load<u32>(handle, BIT_COUNT) + 7) >>> 3;
    store<u8>(end, <u8>load<u64>(handle, BITS));
    store<u32>(end + rest, bswap(load<u32>(handle, ADLER)));
    store<u32>(handle, load<u32>(handle, SIZE) + rest + 4, SIZE);
  }
  return <i32>load<u32>(handle, SIZE);
}

export function deflate_output(handle: usize): usize {
  return load<u32>(handle, OUT);
}

export function deflate_free(handle: usize): void {
  free(load<u32>(handle, OUT));
  free(handle);
}
