import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { extractTextures, type ExtractedSurface } from '../../pipeline/jobs/extract-textures.ts';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { findInputs } from '../../pipeline/node/inputs.ts';
import { Session } from '../../pipeline/walk/session.ts';
import { imageFormat } from '../../ts/nn/gfx.ts';
import { CORPUS, HAS_CORPUS, readTable } from '../support/corpus.ts';
import { MemoryFolder } from '../support/memory-folder.ts';
import { readPng } from '../support/png.ts';
import { sha256 } from '../support/sha256.ts';

/** Formats that the kernels decode, by name. */
const DECODED = new Set(
  Array.from({ length: 0x3c << 8 }, (_, value) => imageFormat(value)).flatMap((f) => (f.texelFormat ? [f.name] : [])),
);

/** Rows whose file is there and whose format is decoded. */
function rowsOf(table: string, folder: string): Record<string, string>[] {
  return readTable(table)
    .map((row): Record<string, string> => ({ ...row, path: `${folder}${row['file']}` }))
    .filter((row) => DECODED.has(row['format']!) && existsSync(`${CORPUS}/${row['path']}`));
}

const TABLES: Record<string, Record<string, string>[]> = HAS_CORPUS
  ? {
      bntx_synth: rowsOf('textures/bntx_synth/expected.tsv', 'textures/bntx_synth/'),
      bntx_real: rowsOf('textures/bntx_real/expected.tsv', 'textures/bntx_real/'),
      embedded: rowsOf('EMBEDDED_TEXTURES.tsv', ''),
    }
  : {};

describe.skipIf(!HAS_CORPUS).each(['wasm', 'ts'] as const)('textures of the corpus, %s', (backend) => {
  describe.each([
    [false, 'rgba_sha256'],
    [true, 'rgba_raw_channels_sha256'],
  ])('rawChannels %s', (rawChannels, column) => {
    describe.each(Object.entries(TABLES))('%s', (_, rows) => {
      const surfaces = new Map<string, ExtractedSurface>();
      const output = new MemoryFolder();
      const keyOf = (file: string, s: { texture: string; layer: unknown; slice: unknown; mip: unknown }): string =>
        [file, s.texture, s.layer, s.slice, s.mip].join('|');

      beforeAll(async () => {
        const session = new Session({ backend });
        const mips = { first: 0, last: Infinity };
        for (const path of new Set(rows.map((row) => row['path']!))) {
          const events = extractTextures(findInputs([`${CORPUS}/${path}`]), {
            session,
            output,
            platform: nodePlatform,
            mips,
            rawChannels,
            hashes: true,
          });
          for await (const event of events) {
            if (event.kind === 'failure') throw event.error;
            if (event.kind === 'surface') surfaces.set(keyOf(path, event), event);
          }
        }
      });

      it('gives the pixels of every row', () => {
        expect(rows.length).toBeGreaterThan(0);
        for (const row of rows) {
          const key = keyOf(row['path']!, row as never);
          // BC3 rows hold another alpha: see corpus-bc3.test.ts.
          if (row['format']!.startsWith('BC3')) expect(surfaces.has(key)).toBe(true);
          else expect([key, surfaces.get(key)?.rgbaSha256]).toEqual([key, row[column]]);
        }
      });

      it('the PNGs hold those pixels', () => {
        for (const { png, rgbaSha256, width, height } of [...surfaces.values()].filter((_, i) => i % 7 === 0)) {
          const picture = readPng(output.files.get(png)!);
          expect([picture.width, picture.height, sha256(picture.samples)]).toEqual([width, height, rgbaSha256]);
        }
      });
    });
  });
});
