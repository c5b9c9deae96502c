// Block modes: how many weights a block has, and how they are stored.

import { sequenceBits } from './ranges';

/** By the 11 bits of the block mode, 8 bytes each; all zero for a mode that is an error whatever the footprint. */
const MODES: usize = memory.data(2048 * 8, 16);

export function blockMode(bits: u32): usize {
  return MODES + (<usize>bits << 3);
}

export function gridWidth(mode: usize): u32 {
  return <u32>load<u8>(mode);
}

export function gridHeight(mode: usize): u32 {
  return <u32>load<u8>(mode, 1);
}

export function weightRange(mode: usize): u32 {
  return <u32>load<u8>(mode, 2);
}

export function isDual(mode: usize): bool {
  return load<u8>(mode, 3) != 0;
}

/** Weights of both planes. */
export function weightCount(mode: usize): u32 {
  return <u32>load<u8>(mode, 4);
}

/** Bits of the weights. */
export function weightBits(mode: usize): u32 {
  return <u32>load<u8>(mode, 5);
}

function makeMode(bits: u32): void {
  const a = (bits >>> 5) & 3;
  let b = (bits >>> 7) & 3;
  let high = (bits >>> 9) & 1;
  let dual = (bits >>> 10) & 1;
  let r = (bits >>> 4) & 1;
  let width: u32, height: u32;
  if (bits & 3) {
    r |= (bits & 3) << 1;
    const layout = (bits >>> 2) & 3;
    if (layout == 0) {
      width = b + 4;
      height = a + 2;
    } else if (layout == 1) {
      width = b + 8;
      height = a + 2;
    } else if (layout == 2) {
      width = a + 2;
      height = b + 8;
    } else if (b & 2) {
      width = (b & 1) + 2;
      height = a + 2;
    } else {
      width = a + 2;
      height = (b & 1) + 6;
    }
  } else {
    r |= ((bits >>> 2) & 3) << 1;
    if (r < 2) return;
    if (b == 0) {
      width = 12;
      height = a + 2;
    } else if (b == 1) {
      width = a + 2;
      height = 12;
    } else if (b == 2) {
      // Bits 9 and 10 are of the height here.
      width = a + 6;
      height = ((bits >>> 9) & 3) + 6;
      high = dual = 0;
    } else if (a < 2) {
      width = a ? 10 : 6;
      height = a ? 6 : 10;
    } else {
      return;
    }
  }
  const range = r - 2 + 6 * high;
  const count = (width * height) << dual;
  const size = sequenceBits(range, count);
  if (count > 64 || size < 24 || size > 96) return;
  const mode = blockMode(bits);
  store<u8>(mode, <u8>width);
  store<u8>(mode, <u8>height, 1);
  store<u8>(mode, <u8>range, 2);
  store<u8>(mode, <u8>dual, 3);
  store<u8>(mode, <u8>count, 4);
  store<u8>(mode, <u8>size, 5);
}

export function makeModes(): void {
  for (let bits: u32 = 0; bits < 2048; bits++) makeMode(bits);
}
