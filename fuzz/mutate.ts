import { concat } from '../test/support/concat.ts';
import { random } from '../test/support/random.ts';

/** Gives 32-bit unsigned integers. */
export type Random = () => number;

/** A number in a fixture, which mutations aim at. */
export interface Field {
  offset: number;
  size: number;
}

/** An input that is right, to be mutated. */
export interface Fixture {
  name: string;
  bytes: Uint8Array;
  fields: readonly Field[];
}

/** Fields of these sizes, one after the other. */
export function fields(offset: number, ...sizes: number[]): Field[] {
  let at = offset;
  return sizes.map((size) => ({ offset: (at += size) - size, size }));
}

/** A generator of its own for each input of a target, so that any one can be made without those before it. */
export function randomOf(target: string, seed: number, n: number): Random {
  let state = seed >>> 0;
  for (const value of [...new TextEncoder().encode(target), n & 0xffff, n >>> 16]) {
    state = Math.imul(state ^ value, 0x9e3779b1);
    state ^= state >>> 15;
  }
  return random(state);
}

const below = (next: Random, limit: number): number => next() % limit;

/** Values around which programs go wrong. */
const INTERESTING = [
  0n,
  1n,
  2n,
  3n,
  4n,
  7n,
  8n,
  15n,
  16n,
  17n,
  31n,
  32n,
  63n,
  64n,
  65n,
  127n,
  128n,
  255n,
  256n,
  257n,
  511n,
  512n,
  0x0fffn,
  0x1000n,
  0x3fffn,
  0x4000n,
  0x7fffn,
  0x8000n,
  0xffffn,
  0x10000n,
  0x1ffffn,
  0x20000n,
  0xffffffn,
  0x7fffffffn,
  0x80000000n,
  0xfffffff0n,
  0xffffffffn,
  0x100000000n,
  0x1fffffffffffffn,
  0x20000000000000n,
  0x7fffffffffffffffn,
  0x8000000000000000n,
  0xffffffffffffffffn,
];

function readNumber(bytes: Uint8Array, { offset, size }: Field, littleEndian: boolean): bigint {
  let value = 0n;
  for (let i = 0; i < size; i++) {
    value = (value << 8n) | BigInt(bytes[offset + (littleEndian ? size - 1 - i : i)] ?? 0);
  }
  return value;
}

function writeNumber(bytes: Uint8Array, { offset, size }: Field, littleEndian: boolean, value: bigint): void {
  for (let i = 0; i < size && offset + i < bytes.length; i++) {
    const shift = BigInt(8 * (littleEndian ? i : size - 1 - i));
    bytes[offset + i] = Number((value >> shift) & 0xffn);
  }
}

/** Writes another value into a field: interesting, near the old one, small, the size of the input, or any. */
function changeNumber(bytes: Uint8Array, field: Field, next: Random): void {
  const littleEndian = below(next, 4) > 0;
  const old = readNumber(bytes, field, littleEndian);
  const values: (() => bigint)[] = [
    () => INTERESTING[below(next, INTERESTING.length)]!,
    () => old + BigInt(below(next, 33) - 16),
    () => BigInt(below(next, 32)),
    () => BigInt(below(next, bytes.length + 17)),
    () => old ^ (1n << BigInt(below(next, 8 * field.size))),
    () => BigInt.asUintN(64, -1n - INTERESTING[below(next, INTERESTING.length)]!),
    () => (BigInt(next()) << 32n) | BigInt(next()),
  ];
  writeNumber(bytes, field, littleEndian, values[below(next, values.length)]!());
}

/** The start and the end of a part of `size` bytes, more often a short one. */
function partOf(size: number, next: Random): [start: number, end: number] {
  const start = below(next, size + 1);
  const longest = below(next, 2) ? 8 : size;
  return [start, Math.min(size, start + below(next, longest + 1))];
}

/** `bytes` with what lies between two offsets replaced. */
function replaced(bytes: Uint8Array, start: number, end: number, by: Uint8Array): Uint8Array {
  return concat(bytes.subarray(0, start), by, bytes.subarray(end));
}

type Mutator = (bytes: Uint8Array, next: Random) => Uint8Array;

/** Mutators that know nothing of the format. They may change `bytes`, which are never empty. */
const MUTATORS: readonly Mutator[] = [
  function flipBit(bytes, next) {
    bytes[below(next, bytes.length)]! ^= 1 << below(next, 8);
    return bytes;
  },
  function setByte(bytes, next) {
    bytes[below(next, bytes.length)] = next() >>> 24;
    return bytes;
  },
  function setNumber(bytes, next) {
    const size = [1, 2, 4, 8][below(next, 4)]!;
    changeNumber(bytes, { offset: below(next, bytes.length), size }, next);
    return bytes;
  },
  function fillPart(bytes, next) {
    const [start, end] = partOf(bytes.length, next);
    return bytes.fill(below(next, 2) ? [0, 0xff][below(next, 2)]! : next() >>> 24, start, end);
  },
  function copyPart(bytes, next) {
    const [start, end] = partOf(bytes.length, next);
    return bytes.copyWithin(below(next, bytes.length), start, end);
  },
  function insertPart(bytes, next) {
    const [start, end] = partOf(bytes.length, next);
    const at = below(next, bytes.length + 1);
    return replaced(bytes, at, at, bytes.slice(start, end));
  },
  function deletePart(bytes, next) {
    const [start, end] = partOf(bytes.length, next);
    return replaced(bytes, start, end, new Uint8Array(0));
  },
  function truncate(bytes, next) {
    return bytes.slice(0, below(next, bytes.length));
  },
  function extend(bytes, next) {
    const tail = Uint8Array.from({ length: 1 + below(next, 16) }, () => next() >>> 24);
    return replaced(bytes, bytes.length, bytes.length, tail);
  },
];

/** Shares of 16 of the mutations that aim at a field of the fixture, and that splice another fixture in. */
const AIMED = 9;
const SPLICED = 1;

/** A fixture with a few mutations, seldom none that shows; at most `limit` bytes. */
export function mutate(fixtures: readonly Fixture[], next: Random, limit: number): Uint8Array {
  const fixture = fixtures[below(next, fixtures.length)]!;
  let bytes: Uint8Array = fixture.bytes.slice();
  for (let more = true; more; more = below(next, 2) === 1) {
    const choice = below(next, 16);
    if (choice < AIMED && fixture.fields.length) {
      changeNumber(bytes, fixture.fields[below(next, fixture.fields.length)]!, next);
    } else if (choice >= 16 - SPLICED || !bytes.length) {
      const other = fixtures[below(next, fixtures.length)]!.bytes;
      const [start, end] = partOf(other.length, next);
      const [from, to] = partOf(bytes.length, next);
      bytes = replaced(bytes, from, to, other.subarray(start, end));
    } else {
      bytes = MUTATORS[below(next, MUTATORS.length)]!(bytes, next);
    }
  }
  return bytes.subarray(0, limit);
}
