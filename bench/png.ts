import { deflateSync } from 'node:zlib';
import { createKernels } from '../ts/kernels/index.ts';
import { race, type Row } from './measure.ts';
import { peer } from './peers.ts';
import { corpusPictures, pictures } from './pictures.ts';

const BAND_ROWS = 64;

/** Deflate of filtered rows, in bands as PNGs are written, against zlib at level 1 over all of them at once. */
export async function benchPng(): Promise<Row[]> {
  const fflate = await peer<{ zlibSync(data: Uint8Array, options: { level: number }): Uint8Array }>('fflate');
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  return [...pictures(), ...corpusPictures()].flatMap(({ name, width, height, rgba }) => {
    const filtered = wasm.png.filter(rgba, new Uint8Array(0), 4 * width);
    const bandSize = BAND_ROWS * (4 * width + 1);
    const deflate = ({ png }: typeof wasm): Uint8Array => {
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
    return race({
      kernel: 'png',
      input: `${name}, ${width} x ${height}, filtered rows; size ${share} of zlib's`,
      output: 'zlib stream',
      unit: 'MB/s',
      amount: filtered.length / 1e6,
      anyOutput: true,
      contestants: [
        { name: 'wasm', run: () => deflate(wasm) },
        { name: 'ts', run: () => deflate(ts) },
        { name: 'zlib', run: zlib },
        ...(fflate ? [{ name: 'fflate', run: () => fflate.zlibSync(filtered, { level: 1 }) }] : []),
      ],
    });
  });
}
