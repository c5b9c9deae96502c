import { constants, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createKernels } from '../../ts/kernels/index.ts';
import { concat } from '../support/concat.ts';
import { pictures } from '../support/pictures.ts';
import { random, randomBytes } from '../support/random.ts';
import { DEFLATED, deflate } from './png.vectors.ts';

const wasm = createKernels({ backend: 'wasm' });
const ts = createKernels({ backend: 'ts' });
const NOTHING = new Uint8Array(0);

const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** The predictions of the PNG specification by filter type, from the pixels left, above and above left. */
const PREDICT: Record<number, (a: number, b: number, c: number) => number> = {
  0: () => 0,
  1: (a) => a,
  2: (_, b) => b,
  4: (a, b, c) => {
    const p = a + b - c;
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)] as const;
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  },
};

/** Filters a row one way, or undoes it. */
function apply(sign: 1 | -1, type: number, data: Uint8Array, raw: Uint8Array, above: Uint8Array): Uint8Array {
  const result = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const from = sign === 1 ? result : raw;
    const predicted = PREDICT[type]!(i < 4 ? 0 : from[i - 4]!, above[i]!, i < 4 ? 0 : above[i - 4]!);
    result[i] = data[i]! + sign * predicted;
  }
  return result;
}

const cost = (filtered: Uint8Array): number => filtered.reduce((sum, v) => sum + Math.min(v, 256 - v), 0);

/** Checks filtered rows against the specification and the rule of least sums. */
function expectFiltered(filtered: Uint8Array, rows: Uint8Array, previous: Uint8Array, rowSize: number): void {
  let above = previous.length ? previous : new Uint8Array(rowSize);
  for (let y = 0; y < rows.length / rowSize; y++) {
    const row = rows.subarray(y * rowSize, (y + 1) * rowSize);
    const type = filtered[y * (rowSize + 1)]!;
    const body = filtered.subarray(y * (rowSize + 1) + 1, (y + 1) * (rowSize + 1));
    expect(equal(apply(1, type, body, body, above), row)).toBe(true);
    const costs = [2, 1, 4, 0].map((other) => cost(apply(-1, other, row, row, above)));
    expect(type).toBe([2, 1, 4, 0][costs.indexOf(Math.min(...costs))]);
    above = row;
  }
}

/** Rows in which every filter has its turn: noise of a random strength around random slopes. */
function mixedRows(rowSize: number, height: number, seed: number): Uint8Array {
  const next = random(seed);
  const rows = new Uint8Array(rowSize * height);
  for (let y = 0; y < height; y++) {
    const [dx, dy, grain, base] = [next() % 5, next() % 7, 1 << (next() % 9), (next() % 3) * 100];
    for (let x = 0; x < rowSize; x++) rows[y * rowSize + x] = base + dx * (x >> 2) + dy * y + (next() % grain);
  }
  return rows;
}

describe('png.filter', () => {
  it.each(Array.from({ length: 24 }, (_, i) => i + 1))('follows the specification at %i pixels a row', (width) => {
    const rows = mixedRows(4 * width, 150, width);
    const previous = randomBytes(4 * width, width);
    const types = new Set<number>();
    for (const above of [NOTHING, previous]) {
      const filtered = wasm.png.filter(rows, above, 4 * width);
      expectFiltered(filtered, rows, above, 4 * width);
      expect(equal(ts.png.filter(rows, above, 4 * width), filtered)).toBe(true);
      for (let y = 0; y < 150; y++) types.add(filtered[y * (4 * width + 1)]!);
    }
    if (width > 2) expect([...types].sort()).toEqual([0, 1, 2, 4]);
  });

  it('gives the same for a picture at once and in bands', () => {
    for (const { rgba, width, height } of pictures(57, 40)) {
      const whole = wasm.png.filter(rgba, NOTHING, 4 * width);
      expect(whole.length).toBe((4 * width + 1) * height);
      const bands: Uint8Array[] = [];
      for (let y = 0; y < height; y += 8) {
        const band = rgba.subarray(4 * width * y, 4 * width * (y + 8));
        const above = y ? rgba.subarray(4 * width * (y - 1), 4 * width * y) : NOTHING;
        bands.push(wasm.png.filter(band, above, 4 * width));
      }
      expect(equal(concat(...bands), whole)).toBe(true);
      expect(equal(ts.png.filter(rgba, NOTHING, 4 * width), whole)).toBe(true);
    }
  });

  it.each([wasm, ts])('writes nothing outside its output ($backend)', ({ png, alloc }) => {
    for (let width = 1; width <= 20; width++) {
      const rows = mixedRows(4 * width, 9, 100 + width);
      const size = 9 * (4 * width + 1);
      const buffer = alloc(size + 64);
      buffer.bytes.fill(0xa5);
      const filtered = png.filter(rows, NOTHING, 4 * width, buffer.bytes.subarray(32, 32 + size));
      expect(filtered.length).toBe(size);
      expect(equal(filtered, ts.png.filter(rows, NOTHING, 4 * width))).toBe(true);
      const around = concat(buffer.bytes.subarray(0, 32), buffer.bytes.subarray(32 + size));
      expect(around.every((v) => v === 0xa5)).toBe(true);
      buffer.free();
    }
  });

  it.each([wasm, ts])('refuses rows that do not fit together ($backend)', ({ png }) => {
    const rows = new Uint8Array(24);
    expect(() => png.filter(rows, NOTHING, 0)).toThrow(RangeError);
    expect(() => png.filter(rows, NOTHING, 6)).toThrow(RangeError);
    expect(() => png.filter(rows, NOTHING, 16)).toThrow(RangeError);
    expect(() => png.filter(NOTHING, NOTHING, 3)).toThrow(RangeError);
    expect(() => png.filter(NOTHING, NOTHING, 2 ** 25)).toThrow(RangeError);
    expect(() => png.filter(rows, new Uint8Array(4), 8)).toThrow(RangeError);
    expect(() => png.filter(rows, NOTHING, 8, new Uint8Array(26))).toThrow(RangeError);
    expect(png.filter(NOTHING, NOTHING, 8).length).toBe(0);
  });
});

/** Copies of earlier parts at random distances, single bytes and runs: every kind of token. */
function structured(size: number, seed: number): Uint8Array {
  const next = random(seed);
  const data = new Uint8Array(size);
  const alphabet = 1 + (next() % 200);
  for (let i = 0; i < size;) {
    const kind = next() % 8;
    const end = Math.min(size, i + 1 + (next() % (kind === 0 ? 700 : 40)));
    if (kind < 3 && i) {
      const distance = 1 + (next() % Math.min(i, kind === 0 ? 300 : 40_000));
      for (; i < end; i++) data[i] = data[i - distance]!;
    } else {
      for (const run = kind === 3 ? next() % alphabet : -1; i < end; i++) data[i] = run < 0 ? next() % alphabet : run;
    }
  }
  return data;
}

/** Literal frequencies like the Fibonacci numbers: code lengths that must be cut to the limit. */
function fibonacci(): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let symbol = 0, a = 1, b = 1; symbol < 20; symbol++, [a, b] = [b, a + b]) {
    parts.push(new Uint8Array(a).fill(11 * symbol));
  }
  const data = concat(...parts);
  const next = random(5);
  for (let i = data.length - 1; i > 0; i--) {
    const j = next() % (i + 1);
    [data[i], data[j]] = [data[j]!, data[i]!];
  }
  return data;
}

const SIZES = [0, 1, 2, 3, 4, 5, 8, 257, 258, 259, 260, 262, 263, 32767, 32768, 32769, 65535, 65536, 65537, 70_000];
const CHUNK = 1 << 18;

const INPUTS: [name: string, data: Uint8Array][] = [
  ...DEFLATED.map(([name, data]): [string, Uint8Array] => [name, data]),
  ...SIZES.flatMap((size): [string, Uint8Array][] => [
    [`${size} equal bytes`, new Uint8Array(size).fill(7)],
    [`${size} alternating bytes`, new Uint8Array(size).map((_, i) => (i & 1 ? 200 : 3))],
    [`${size} random bytes`, randomBytes(size, size)],
    [`${size} random bits`, randomBytes(size, size).map((v) => v & 1)],
    [`${size} structured bytes`, structured(size, size)],
  ]),
  ...[CHUNK - 1, CHUNK, CHUNK + 1, CHUNK + 3, 2 * CHUNK, 2 * CHUNK + 100].flatMap((size): [string, Uint8Array][] => [
    [`${size} equal bytes`, new Uint8Array(size)],
    [`${size} structured bytes`, structured(size, size)],
  ]),
  ['a code deeper than 15 bits', fibonacci()],
  ['a repeat just inside the window', concat(randomBytes(1000, 8), new Uint8Array(31_768), randomBytes(1000, 8))],
  ['a repeat just outside the window', concat(randomBytes(1000, 8), new Uint8Array(31_769), randomBytes(1000, 8))],
];

describe('png.deflate', () => {
  it.each(INPUTS)('%s', (_, data) => {
    const stream = deflate(wasm, data);
    // zlib checks the header, every code, the distances against the window and the Adler-32.
    expect(equal(inflateSync(stream), data)).toBe(true);
    expect(equal(deflate(ts, data), stream)).toBe(true);
  });

  it('never grows data by more than the heads of stored blocks', () => {
    for (const size of [10, 1000, 100_000, 1_000_000]) {
      const stream = deflate(wasm, randomBytes(size, size));
      expect(stream.length).toBeLessThanOrEqual(size + 6 + 5 * (Math.ceil(size / 32_768) + Math.ceil(size / CHUNK)));
    }
  });

  it.each([wasm, ts])('gives the same bytes however the input is cut ($backend)', (kernels) => {
    const data = concat(structured(CHUNK + 20_000, 1), randomBytes(40_000, 2), new Uint8Array(CHUNK));
    const whole = deflate(kernels, data);
    for (const step of [977, 4096, 65_536, CHUNK, CHUNK + 1]) {
      expect(equal(deflate(kernels, data, step), whole)).toBe(true);
    }
    const small = structured(3000, 3);
    expect(equal(deflate(kernels, small, 1), deflate(kernels, small))).toBe(true);
    // The final push may carry data, and empty pushes may lie between.
    const handle = kernels.png.deflateOpen();
    const parts = [NOTHING, data.subarray(0, CHUNK), NOTHING, data.subarray(CHUNK, CHUNK + 9), NOTHING].map((part) =>
      kernels.png.deflatePush(handle, part, false),
    );
    parts.push(kernels.png.deflatePush(handle, data.subarray(CHUNK + 9), true));
    expect(equal(concat(...parts), whole)).toBe(true);
    expect(kernels.png.deflatePush(handle, data, true).length).toBe(0);
    kernels.png.deflateFree(handle);
    expect(() => kernels.png.deflatePush(handle, data, true)).toThrow(RangeError);
  });

  it('gives the same in every push of both backends', () => {
    const next = random(77);
    const handles = [wasm.png.deflateOpen(), ts.png.deflateOpen()] as const;
    for (let k = 0; k < 60; k++) {
      const part = structured(next() % 50_000, k);
      const final = k === 59;
      const [a, b] = [wasm.png.deflatePush(handles[0], part, final), ts.png.deflatePush(handles[1], part, final)];
      expect(equal(a, b)).toBe(true);
    }
    wasm.png.deflateFree(handles[0]);
    ts.png.deflateFree(handles[1]);
  });

  it('keeps streams apart', () => {
    const inputs = [structured(300_000, 1), randomBytes(300_000, 2), new Uint8Array(300_000)];
    const handles = inputs.map(() => wasm.png.deflateOpen());
    const streams: Uint8Array[] = inputs.map(() => NOTHING);
    for (let at = 0; at < 300_000; at += 30_000) {
      inputs.forEach((input, i) => {
        const part = wasm.png.deflatePush(handles[i]!, input.subarray(at, at + 30_000), at === 270_000);
        streams[i] = concat(streams[i]!, part);
      });
    }
    inputs.forEach((input, i) => expect(equal(streams[i]!, deflate(wasm, input))).toBe(true));
    handles.forEach((handle) => wasm.png.deflateFree(handle));
  });

  it('writes nothing outside its own memory', () => {
    const handle = wasm.png.deflateOpen();
    const data = concat(structured(300_000, 6), randomBytes(600_000, 6));
    const guards = [];
    const parts: Uint8Array[] = [];
    for (let at = 0; at < data.length; at += 100_000) {
      const guard = wasm.alloc(200);
      guard.bytes.fill(0xa5);
      guards.push(guard);
      parts.push(wasm.png.deflatePush(handle, data.subarray(at, at + 100_000), at + 100_000 === data.length));
    }
    expect(equal(inflateSync(concat(...parts)), data)).toBe(true);
    for (const guard of guards) {
      expect(guard.bytes.every((v) => v === 0xa5)).toBe(true);
      guard.free();
    }
    wasm.png.deflateFree(handle);
  });

  it('keeps its memory bounded', () => {
    const kernels = createKernels({ backend: 'wasm' });
    const data = structured(100_000, 4);
    const handle = kernels.png.deflateOpen();
    for (let k = 0; k < 100; k++) kernels.png.deflatePush(handle, data, false);
    expect(kernels.memorySize).toBeLessThan(2 << 20);
    kernels.png.deflateFree(handle);
  });

  it('agrees on random inputs', () => {
    const next = random(2024);
    for (let round = 0; round < 150; round++) {
      const data = structured(next() % 4000, round);
      const stream = deflate(wasm, data);
      expect(equal(inflateSync(stream), data)).toBe(true);
      expect(equal(deflate(ts, data), stream)).toBe(true);
    }
  });

  it('is no larger than zlib level 1 on filtered pictures', () => {
    for (const [width, height] of [
      [64, 64],
      [300, 200],
      [512, 512],
    ] as const) {
      let [size, native] = [0, 0];
      for (const { kind, rgba } of pictures(width, height)) {
        const filtered = wasm.png.filter(rgba, NOTHING, 4 * width);
        const stream = deflate(wasm, filtered);
        expect(equal(inflateSync(stream), filtered)).toBe(true);
        const level1 = deflateSync(filtered, { level: constants.Z_BEST_SPEED });
        expect(stream.length / level1.length, kind).toBeLessThan(1.07);
        if (kind === 'noise') continue;
        size += stream.length;
        native += level1.length;
      }
      expect(size).toBeLessThan(native);
    }
  });
});
