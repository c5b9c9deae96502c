import { deflateSync, inflateSync } from 'node:zlib';
import { readPng } from '../../test/support/png.ts';
import { PngWriter } from '../../ts/formats/png/index.ts';
import { createKernels, type Kernels } from '../../ts/kernels/index.ts';
import { race, type Bench, type Row } from './measure.ts';
import { bricks, pictures, type BenchPicture } from './pictures.ts';

const BAND_ROWS = 64;

/** Deflate of filtered rows, and whole PNGs; in bands as the pipeline writes them, by others at once. */
export async function* benchPng(bench: Bench): AsyncGenerator<Row[], void, void> {
  const all = bench.outside ? [...pictures(), ...bench.outside.pictures()] : [bricks()];
  for (const picture of all) yield benchDeflate(bench, picture);
  for (const picture of all) yield benchWriter(bench, picture);
}

async function benchDeflate(bench: Bench, { name, width, height, rgba }: BenchPicture): Promise<Row[]> {
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const filtered = wasm.png.filter(rgba, new Uint8Array(0), 4 * width);
  const bandSize = BAND_ROWS * (4 * width + 1);
  const deflate = ({ png }: Kernels): Uint8Array => {
    const handle = png.deflateOpen();
    const parts: Uint8Array[] = [];
    for (let at = 0; at < filtered.length; at += bandSize) {
      parts.push(png.deflatePush(handle, filtered.subarray(at, at + bandSize), at + bandSize >= filtered.length));
    }
    png.deflateFree(handle);
    return Buffer.concat(parts);
  };
  const zlib = (): Uint8Array => deflateSync(filtered, { level: 1 });
  const share = (deflate(wasm).length / zlib().length).toFixed(3);
  return race(bench, {
    kernel: 'png',
    input: `${name}, ${width} x ${height}, filtered rows; size ${share} of zlib's`,
    output: 'zlib stream',
    unit: 'MB/s',
    amount: filtered.length / 1e6,
    normalize: inflateSync,
    contestants: [
      { name: 'wasm', run: () => deflate(wasm) },
      { name: 'ts', run: () => deflate(ts) },
      { name: 'zlib', run: zlib },
      ...((await bench.outside?.deflaters(filtered)) ?? []),
    ],
  });
}

async function benchWriter(bench: Bench, picture: BenchPicture): Promise<Row[]> {
  const { name, width, height, rgba } = picture;
  const write = (kernels: Kernels): (() => Uint8Array) => {
    const pixels = kernels.alloc(rgba.length);
    pixels.bytes.set(rgba);
    return () => {
      const writer = new PngWriter(kernels, { width, height });
      const parts = [writer.start()];
      for (let y = 0; y < height; y += BAND_ROWS) {
        const [start, end] = [4 * width * y, 4 * width * Math.min(y + BAND_ROWS, height)];
        const band = {
          get bytes(): Uint8Array {
            return pixels.bytes.subarray(start, end);
          },
        };
        parts.push(writer.rows(band) as Uint8Array);
      }
      parts.push(writer.finish() as Uint8Array);
      writer.free();
      return Buffer.concat(parts);
    };
  };
  return race(bench, {
    kernel: 'png',
    input: `${name}, ${width} x ${height}`,
    output: 'PNG',
    unit: 'MB/s',
    amount: rgba.length / 1e6,
    normalize: (file) => readPng(file).samples,
    contestants: [
      { name: 'wasm', run: write(createKernels()) },
      { name: 'ts', run: write(createKernels({ backend: 'ts' })) },
      ...((await bench.outside?.pngWriters(picture)) ?? []),
    ],
  });
}
