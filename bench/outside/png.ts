import type { Contestant } from '../kernels/measure.ts';
import type { BenchPicture } from '../kernels/pictures.ts';
import { peer } from './peers.ts';

const LEVEL = 1;

interface Fflate {
  zlibSync(data: Uint8Array, options: { level: number }): Uint8Array;
}

interface PngJs {
  PNG: {
    sync: {
      write(picture: { width: number; height: number; data: Buffer }, options: { deflateLevel: number }): Buffer;
    };
  };
}

interface Sharp {
  default: {
    (
      pixels: Uint8Array,
      options: { raw: { width: number; height: number; channels: 4 } },
    ): {
      png(options: { compressionLevel: number }): { toBuffer(): Promise<Buffer> };
    };
    concurrency(threads: number): void;
  };
}

/** Compressors of zlib's format. */
export async function deflaters(data: Uint8Array): Promise<Contestant[]> {
  const fflate = await peer<Fflate>('fflate');
  return fflate ? [{ name: 'fflate', run: () => fflate.zlibSync(data, { level: LEVEL }) }] : [];
}

/** Writers of PNGs from RGBA8. */
export async function pngWriters({ width, height, rgba }: BenchPicture): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  const pngjs = await peer<PngJs>('pngjs');
  if (pngjs) {
    const data = Buffer.from(rgba);
    const run = (): Uint8Array => pngjs.PNG.sync.write({ width, height, data }, { deflateLevel: LEVEL });
    contestants.push({ name: 'pngjs', run });
  }
  const sharp = await peer<Sharp>('sharp');
  if (sharp) {
    sharp.default.concurrency(1);
    const raw = { width, height, channels: 4 } as const;
    const run = (): Promise<Uint8Array> => sharp.default(rgba, { raw }).png({ compressionLevel: LEVEL }).toBuffer();
    contestants.push({ name: 'sharp', run });
  }
  return contestants;
}
