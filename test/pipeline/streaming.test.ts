import { describe, expect, it } from 'vitest';
import { createYaz0Decoder } from '../../ts/formats/yaz0/index.ts';
import { createZstdDecoder } from '../../ts/formats/zstd/index.ts';
import { SarcSplitter } from '../../ts/formats/sarc/index.ts';
import type { PushDecoder } from '../../ts/formats/push-decoder.ts';
import { createKernels } from '../../ts/kernels/index.ts';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { randomBytes } from '../support/random.ts';

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;
const ARENA_LIMIT = 8 * MIB;

/** A zstd frame without a content size and with a 2 MiB window, in raw blocks, never all in memory. */
function* zstdChunks(size: number): Generator<Uint8Array, void, void> {
  const block = randomBytes(128 * 1024, 1);
  // window descriptor 0x58: 1 << (10 + 11)
  yield Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);
  for (let at = 0; at < size; at += block.length) {
    const last = at + block.length >= size ? 1 : 0;
    const header = (block.length << 3) | last;
    yield Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16);
    yield block.subarray(0, CHUNK);
    yield block.subarray(CHUNK);
  }
}

/** Yaz0 of groups of seven literals and a pair of 18 bytes, eight back. */
function* yaz0Chunks(size: number): Generator<Uint8Array, void, void> {
  yield Uint8Array.of(0x59, 0x61, 0x7a, 0x30, size >>> 24, size >>> 16, size >>> 8, size, 0, 0, 0, 0, 0, 0, 0, 0);
  const group = Uint8Array.of(0xfe, 1, 2, 3, 4, 5, 6, 7, 0x00, 0x06, 0x00);
  const groups = new Uint8Array(group.length * 6000);
  for (let i = 0; i < groups.length; i += group.length) groups.set(group, i);
  for (let made = 0; made < size; made += 25 * 6000) yield groups;
}

/** How a decoder took a stream. */
function measure(
  decoder: PushDecoder,
  chunks: Generator<Uint8Array, void, void>,
): { inputSize: number; inputBeforeOutput: number; outputSize: number } {
  const result = { inputSize: 0, inputBeforeOutput: 0, outputSize: 0 };
  for (const chunk of chunks) {
    result.inputSize += chunk.length;
    for (const output of decoder.push(chunk, false)) result.outputSize += output.length;
    if (result.outputSize === 0) result.inputBeforeOutput = result.inputSize;
  }
  for (const output of decoder.push(new Uint8Array(0), true)) result.outputSize += output.length;
  decoder.free();
  return result;
}

describe('streams are decoded as they come, in little memory', () => {
  it('200 MB of zstd with a 2 MiB window', () => {
    const kernels = createKernels();
    const size = 200 * MIB;
    const result = measure(createZstdDecoder(kernels, { path: 'x' }), zstdChunks(size));
    expect(result.outputSize).toBe(size);
    expect(result.inputBeforeOutput).toBeLessThan(result.inputSize / 100);
    expect(kernels.memorySize).toBeLessThan(ARENA_LIMIT);
  });

  it('200 MB of Yaz0', () => {
    const kernels = createKernels();
    const size = 200 * MIB;
    const result = measure(createYaz0Decoder(kernels, 'x'), yaz0Chunks(size));
    expect(result.outputSize).toBe(size);
    expect(result.inputBeforeOutput).toBeLessThan(result.inputSize / 100);
    expect(kernels.memorySize).toBeLessThan(ARENA_LIMIT);
  });

  it('a SARC is split without holding any of its data', () => {
    const files = Array.from({ length: 300 }, (_, i) => ({
      name: `Model/File${i}.bin`,
      data: randomBytes(i === 7 ? 3 * MIB : (i * 977) % 60000, i + 1),
    }));
    const archive = writeSarc(files, { alignment: 16, dataOrder: 'given' });
    const splitter = new SarcSplitter({ path: 'x' });
    const found = new Map<string, Uint8Array[]>();
    let inputBeforeOutput = 0;
    for (let at = 0; at < archive.length; at += CHUNK) {
      const chunk = archive.slice(at, at + CHUNK);
      for (const { entry, data } of splitter.push(chunk, at + CHUNK >= archive.length)) {
        // Past the tables, pieces are views of what was pushed.
        if (at > 0) expect(data.buffer).toBe(chunk.buffer);
        found.set(entry.name!, [...(found.get(entry.name!) ?? []), data]);
      }
      if (found.size === 0) inputBeforeOutput = at + CHUNK;
    }
    expect(inputBeforeOutput).toBeLessThan(archive.length / 100);
    expect([...found.keys()].toSorted()).toEqual(files.map(({ name }) => name).toSorted());
    for (const { name, data } of files) expect(Buffer.concat(found.get(name)!).equals(data)).toBe(true);
  });

  it.each([1, 7, 4096])('a SARC gives the same pieces in chunks of %d', (size) => {
    const files = [
      { name: 'a', data: randomBytes(100, 1) },
      { name: 'empty', data: new Uint8Array(0) },
      { name: 'c/d', data: randomBytes(5000, 2) },
    ];
    for (const bigEndian of [false, true]) {
      const archive = writeSarc(files, { alignment: 32, bigEndian });
      const splitter = new SarcSplitter({ path: 'x' });
      const found = new Map<string, number[]>();
      const ended: string[] = [];
      for (let at = 0; at < archive.length; at += size) {
        for (const { entry, data, last } of splitter.push(
          archive.subarray(at, at + size),
          at + size >= archive.length,
        )) {
          found.set(entry.name!, [...(found.get(entry.name!) ?? []), ...data]);
          if (last) ended.push(entry.name!);
        }
      }
      expect(ended.toSorted()).toEqual(['a', 'c/d', 'empty']);
      for (const { name, data } of files) expect(found.get(name)).toEqual([...data]);
    }
  });

  it('entries that share bytes are given whole, with a warning', () => {
    const archive = writeSarc(
      [
        { name: 'a', data: randomBytes(64, 1) },
        { name: 'b', data: randomBytes(64, 2) },
      ],
      {
        alignment: 4,
        dataOrder: 'given',
      },
    );
    const view = new DataView(archive.buffer);
    // the second record's data begins in the middle of the first's
    const [first, second] = view.getUint32(0x28, true) < view.getUint32(0x38, true) ? [0x28, 0x38] : [0x38, 0x28];
    view.setUint32(second, view.getUint32(first, true) + 32, true);
    const warnings: string[] = [];
    const splitter = new SarcSplitter({ path: 'x.sarc', onWarning: (message) => warnings.push(message) });
    const pieces = [...splitter.push(archive.subarray(0, 100), false), ...splitter.push(archive.subarray(100), true)];
    expect(pieces.map(({ data, last }) => [data.length, last])).toEqual([
      [64, true],
      [96, true],
    ]);
    expect(warnings).toEqual(['x.sarc: SARC entries share bytes; the whole archive is held in memory']);
  });
});
