import { describe, expect, it } from 'vitest';
import { extractTextures } from '../../pipeline/jobs/extract-textures.ts';
import { list } from '../../pipeline/jobs/list.ts';
import { nodePlatform } from '../../pipeline/node/platform.ts';
import { Session, type Limits } from '../../pipeline/walk/session.ts';
import { writeBntx } from '../../scripts/sample/bntx.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { sampleSet } from '../../scripts/sample/surfaces.ts';
import { writeZstd, writeZstdDictionary } from '../../scripts/sample/zstd.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import { bytesInput } from '../support/inputs.ts';
import { MemoryFolder } from '../support/memory-folder.ts';

const MIB = 1024 * 1024;

/** A zstd frame of `size` bytes in RLE blocks of 128 KiB: four bytes each. */
function bomb(size: number): Uint8Array {
  const parts = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
  for (let at = 0; at < size; at += 128 * 1024) {
    const header = (128 * 1024 * 8) | 2 | (at + 128 * 1024 >= size ? 1 : 0);
    parts.push(header & 255, (header >> 8) & 255, header >> 16, 0);
  }
  return Uint8Array.from(parts);
}

async function listed(
  path: string,
  bytes: Uint8Array,
  limits: Partial<Limits> = {},
  session = new Session({ limits }),
) {
  const paths: string[] = [];
  const errors: RomflowError[] = [];
  for await (const event of list([bytesInput(path, bytes)], { session, platform: nodePlatform })) {
    if (event.kind === 'file') paths.push(event.path);
    if (event.kind === 'failure') errors.push(event.error);
  }
  return { paths, errors };
}

describe('limits', () => {
  it('a zstd bomb is stopped where the limit is', async () => {
    const session = new Session({ limits: { maxSize: 16 * MIB } });
    const { errors } = await listed('bomb.zs', bomb(2048 * MIB), {}, session);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ['limit', 'bomb.zs: holds more than 16 MiB when unpacked; --max-size raises the limit'],
    ]);
    expect(session.kernels.memorySize).toBeLessThan(16 * MIB);
  });

  it('the entries before a bomb in an archive are still seen', async () => {
    const archive = writeSarc(
      [
        { name: 'a.txt', data: new TextEncoder().encode('hello, I am some text\n') },
        { name: 'b.zs', data: bomb(64 * MIB) },
        { name: 'c.txt', data: new TextEncoder().encode('and I am some more text\n') },
      ],
      { alignment: 4, dataOrder: 'given' },
    );
    const { paths, errors } = await listed('x.pack.zs', writeZstd(archive), { maxSize: 16 * MIB });
    expect(paths).toEqual(['x.pack.zs', 'x.pack.zs/a.txt', 'x.pack.zs/b.zs', 'x.pack.zs/c.txt']);
    expect(errors.map(({ path }) => path)).toEqual(['x.pack.zs/b.zs']);
  });

  it('a window above the limit is refused', async () => {
    const { errors } = await listed('x.zs', bomb(MIB), { windowLimit: MIB });
    expect(errors.map(({ message }) => message)).toEqual([
      'x.zs: zstd at 0x5: expected a window of at most 1024 KiB, found 2048 KiB',
    ]);
  });

  it('archives in archives and compression in compression are followed only so deep', async () => {
    let archive = writeSarc([{ name: 'leaf.txt', data: new TextEncoder().encode('deep down there is text\n') }], {
      alignment: 4,
    });
    for (let i = 0; i < 40; i++) archive = writeSarc([{ name: 'a', data: archive }], { alignment: 4 });
    const nested = await listed('x.sarc', archive, { maxDepth: 10 });
    expect(nested.errors.map(({ code }) => code)).toEqual(['limit']);
    expect(nested.paths).toHaveLength(11);
    let packed: Uint8Array = new TextEncoder().encode('text');
    for (let i = 0; i < 40; i++) packed = writeZstd(packed);
    const { errors } = await listed('x.zs', packed, { maxDepth: 10 });
    expect(errors.map(({ message }) => message)).toEqual([
      'x.zs: compressed more than 10 times; --max-depth raises the limit',
    ]);
  });

  it('a frame that names no dictionary is tried with those given, with a warning', async () => {
    const content = new TextEncoder().encode('some words, and the same words again: some words\n'.repeat(20));
    const dictionary = writeZstdDictionary([content], 5);
    const frame = writeZstd(content, { dictionary, omitDictionaryId: true });
    const warnings: string[] = [];
    const session = new Session({ onWarning: (message) => warnings.push(message) });
    session.dictionaries.add(session.kernels, 'my.zsdic', dictionary.bytes);
    session.hasGivenDictionaries = true;
    expect((await listed('x.txt.zs', frame, {}, session)).errors).toEqual([]);
    expect(warnings).toEqual(['x.txt.zs: the zstd frame names no dictionary but is only valid with my.zsdic']);
    expect((await listed('x.txt.zs', frame)).errors).toHaveLength(1);
  });
});

describe('a full disk', () => {
  it.each([0, 100, 5000])('ends the job after %d bytes with one failure', async (left) => {
    const full = (): Error =>
      new RomflowError('output', 'cannot be written: no space left on the disk', { path: 'out/x' });
    const output = new MemoryFolder(left, full);
    const inputs = ['a.bntx', 'b.bntx'].map((path) => bytesInput(path, writeBntx(sampleSet('quirks'))));
    const failures: string[] = [];
    let last = '';
    for await (const event of extractTextures(inputs, { session: new Session(), output, platform: nodePlatform })) {
      if (event.kind === 'failure') failures.push(event.error.message);
      last = event.kind;
    }
    expect(failures).toEqual(['out/x: cannot be written: no space left on the disk']);
    expect(last).toBe('summary');
    for (const file of output.files.values()) expect(file.subarray(1, 4)).toEqual(Uint8Array.of(0x50, 0x4e, 0x47));
  });
});
