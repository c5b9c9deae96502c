// XXH64 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md).

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;
const P4: u64 = 0x85ebca77c2b2ae63;
const P5: u64 = 0x27d4eb2f165667c5;

function round(acc: u64, lane: u64): u64 {
  return rotl<u64>(acc + lane * P2, 31) * P1;
}

function merge(acc: u64, lane: u64): u64 {
  return (acc ^ round(0, lane)) * P1 + P4;
}

/** Bytes of the state of a running XXH64: four accumulators, u64 length, 32 bytes not yet taken in. */
export const XXH64_STATE: usize = 72;

export function xxh64Start(state: usize, seed: u64): void {
  store<u64>(state, seed + P1 + P2);
  store<u64>(state, seed + P2, 8);
  store<u64>(state, seed, 16);
  store<u64>(state, seed - P1, 24);
  store<u64>(state, 0, 32);
}

export function xxh64Update(state: usize, data: usize, size: usize): void {
  const held = <usize>(load<u64>(state, 32) & 31);
  store<u64>(state, load<u64>(state, 32) + size, 32);
  const buffer = state + 40;
  let end = data + size;
  if (held) {
    const take = min<usize>(32 - held, size);
    memory.copy(buffer + held, data, take);
    if (held + take < 32) return;
    stripes(state, buffer, buffer + 32);
    data += take;
  }
  const stop = data + ((end - data) & ~31);
  stripes(state, data, stop);
  memory.copy(buffer, stop, end - stop);
}

function stripes(state: usize, data: usize, end: usize): void {
  let a = load<u64>(state);
  let b = load<u64>(state, 8);
  let c = load<u64>(state, 16);
  let d = load<u64>(state, 24);
  for (; data < end; data += 32) {
    a = round(a, load<u64>(data));
    b = round(b, load<u64>(data, 8));
    c = round(c, load<u64>(data, 16));
    d = round(d, load<u64>(data, 24));
  }
  store<u64>(state, a);
  store<u64>(state, b, 8);
  store<u64>(state, c, 16);
  store<u64>(state, d, 24);
}

/** `seed` is the one given to `xxh64Start`; the state stays as it is. */
export function xxh64Finish(state: usize, seed: u64): u64 {
  const length = load<u64>(state, 32);
  let h: u64;
  if (length >= 32) {
    const a = load<u64>(state);
    const b = load<u64>(state, 8);
    const c = load<u64>(state, 16);
    const d = load<u64>(state, 24);
    h = rotl<u64>(a, 1) + rotl<u64>(b, 7) + rotl<u64>(c, 12) + rotl<u64>(d, 18);
    h = merge(merge(merge(merge(h, a), b), c), d);
  } else {
    h = seed + P5;
  }
  h += length;
  let p = state + 40;
  let left = <usize>(length & 31);
  for (; left >= 8; left -= 8, p += 8) h = rotl<u64>(h ^ round(0, load<u64>(p)), 27) * P1 + P4;
  if (left >= 4) {
    h = rotl<u64>(h ^ (<u64>load<u32>(p) * P1), 23) * P2 + P3;
    p += 4;
    left -= 4;
  }
  for (; left > 0; left--, p++) h = rotl<u64>(h ^ (<u64>load<u8>(p) * P5), 11) * P1;
  h = (h ^ (h >>> 33)) * P2;
  h = (h ^ (h >>> 29)) * P3;
  return h ^ (h >>> 32);
}

const ONE_SHOT: usize = memory.data(72, 8);

export function xxh64(data: usize, size: usize, seed: u64): u64 {
  xxh64Start(ONE_SHOT, seed);
  xxh64Update(ONE_SHOT, data, size);
  return xxh64Finish(ONE_SHOT, seed);
}
