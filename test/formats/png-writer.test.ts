import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PngWriter, type Deflater, type PngOptions } from '../../ts/formats/png/index.ts';
import { createKernels, type Kernels } from '../../ts/kernels/index.ts';
import { concat } from '../support/concat.ts';
import { readPng } from '../support/png.ts';
import { randomBytes } from '../support/random.ts';

const KERNELS = [createKernels({ backend: 'wasm' }), createKernels({ backend: 'ts' })];
const [WIDTH, HEIGHT] = [13, 11];
const ROW = 4 * WIDTH;
const RGBA = randomBytes(ROW * HEIGHT, 1);

const rowsOf = (from: number, to: number): { bytes: Uint8Array } => ({ bytes: RGBA.subarray(ROW * from, ROW * to) });

/** The file, `bandHeight` rows a band. */
async function write(kernels: Kernels, bandHeight: number, options: Partial<PngOptions> = {}): Promise<Uint8Array> {
  const png = new PngWriter(kernels, { width: WIDTH, height: HEIGHT, ...options });
  try {
    const parts = [png.start()];
    for (let y = 0; y < HEIGHT; y += bandHeight) {
      parts.push(await png.rows(rowsOf(y, Math.min(y + bandHeight, HEIGHT))));
    }
    parts.push(await png.finish());
    return concat(...parts);
  } finally {
    png.free();
  }
}

interface Chunk {
  type: string;
  data: Uint8Array;
  crc: number;
  expectedCrc: number;
}

/** The chunks, up to the very end of the file. */
function chunksOf(file: Uint8Array): Chunk[] {
  expect([...file.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const chunks: Chunk[] = [];
  for (let at = 8; at < file.length;) {
    const size = view.getUint32(at);
    const checkedPart = file.subarray(at + 4, at + 8 + size);
    const [type, data] = [new TextDecoder().decode(checkedPart.subarray(0, 4)), checkedPart.subarray(4)];
    chunks.push({ type, data, crc: view.getUint32(at + 8 + size), expectedCrc: crc32(checkedPart) });
    at += 12 + size;
  }
  return chunks;
}

function streamOf(chunks: Chunk[]): Uint8Array {
  return concat(...chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
}

/** Passes on what it gets only at the end, by zlib. */
function zlibDeflater(): Deflater & { frees: number } {
  const parts: Uint8Array[] = [];
  return {
    frees: 0,
    push(data, final) {
      parts.push(data.slice());
      return Promise.resolve(final ? new Uint8Array(deflateSync(concat(...parts))) : new Uint8Array(0));
    },
    free() {
      this.frees++;
    },
  };
}

describe.each(KERNELS)('PngWriter on $backend kernels', (kernels) => {
  const writer = (options: Partial<PngOptions> = {}): PngWriter =>
    new PngWriter(kernels, { width: WIDTH, height: HEIGHT, ...options });

  /** A writer after `count` of its rows. */
  function begun(count: number, options: Partial<PngOptions> = {}): PngWriter {
    const png = writer(options);
    png.start();
    void png.rows(rowsOf(0, count));
    return png;
  }

  it.each([false, true])('writes chunks in order, with their CRCs (srgb: %s)', async (srgb) => {
    const chunks = chunksOf(await write(kernels, 3, { srgb }));
    for (const { crc, expectedCrc } of chunks) expect(crc).toBe(expectedCrc);
    const types = chunks.map(({ type }) => type);
    expect(types.join(' ')).toMatch(srgb ? /^IHDR sRGB( IDAT)+ IEND$/ : /^IHDR( IDAT)+ IEND$/);
    // width, height, 8 bits, RGBA, and the only compression, filter and no interlace there are
    expect([...chunks[0]!.data]).toEqual([0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8, 6, 0, 0, 0]);
    if (srgb) expect([...chunks[1]!.data]).toEqual([0]);
    expect(chunks.at(-1)!.data.length).toBe(0);
    expect(inflateSync(streamOf(chunks)).length).toBe((ROW + 1) * HEIGHT);
  });

  it.each([1, 2, 4, 7, HEIGHT])('gives the pixels in bands of %i rows', async (bandHeight) => {
    const picture = readPng(await write(kernels, bandHeight));
    expect(picture).toEqual({ width: WIDTH, height: HEIGHT, channels: 4, samples: RGBA });
  });

  it('gives the same compressed stream whatever the bands', async () => {
    const whole = streamOf(chunksOf(await write(kernels, HEIGHT)));
    for (const bandHeight of [1, 5]) expect(streamOf(chunksOf(await write(kernels, bandHeight)))).toEqual(whole);
  });

  it('takes bands that grow, and none', async () => {
    const png = writer();
    const parts = [png.start()];
    for (const [from, to] of [
      [0, 0],
      [0, 1],
      [1, 3],
      [3, 3],
      [3, HEIGHT],
      [HEIGHT, HEIGHT],
    ] as const) {
      parts.push(await png.rows(rowsOf(from, to)));
    }
    parts.push(await png.finish());
    png.free();
    expect(readPng(concat(...parts)).samples).toEqual(RGBA);
  });

  it('takes a deflater that answers later, and frees it once', async () => {
    const deflater = zlibDeflater();
    expect(readPng(await write(kernels, 4, { deflater })).samples).toEqual(RGBA);
    const png = writer({ deflater });
    png.free();
    png.free();
    expect(deflater.frees).toBe(2);
  });

  it.each([0, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 32 + 1])('refuses a width or height of %d', (value) => {
    expect(() => writer({ width: value })).toThrow(
      new RangeError(`width is ${value}: a whole number from 1 to 4194304 is needed`),
    );
    expect(() => writer({ height: value })).toThrow(
      new RangeError(`height is ${value}: a whole number from 1 to 2147483647 is needed`),
    );
  });

  it('takes the largest height, and no row wider than the filter', () => {
    const png = writer({ height: 2 ** 31 - 1 });
    expect([...png.start().subarray(20, 24)]).toEqual([0x7f, 0xff, 0xff, 0xff]);
    png.free();
    expect(() => writer({ width: 2 ** 22 + 1 })).toThrow(RangeError);
  });

  it('takes a row as wide as the filter', async () => {
    const [width, height] = [2 ** 22, 1];
    const png = writer({ width, height });
    const bytes = new Uint8Array(4 * width).fill(7);
    const file = concat(png.start(), await png.rows({ bytes }), await png.finish());
    png.free();
    expect(inflateSync(streamOf(chunksOf(file))).length).toBe(1 + 4 * width);
  });

  it('refuses rows and finish before start, and a second start', () => {
    const png = writer();
    expect(() => png.rows(rowsOf(0, 1))).toThrow('rows of a PNG that is new');
    expect(() => png.finish()).toThrow('finish of a PNG that is new');
    png.start();
    expect(() => png.start()).toThrow('start of a PNG that is started');
    png.free();
  });

  it('refuses a band that is not whole rows', async () => {
    const png = writer();
    png.start();
    for (const size of [1, ROW - 4, ROW + 1]) {
      expect(() => png.rows({ bytes: RGBA.subarray(0, size) })).toThrow(
        new RangeError(`a band has ${size} ${size === 1 ? 'byte' : 'bytes'}: whole rows of ${ROW} are needed`),
      );
    }
    png.free();
  });

  it('refuses too many rows, and goes on with the right ones', async () => {
    const png = writer();
    const parts = [png.start(), await png.rows(rowsOf(0, 8))];
    const message = `rows 8 to 19 are more than the ${HEIGHT} of the PNG`;
    expect(() => png.rows(rowsOf(0, HEIGHT))).toThrow(new RangeError(message));
    parts.push(await png.rows(rowsOf(8, HEIGHT)));
    expect(() => png.rows(rowsOf(0, 1))).toThrow(RangeError);
    parts.push(await png.finish());
    png.free();
    expect(readPng(concat(...parts)).samples).toEqual(RGBA);
  });

  it('refuses to finish with too few rows', () => {
    const none = writer();
    none.start();
    expect(() => none.finish()).toThrow(`finish after 0 of ${HEIGHT} rows`);
    none.free();
    const some = begun(HEIGHT - 1);
    expect(() => some.finish()).toThrow(`finish after ${HEIGHT - 1} of ${HEIGHT} rows`);
    some.free();
  });

  it('does not count rows that the deflater refused', async () => {
    const deflater = zlibDeflater();
    const { push } = deflater;
    const png = writer({ deflater });
    const parts = [png.start()];
    deflater.push = () => {
      throw new Error('busy');
    };
    expect(() => png.rows(rowsOf(0, HEIGHT))).toThrow('busy');
    expect(() => png.finish()).toThrow(`finish after 0 of ${HEIGHT} rows`);
    deflater.push = push;
    parts.push(await png.rows(rowsOf(0, HEIGHT)), await png.finish());
    png.free();
    expect(readPng(concat(...parts)).samples).toEqual(RGBA);
  });

  it('refuses everything after finish, and after free', async () => {
    const png = begun(HEIGHT);
    await png.finish();
    for (const stage of ['finished', 'freed']) {
      expect(() => png.start()).toThrow(`start of a PNG that is ${stage}`);
      expect(() => png.rows(rowsOf(0, 0))).toThrow(`rows of a PNG that is ${stage}`);
      expect(() => png.finish()).toThrow(`finish of a PNG that is ${stage}`);
      png.free();
    }
  });

  it('can be freed twice, at any stage', () => {
    for (const png of [writer(), begun(3), begun(HEIGHT)]) {
      png.free();
      const buffer = kernels.alloc(ROW);
      buffer.bytes.fill(9);
      png.free();
      const other = kernels.alloc(ROW);
      other.bytes.fill(8);
      expect(buffer.bytes.every((byte) => byte === 9)).toBe(true);
      for (const each of [buffer, other]) each.free();
    }
  });

  it('does not follow options that change', async () => {
    const options = { width: WIDTH, height: HEIGHT };
    const png = new PngWriter(kernels, options);
    options.height = 1;
    const file = concat(png.start(), await png.rows(rowsOf(0, HEIGHT)), await png.finish());
    png.free();
    expect(readPng(file).samples).toEqual(RGBA);
  });
});
