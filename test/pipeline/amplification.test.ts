import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractTextures } from '../../pipeline/jobs/extract-textures.ts';
import { list, type ListEvent } from '../../pipeline/jobs/list.ts';
import { findInputs } from '../../pipeline/node/inputs.ts';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { Session, type Limits } from '../../pipeline/walk/session.ts';
import { writeBfres } from '../../scripts/sample/bfres.ts';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { makeTexture } from '../../scripts/sample/surfaces.ts';
import { writeZstd } from '../../scripts/sample/zstd.ts';
import { all } from '../support/all.ts';
import { bytesInput } from '../support/inputs.ts';
import { MemoryFolder } from '../support/memory-folder.ts';

const picture = { width: 4, height: 4, rgba: new Uint8Array(64) };

async function events(path: string, bytes: Uint8Array, limits: Partial<Limits> = {}): Promise<ListEvent[]> {
  const session = new Session({ limits });
  return all(list([bytesInput(path, bytes)], { session, platform: nodePlatform }));
}

const messages = (found: ListEvent[]): string[] =>
  found.flatMap((event) => (event.kind === 'failure' ? [event.error.message] : []));

/** Small files that claim, or repeat, very much. */
describe('much out of little', () => {
  it('a texture of a million surfaces is read one surface at a time', async () => {
    const bytes = writeBntx({
      name: 'x',
      version: [4, 0, 0],
      textures: [makeTexture({ name: 'T', format: 'R8_UNORM', dimension: '2d', mips: 1, pictures: [picture] })],
    });
    const view = new DataView(bytes.buffer);
    const brti = Buffer.from(bytes).indexOf('BRTI');
    bytes[brti + 0x11] = 3;
    view.setUint16(brti + 0x12, 1, true);
    view.setUint32(brti + 0x2c, 16384, true);
    view.setUint32(brti + 0x30, 65535, true);
    view.setUint32(brti + 0x50, 0xffff0001, true);
    bytes.set(new TextEncoder().encode('Gen '), 0x20);
    const options = { session: new Session(), output: new MemoryFolder(), platform: nodePlatform };
    const found = await all(extractTextures([bytesInput('x.bntx', bytes)], options));
    expect(found.map(({ kind }) => kind)).toEqual(['failure', 'summary']);
  });

  it('names that overlap are refused', async () => {
    const names = Array.from({ length: 3000 }, (_, i) => `n${i}`);
    const archive = writeSarc(
      [
        { name: 'x'.repeat(40_000), data: new Uint8Array(4) },
        ...names.map((name) => ({ name, data: new Uint8Array(4) })),
      ],
      { alignment: 4 },
    );
    const view = new DataView(archive.buffer);
    const count = view.getUint16(0x1a, true);
    const long = Buffer.from(archive).indexOf('x'.repeat(100));
    const names0 = 0x20 + 16 * count + 8;
    // every name begins somewhere in the long one
    for (let i = 0; i < count; i++)
      view.setUint32(0x24 + 16 * i, (0x01 << 24) | ((long - names0) / 4 + (i % 9000)), true);
    expect(messages(await events('x.sarc', archive))).toEqual([
      expect.stringMatching(/^x\.sarc: SARC at 0x[0-9a-f]+: expected names that do not overlap, found names that do$/),
    ]);
  });

  it('two pointers to one texture, and endless names, are refused', async () => {
    const named = (name: string): Uint8Array =>
      writeBntx({
        name: 'x',
        version: [4, 0, 0],
        textures: [makeTexture({ name, format: 'R8_UNORM', dimension: '2d', mips: 1, pictures: [picture] })],
      });
    const bytes = named('T');
    const brti = Buffer.from(bytes).indexOf('BRTI');
    const larger = new Uint8Array(bytes.length + 16);
    larger.set(bytes);
    const view = new DataView(larger.buffer);
    for (const i of [0, 8]) view.setBigUint64(bytes.length + i, BigInt(brti), true);
    view.setUint32(0x24, 2, true);
    view.setBigUint64(0x28, BigInt(bytes.length), true);
    expect(messages(await events('x.bntx', larger))).toEqual([
      `x.bntx: BNTX at 0x${(bytes.length + 8).toString(16)}: expected a texture of its own, found 0x${brti.toString(16)} again`,
    ]);
    expect(messages(await events('x.bntx', named('N'.repeat(5000))))).toEqual([
      expect.stringMatching(/: expected a name of at most 4096 characters, found 5000$/),
    ]);
  });

  it('a BFRES cannot hold itself', async () => {
    const files = Array.from({ length: 8 }, (_, i) => ({ name: `f${i}`, data: new Uint8Array(16) }));
    const bytes = writeBfres({ name: 'x', version: [8, 0, 0], files });
    const view = new DataView(bytes.buffer);
    const array = Number(view.getBigUint64(0x98, true));
    for (let i = 0; i < 8; i++) {
      view.setBigUint64(array + 16 * i, 0n, true);
      view.setUint32(array + 16 * i + 8, bytes.length, true);
    }
    expect(messages(await events('x.bfres', bytes))).toEqual([
      `x.bfres: BFRES at 0x${array.toString(16)}: expected a file offset after the header, found 0x0`,
    ]);
  });

  it('archives whose entries share one archive end at the limit of entries', async () => {
    let inner = writeSarc([{ name: 'leaf.txt', data: new TextEncoder().encode('some text in a leaf of the tree\n') }], {
      alignment: 4,
    });
    for (let level = 0; level < 4; level++) {
      const archive = writeSarc(
        Array.from({ length: 100 }, (_, i) => ({ name: `e${i}`, data: i ? new Uint8Array(0) : inner })),
        { alignment: 4, dataOrder: 'given' },
      );
      const view = new DataView(archive.buffer);
      for (let i = 0; i < 100; i++) {
        view.setUint32(0x28 + 16 * i, 0, true);
        view.setUint32(0x2c + 16 * i, inner.length, true);
      }
      inner = archive;
    }
    const found = await events('x.sarc.zs', writeZstd(inner), { maxEntries: 2000 });
    expect(messages(found)).toEqual(['x.sarc.zs: holds more than 2000 entries; --max-entries raises the limit']);
    expect(found.length).toBeLessThan(2010);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('compressed files are closed again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'romflow-test-'));
    try {
      for (let i = 0; i < 60; i++)
        writeFileSync(join(folder, `${i}.zs`), writeZstd(new TextEncoder().encode('text\n'.repeat(9))));
      const before = readdirSync('/proc/self/fd').length;
      const found = await all(list(findInputs([folder]), { session: new Session(), platform: nodePlatform }));
      expect(found).toHaveLength(61);
      expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
