import { describe, expect, it } from 'vitest';
import { openFile } from '../../pipeline/node/file-source.ts';
import { Session } from '../../pipeline/walk/session.ts';
import { walk } from '../../pipeline/walk/walk.ts';
import { bntxSurfaces, readBntx } from '../../ts/formats/bntx/index.ts';
import type { Surface } from '../../ts/textures/surface.ts';
import { CORPUS, HAS_CORPUS, readTable } from '../support/corpus.ts';
import { sha256 } from '../support/sha256.ts';

/**
 * The corpus tables have the alpha of BC3 cut off to 8 bits, where the kernels round it as DirectXTex does (and as
 * tinybcdec's PNGs have it, which bc.test.ts compares). So blocks and colours are compared with the table as they are,
 * and alpha after cutting it off here.
 */
function withAlphaCutOff(rgba: Uint8Array, blocks: Uint8Array, width: number, height: number): Uint8Array {
  const out = rgba.slice();
  const columns = Math.ceil(width / 4);
  for (let block = 0; block * 16 < blocks.length; block++) {
    const [a0, a1] = [blocks[16 * block]!, blocks[16 * block + 1]!];
    const steps = a0 > a1 ? 7 : 5;
    const palette = [a0, a1];
    for (let i = 1; i < steps; i++) palette.push(Math.floor(((steps - i) * a0 + i * a1) / steps));
    if (steps === 5) palette.push(0, 255);
    let indices = 0n;
    for (let i = 7; i >= 2; i--) indices = (indices << 8n) | BigInt(blocks[16 * block + i]!);
    for (let i = 0; i < 16; i++, indices >>= 3n) {
      const x = 4 * (block % columns) + (i % 4);
      const y = 4 * Math.floor(block / columns) + Math.floor(i / 4);
      if (x < width && y < height) out[4 * (y * width + x) + 3] = palette[Number(indices & 7n)]!;
    }
  }
  return out;
}

const ROWS = HAS_CORPUS ? readTable('EMBEDDED_TEXTURES.tsv').filter((row) => row['format'] === 'BC3_UNORM') : [];

/** Every surface in a file, by layer and mip. */
async function surfacesOf(path: string, session: Session): Promise<Map<string, Surface>> {
  const surfaces = new Map<string, Surface>();
  for await (const visit of walk(openFile(path), session)) {
    if (visit.kind === 'failure') throw visit.error;
    if (visit.type.id !== 'bntx') continue;
    const source = visit.content.keep();
    for (const bntx of readBntx(source)) {
      for (const texture of bntx.textures) {
        for (const s of bntxSurfaces(source, bntx, texture)) surfaces.set(`${texture.name}|${s.layer}|${s.mip}`, s);
      }
    }
  }
  return surfaces;
}

describe.skipIf(!HAS_CORPUS).each(['wasm', 'ts'] as const)('BC3 of the corpus, %s', (backend) => {
  const session = new Session({ backend });
  const { kernels } = session;

  it.each([...new Set(ROWS.map((row) => row['file']!))])('%s', async (file) => {
    const surfaces = await surfacesOf(`${CORPUS}/${file}`, session);
    let rounded = 0;
    for (const row of ROWS.filter((r) => r['file'] === file)) {
      const { source, offset, layout } = surfaces.get(`${row['texture']}|${row['layer']}|${row['mip']}`)!;
      const { columns, rows, width, height } = layout;
      const data = source.read(offset, layout.size);
      const blocks = kernels.tegra.deswizzle(data, 0, 16, columns, rows, layout, 0, 0, rows);
      expect(sha256(blocks)).toBe(row['linear_sha256']);
      const rgba = kernels.tegra.decodeRows('bc3', data, 0, width, height, layout, 0, 0, rows);
      const cutOff = withAlphaCutOff(rgba, blocks, width, height);
      expect(sha256(cutOff)).toBe(row['rgba_raw_channels_sha256']);
      rgba.forEach((value, i) => {
        if (value === cutOff[i]) return;
        expect(value).toBe(cutOff[i]! + 1);
        rounded++;
      });
    }
    expect(rounded).toBeGreaterThan(0);
  });
});
