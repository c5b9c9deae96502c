import { crc32 } from 'node:zlib';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BufferSource, createKernels, readSarc, sarcHash } from '../../ts/index.ts';
import { CORPUS, HAS_CORPUS, readCorpus } from '../support/corpus.ts';
import { random } from '../support/random.ts';

const BACKENDS = ['wasm', 'ts'] as const;

/** Names end to end, and where each ends. */
function itemsOf(names: string[]): [data: Uint8Array, ends: Uint32Array] {
  const parts = names.map((name) => Buffer.from(name));
  let end = 0;
  return [Buffer.concat(parts), Uint32Array.from(parts, (part) => (end += part.length))];
}

function decodeYaz0(file: Uint8Array): Uint8Array {
  const { yaz0 } = createKernels();
  const decoder = yaz0.decoderOpen();
  const parts = [yaz0.decoderPush(decoder, file, true)];
  while (yaz0.decoderPending(decoder)) parts.push(yaz0.decoderPush(decoder, new Uint8Array(0), true));
  yaz0.decoderFree(decoder);
  return Buffer.concat(parts);
}

const words = (bytes: Uint8Array): number[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
};

describe.skipIf(!HAS_CORPUS)('the names in archives of the corpus', () => {
  const paths = HAS_CORPUS ? readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }) : [];
  const archives = paths.flatMap((path) => {
    if (!/\.(?:sarc|szs|sbactorpack)$/.test(path)) return [];
    const file = readCorpus(path);
    return new BufferSource(path, file[0] === 'Y'.charCodeAt(0) ? decodeYaz0(file) : file);
  });
  const entries = archives.map((source) => {
    const { entries: all, hashMultiplier } = readSarc(source);
    return { named: all.flatMap(({ name, hash }) => (name === undefined ? [] : [{ name, hash }])), hashMultiplier };
  });

  it('are there', () => expect(entries.flatMap(({ named }) => named).length).toBeGreaterThan(100));

  it.each(BACKENDS)('have the hashes that the archives say: %s', (backend) => {
    const { hash } = createKernels({ backend });
    for (const { named, hashMultiplier } of entries) {
      const hashes = named.map((entry) => entry.hash);
      const names = named.map(({ name }) => name);
      expect(words(hash.batch('sarc', ...itemsOf(names), BigInt(hashMultiplier)))).toEqual(hashes);
      expect(names.map((name) => hash.sarcName(Buffer.from(name), hashMultiplier))).toEqual(hashes);
      expect(names.map((name) => sarcHash(name, hashMultiplier))).toEqual(hashes);
    }
  });
});

it.each(BACKENDS)('400,000 paths in one call: %s', (backend) => {
  const { hash } = createKernels({ backend });
  const next = random(5);
  const names = Array.from({ length: 400_000 }, (_, i) => `Component/${(next() % 1e6).toString(36)}/${i}.bgyml`);
  const hashes = words(hash.batch('crc32', ...itemsOf(names), 0n));
  expect(hashes).toHaveLength(names.length);
  // Node's own zlib is the other opinion.
  expect(hashes.findIndex((value, i) => value !== crc32(names[i]!))).toBe(-1);
});
