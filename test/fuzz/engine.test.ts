import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../../fuzz/engine.ts';
import { HeapWatch } from '../../fuzz/heap.ts';
import { fields, mutate, randomOf, type Fixture } from '../../fuzz/mutate.ts';
import { agree, outcomeOf } from '../../fuzz/outcome.ts';
import { cut, Guarded, type Target } from '../../fuzz/target.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import { createKernels, StreamError, type Kernels } from '../../ts/kernels/index.ts';
import { filesBelow, temporaryFolder } from '../support/cli.ts';
import { randomBytes } from '../support/random.ts';

const LIMIT = 1 << 24;

const FIXTURES: Fixture[] = [
  { name: 'plain', bytes: randomBytes(100, 1), fields: [] },
  { name: 'with fields', bytes: new Uint8Array(100), fields: fields(0x10, 4, 8) },
];

const mutation = (n: number): Uint8Array => mutate(FIXTURES, randomOf('test', 1, n), 1000);

describe('mutations', () => {
  it('are the same for the same target, seed and number, in whatever order', () => {
    expect(mutation(5)).toEqual(mutation(5));
    const hex = Array.from({ length: 1000 }, (_, n) => Buffer.from(mutation(n)).toString('hex'));
    expect(new Set(hex).size).toBeGreaterThan(850);
    expect(randomOf('test', 2, 5)()).not.toBe(randomOf('test', 1, 5)());
    expect(randomOf('other', 1, 5)()).not.toBe(randomOf('test', 1, 5)());
  });

  it('leave the fixtures as they are, and aim at fields', () => {
    const before = FIXTURES.map(({ bytes }) => bytes.slice());
    let aimed = 0;
    for (let n = 0; n < 2000; n++) {
      const bytes = mutate([FIXTURES[1]!], randomOf('test', 3, n), 1000);
      if (bytes.length === 100 && bytes.every((v, i) => !v || (i >= 0x10 && i < 0x1c)) && bytes.some(Boolean)) aimed++;
    }
    expect(aimed).toBeGreaterThan(500);
    expect(FIXTURES.map(({ bytes }) => bytes)).toEqual(before);
  });

  it('have at most as many bytes as they may', () => {
    for (let n = 0; n < 500; n++) expect(mutate(FIXTURES, randomOf('test', 4, n), 90).length).toBeLessThanOrEqual(90);
  });

  it('are cut into chunks that follow each other and end once', () => {
    for (let n = 0; n < 500; n++) {
      const chunks = [...cut(n % 40, randomOf('cut', 1, n))];
      expect(chunks.map(([from]) => from)).toEqual([0, ...chunks.map(([, to]) => to).slice(0, -1)]);
      expect(chunks.at(-1)![1]).toBe(n % 40);
      expect(chunks.map(([, , final]) => final)).toEqual(chunks.map((_, i) => i === chunks.length - 1));
    }
  });
});

describe('outcomes', () => {
  it('are compared in what was given and in every word of an error', () => {
    const failing = (offset: number, ...bytes: number[]) =>
      outcomeOf((put) => {
        put(Uint8Array.from(bytes));
        throw new StreamError('reserved', offset, 1, 2);
      });
    expect(agree({ a: failing(3, 1), b: failing(3, 1) })).toBe('reserved');
    expect(() => agree({ a: failing(3, 1), b: failing(4, 1) })).toThrow('a and b differ');
    expect(() => agree({ a: failing(3, 1), b: failing(3, 2) })).toThrow('byte 0 of 1 is 1 and 2');
    expect(() => agree({ a: failing(3, 1), b: failing(3) })).toThrow('1 and 0 bytes');
  });

  it('are errors of ours; others are thrown on', () => {
    const { pixel } = createKernels({ backend: 'ts' });
    const given = (error: Error) =>
      outcomeOf(() => {
        throw error;
      });
    expect(given(new RomflowError('limit', 'too much')).label).toBe('limit');
    expect(outcomeOf(() => void pixel.decode('r8', new Uint8Array(9), new Uint8Array(1))).label).toBe('refused out');
    expect(() => outcomeOf(() => new Uint8Array(1).set([1, 2]))).toThrow(RangeError);
    expect(() => outcomeOf(() => void new Uint8Array(-1))).toThrow(RangeError);
    expect(() => given(new RangeError('the kernels cannot have 5 bytes of memory'))).toThrow('cannot have');
    expect(() => given(new WebAssembly.RuntimeError('unreachable'))).toThrow('unreachable');
    expect(() => given(new TypeError('x is undefined'))).toThrow(TypeError);
  });
});

describe('kernel memory', () => {
  const written = (kernels: Kernels, place: (out: Uint8Array, input: Uint8Array) => [Uint8Array, number]) => () =>
    new Guarded(kernels, 1000).run([Uint8Array.of(1, 2, 3)], 20, 5, (_, out, [input]) => {
      const [view, offset] = place(out(), input!());
      new Uint8Array(view.buffer)[view.byteOffset + offset] = 77;
    });

  it.each(['wasm', 'ts'] as const)('%s: writes outside the output are seen', (backend) => {
    const kernels = createKernels({ backend });
    expect(written(kernels, (out) => [out, 0])).not.toThrow();
    expect(written(kernels, (out) => [out, 19])).not.toThrow();
    for (const offset of [-1, 20, 40]) expect(written(kernels, (out) => [out, offset])).toThrow('outside its output');
    for (const offset of [-1, 0, 2, 3]) {
      expect(written(kernels, (_, input) => [input, offset])).toThrow('outside its output');
    }
  });

  it('what is not given back is seen', () => {
    const kernels = createKernels({ backend: 'wasm' });
    const heap = new HeapWatch(kernels);
    const decoder = kernels.yaz0.decoderOpen();
    expect(() => heap.check(LIMIT)).toThrow('2 blocks of kernel memory are in use, not 1');
    kernels.yaz0.decoderFree(decoder);
    expect(() => heap.check(LIMIT)).not.toThrow();
    expect(() => heap.check(1000)).toThrow('bytes of memory, more than 1000');
  });

  it('writes over the heads of blocks and behind the last are seen', () => {
    const kernels = createKernels({ backend: 'wasm' });
    const heap = new HeapWatch(kernels);
    const { bytes } = kernels.alloc(100);
    heap.rebase();
    // A block has 64 bytes of slack after its size, rounded up to 16; behind them lies nothing yet.
    const memory = new Uint8Array(bytes.buffer);
    memory[bytes.byteOffset + 112 + 63] = 1;
    expect(() => heap.check(LIMIT)).not.toThrow();
    memory[bytes.byteOffset + 112 + 64 + 12] = 1;
    expect(() => heap.check(LIMIT)).toThrow('behind the last kernel memory block');
    memory[bytes.byteOffset + 112 + 64 + 12] = 0;
    memory[bytes.byteOffset - 16]! ^= 1;
    expect(() => heap.check(LIMIT)).toThrow('is overwritten');
  });
});

describe('the engine', () => {
  const target = (open: Target['open']): Target => ({ name: 'planted', fixtures: () => FIXTURES, open });
  const options = { seed: 1, count: 200 };

  it('counts mutations and outcomes', async () => {
    const result = await fuzz(
      target(() => (input) => (input.length > 100 ? 'ok, long' : 'ok')),
      options,
    );
    expect(result).toMatchObject({ target: 'planted', mutations: 200, outcomes: 2, findings: [] });
  });

  it('writes the input of a finding, which the number alone brings up again', async () => {
    const folder = temporaryFolder();
    const seen: Uint8Array[] = [];
    const planted = target(() => (input) => {
      if (input.length >= 100) return 'ok';
      seen.push(input.slice());
      throw new TypeError('planted');
    });
    const { findings } = await fuzz(planted, { ...options, folder });
    expect(findings).toHaveLength(3);
    const [, n] = /^planted (\d+): TypeError: planted/.exec(findings[0]!)!;
    expect(findings[0]).toContain(`npm run fuzz -- --target planted --seed 1 --only ${n}`);
    const path = join(folder, `planted-1-${n}.bin`);
    expect(findings[0]).toContain(path);
    expect(new Uint8Array(readFileSync(path))).toEqual(seen[0]);
    await fuzz(planted, { ...options, folder: temporaryFolder(), only: Number(n) });
    expect(seen.at(-1)).toEqual(seen[0]);
  });

  it('sees a decoder that is not freed', async () => {
    const leaking = target(
      ({ wasm }) =>
        (input) => (input.length < 100 && wasm.zstd.decoderOpen(1000, 0), 'ok'),
    );
    const { findings } = await fuzz(leaking, { ...options, folder: temporaryFolder() });
    expect(findings[0]).toMatch(/blocks of kernel memory are in use/);
  });

  it('refuses fixtures that are not right themselves', async () => {
    await expect(
      fuzz(
        target(() => () => 'truncated'),
        options,
      ),
    ).rejects.toThrow('the fixture plain gives truncated');
  });

  it('ends when an input makes it hang, and writes that', () => {
    const folder = temporaryFolder();
    const args = ['scripts/run-ts.mjs', 'test/fuzz/hanging.ts', folder];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 });
    expect(status).not.toBe(0);
    expect(stderr).toContain('no end after 1 s');
    expect(stderr).toContain('npm run fuzz -- --target hanging --seed 7 --only 2');
    expect(filesBelow(folder)).toEqual(['hanging-7-2.bin']);
  });
});
