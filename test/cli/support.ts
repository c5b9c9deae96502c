import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { sampleDump } from '../../scripts/sample/dump.ts';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import { filesBelow } from '../support/cli.ts';

export const DUMP = sampleDump();
export const QUIRKS = DUMP.get('Texture/Quirks.bntx')!;

/** Writes a file, and the folders above it. */
export function put(folder: string, path: string, bytes: Uint8Array | string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

/** Writes the sample dump to `folder/dump`. */
export function putDump(folder: string): string {
  for (const [path, bytes] of DUMP) put(folder, `dump/${path}`, bytes);
  return join(folder, 'dump');
}

/** The files of an output folder by path, as hashes. */
export function hashesOf(folderOf: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folderOf).map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folderOf, path)))
        .digest('hex'),
    ]),
  );
}

export const jsonLines = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Makes what is in an output folder look like somebody else's. */
export function forgetRuns(out: string): void {
  rmSync(join(out, '.romflow'), { recursive: true });
}

/** A BNTX of one RGBA8 texture of this extent, its texels a hole in the file. */
export function putSparseTexture(folder: string, extent: number): string {
  const picture = { width: 4, height: 4, rgba: new Uint8Array(64) };
  const options = { name: 'Large', format: 'R8G8B8A8_UNORM', dimension: '2d', mips: 1, pictures: [picture] } as const;
  const bytes = writeBntx({ name: 'large', version: [4, 1, 0], textures: [makeTexture(options)] });
  const view = new DataView(bytes.buffer);
  const brti = Buffer.from(bytes).indexOf('BRTI');
  view.setUint32(brti + 0x24, extent, true);
  view.setUint32(brti + 0x28, extent, true);
  bytes[brti + 0x34] = 4;
  view.setUint32(brti + 0x50, 4 * extent * extent, true);
  const texels = Number(view.getBigUint64(Number(view.getBigUint64(brti + 0x70, true)), true));
  const file = put(folder, 'large.bntx', '');
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes.subarray(0, texels));
  ftruncateSync(descriptor, texels + 4 * extent * extent);
  closeSync(descriptor);
  return file;
}
