// Colour endpoints, eight bits a channel, from the unquantised values of a partition.

/** The first endpoint of each partition as RGBA8, then the second of each. */
export const ENDS: usize = memory.data(32, 16);

/** What shows that a partition or block is not for an LDR decoder. */
export const ERROR_COLOUR: u32 = 0xffff00ff;

function value(v: usize, i: usize): i32 {
  return <i32>load<u8>(v + i);
}

function rgba(r: i32, g: i32, b: i32, a: i32): u32 {
  return r | (g << 8) | (b << 16) | (a << 24);
}

function clamped(v: i32): i32 {
  return max(0, min(255, v));
}

function clampedRgba(r: i32, g: i32, b: i32, a: i32): u32 {
  return rgba(clamped(r), clamped(g), clamped(b), clamped(a));
}

/** A base, whose top bit comes from the offset. */
function base(v: usize, i: usize): i32 {
  return (value(v, i) >> 1) | (value(v, i + 1) & 0x80);
}

/** A signed offset of six bits. */
function offset(v: usize, i: usize): i32 {
  return (value(v, i + 1) << 25) >> 26;
}

function scaled(v: usize, a: i32): u32 {
  const s = value(v, 3);
  return rgba((value(v, 0) * s) >> 8, (value(v, 1) * s) >> 8, (value(v, 2) * s) >> 8, a);
}

function store2(partition: u32, first: u32, second: u32): void {
  const o = ENDS + (<usize>partition << 2);
  store<u32>(o, first);
  store<u32>(o, second, 16);
}

function rgbDirect(partition: u32, v: usize, a0: i32, a1: i32): void {
  const r0 = value(v, 0), r1 = value(v, 1);
  const g0 = value(v, 2), g1 = value(v, 3);
  const b0 = value(v, 4), b1 = value(v, 5);
  if (r1 + g1 + b1 >= r0 + g0 + b0) {
    store2(partition, rgba(r0, g0, b0, a0), rgba(r1, g1, b1, a1));
  } else {
    // Blue contraction.
    store2(
      partition,
      rgba((r1 + b1) >> 1, (g1 + b1) >> 1, b1, a1),
      rgba((r0 + b0) >> 1, (g0 + b0) >> 1, b0, a0),
    );
  }
}

function rgbOffset(partition: u32, v: usize, a0: i32, a1: i32): void {
  const r0 = base(v, 0), g0 = base(v, 2), b0 = base(v, 4);
  const dr = offset(v, 0), dg = offset(v, 2), db = offset(v, 4);
  const r1 = r0 + dr, g1 = g0 + dg, b1 = b0 + db;
  if (dr + dg + db >= 0) {
    store2(partition, rgba(r0, g0, b0, clamped(a0)), clampedRgba(r1, g1, b1, a1));
  } else {
    store2(
      partition,
      clampedRgba((r1 + b1) >> 1, (g1 + b1) >> 1, b1, a1),
      rgba((r0 + b0) >> 1, (g0 + b0) >> 1, b0, clamped(a0)),
    );
  }
}

/** Puts the endpoints of a partition into ENDS; `mode` is 0 to 15. */
export function decodeEndpoints(partition: u32, mode: u32, v: usize): void {
  switch (mode) {
    case 0: {
      const l0 = value(v, 0), l1 = value(v, 1);
      return store2(partition, rgba(l0, l0, l0, 255), rgba(l1, l1, l1, 255));
    }
    case 1: {
      const l0 = (value(v, 0) >> 2) | (value(v, 1) & 0xc0);
      const l1 = min(255, l0 + (value(v, 1) & 0x3f));
      return store2(partition, rgba(l0, l0, l0, 255), rgba(l1, l1, l1, 255));
    }
    case 4: {
      const l0 = value(v, 0), l1 = value(v, 1);
      return store2(partition, rgba(l0, l0, l0, value(v, 2)), rgba(l1, l1, l1, value(v, 3)));
    }
    case 5: {
      const l0 = base(v, 0), a0 = base(v, 2);
      const l1 = clamped(l0 + offset(v, 0));
      return store2(partition, rgba(l0, l0, l0, a0), rgba(l1, l1, l1, clamped(a0 + offset(v, 2))));
    }
    case 6:
      return store2(partition, scaled(v, 255), rgba(value(v, 0), value(v, 1), value(v, 2), 255));
    case 8:
      return rgbDirect(partition, v, 255, 255);
    case 9:
      return rgbOffset(partition, v, 255, 255);
    case 10:
      return store2(partition, scaled(v, value(v, 4)), rgba(value(v, 0), value(v, 1), value(v, 2), value(v, 5)));
    case 12:
      return rgbDirect(partition, v, value(v, 6), value(v, 7));
    case 13: {
      const a = base(v, 6);
      return rgbOffset(partition, v, a, a + offset(v, 6));
    }
    default:
      // HDR.
      store2(partition, ERROR_COLOUR, ERROR_COLOUR);
  }
}
