import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { componentWit } from '@bytecodealliance/jco';
import { describe, expect, it } from 'vitest';
import { instantiate as instantiateCore } from '../../ts/component/generated/kernels.js';
import { instantiate, type KernelsComponent } from '../../ts/component/index.ts';
import { compileKernels } from '../../ts/kernels/index.ts';
import { randomBytes } from '../support/random.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const concat = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** The functions of kernels.wit by interface, in camel case. */
function witInterfaces(): Map<string, string[]> {
  const text = readFileSync(`${root}asm/wit/kernels.wit`, 'utf8').replace(/\/\/.*/g, '');
  const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return new Map(
    [...text.matchAll(/^interface ([\w-]+) \{(.*?)^\}/gms)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/^ +([\w-]+): func\(/gm)].map(([, func = '']) => camel(func)),
    ]),
  );
}

type Decoders = Pick<KernelsComponent['yaz0'], 'decoderPush' | 'decoderPending' | 'decoderFree'>;

/** Pushes `chunks`, the last one as final, drains the decoder and frees it. */
function decode(decoders: Decoders, handle: number, ...chunks: Uint8Array[]): Uint8Array {
  try {
    const parts = chunks.map((chunk, i) => decoders.decoderPush(handle, chunk, i === chunks.length - 1));
    while (decoders.decoderPending(handle)) parts.push(decoders.decoderPush(handle, new Uint8Array(0), true));
    return concat(...parts);
  } finally {
    decoders.decoderFree(handle);
  }
}

function thrown(run: () => unknown): { name: string; payload: unknown } {
  try {
    run();
  } catch (error) {
    return { name: (error as Error).constructor.name, payload: (error as { payload?: unknown }).payload };
  }
  throw new Error('nothing was thrown');
}

/** As `instantiate`, with the memory that it keeps to itself. */
function instantiateWithMemory(): { component: KernelsComponent; memory: WebAssembly.Memory } {
  const memories: WebAssembly.Memory[] = [];
  const component = instantiateCore(compileKernels, {}, (module, imports) => {
    const instance = new WebAssembly.Instance(module, imports);
    memories.push(instance.exports['memory'] as WebAssembly.Memory);
    return instance;
  });
  const [memory, ...more] = memories;
  if (!memory || more.length) throw new Error('the component should have one core instance');
  return { component, memory };
}

describe('the component file', () => {
  it('gives back a world with every interface of the WIT and no imports', async () => {
    const world = await componentWit(readFileSync(`${root}dist/kernels.component.wasm`));
    const exports = [...world.matchAll(/^ +export romflow:kernels\/([\w-]+)@0\.1\.0;/gm)].map(([, name]) => name);
    expect(exports.toSorted()).toEqual([...witInterfaces().keys()].toSorted());
    expect(world).not.toContain('import');
  });
});

describe('romflow/component', () => {
  it('has every function of the WIT, under the short and the full name of its interface', () => {
    const component = instantiate() as unknown as Record<string, Record<string, unknown>>;
    const interfaces = [...witInterfaces()].filter(([, functions]) => functions.length);
    expect(interfaces.length).toBeGreaterThan(6);
    for (const [name, functions] of interfaces) {
      for (const key of [name, `romflow:kernels/${name}@0.1.0`]) {
        expect(Object.keys(component[key] ?? {}).toSorted(), key).toEqual(functions.toSorted());
      }
    }
  });

  it('takes a compiled module', () => {
    const module = new WebAssembly.Module(readFileSync(`${root}dist/kernels.wasm`));
    expect(instantiate({ module }).hash.crc32(ascii('123456789'), 0)).toBe(0xcbf43926);
  });

  it('computes checksums', () => {
    const { hash } = instantiate();
    expect(hash.crc32(ascii('123456789'), 0)).toBe(0xcbf43926);
    expect(hash.crc32(new Uint8Array(0), 7)).toBe(7);
    expect(hash.xxh64(ascii('abc'), 0n)).toBe(0x44bc2cf5ad770999n);
  });

  it('moves pixels', () => {
    const { pixel, tegra } = instantiate();
    expect([...pixel.decode('r8g8', Uint8Array.of(1, 2, 3, 4, 5))]).toEqual([1, 2, 0, 255, 3, 4, 0, 255]);
    // R from 1 (255), G from R, B from 0, A from A
    expect([...pixel.selectChannels(Uint8Array.of(10, 20, 30, 40), 0x05000201)]).toEqual([255, 10, 0, 40]);
    const pitchLinear = { blockHeightLog2: 0, blockDepthLog2: 0, pitch: 4 };
    const data = Uint8Array.of(1, 2, 0, 0, 3, 4, 0, 0, 5, 6);
    expect([...tegra.deswizzle(data, 0, 1, 2, 3, pitchLinear, 0, 1, 9)]).toEqual([3, 4, 5, 6]);
    expect([...tegra.decodeRows('r8', data, 0, 1, 3, pitchLinear, 0, 2, 3)]).toEqual([5, 0, 0, 255]);
  });

  it('gives an empty list where an argument is out of its range', () => {
    const { astc, bc, hash, pixel, png, tegra } = instantiate();
    const data = randomBytes(64, 1);
    expect(hash.batch('crc32', data, Uint32Array.of(0, 7, 6), 0n)).toHaveLength(0);
    expect(hash.batch('crc32', data, Uint32Array.of(64, 65), 0n)).toHaveLength(0);
    expect(hash.batch('murmur3', data, Uint32Array.of(1), 2n ** 32n)).toHaveLength(0);
    expect(hash.batch('fnv1a', data, Uint32Array.of(1), 1n)).toHaveLength(0);
    const tiling = { blockHeightLog2: 6, blockDepthLog2: 0, pitch: 0 };
    expect(tegra.deswizzle(data, 0, 4, 4, 4, tiling, 0, 0, 4)).toHaveLength(0);
    expect(tegra.decodeRows('rgba8', data, 0, 4, 4, tiling, 0, 0, 4)).toHaveLength(0);
    expect(pixel.decode('bc7', data)).toHaveLength(0);
    expect(pixel.selectChannels(data.subarray(0, 3), 0x05040302)).toHaveLength(0);
    expect(bc.decode('bc1', data, 0xffffffff, 0xffffffff)).toHaveLength(0);
    expect(bc.decode('astc-4x4', data, 4, 4)).toHaveLength(0);
    expect(astc.decode('bc7', data, 4, 4)).toHaveLength(0);
    expect(astc.decode('astc-12x12', data, 0xffffffff, 0xffffffff)).toHaveLength(0);
    expect(png.filter(data, data.subarray(0, 31), 32)).toHaveLength(0);
    expect(png.filter(data, new Uint8Array(0), 0)).toHaveLength(0);
  });

  it('traps on a handle that is not open, and only in that instance', () => {
    const [broken, freed, sound] = [instantiate(), instantiate(), instantiate()];
    for (const handle of [0, 16, 0x7ffffff0]) {
      expect(() => instantiate().zstd.decoderPush(handle, new Uint8Array(1), false)).toThrow(WebAssembly.RuntimeError);
    }
    const decoder = broken.yaz0.decoderOpen();
    expect(thrown(() => broken.zstd.decoderPush(decoder, new Uint8Array(1), false)).name).toBe('RuntimeError');
    // Freeing one of several closes that one alone.
    const handles = [freed.yaz0.decoderOpen(), freed.yaz0.decoderOpen(), freed.yaz0.decoderOpen()];
    freed.yaz0.decoderFree(handles[1] as number);
    for (const handle of [handles[0], handles[2]]) expect(freed.yaz0.decoderPending(handle as number)).toBe(false);
    expect(thrown(() => freed.yaz0.decoderPending(handles[1] as number)).name).toBe('RuntimeError');
    expect(sound.hash.crc32(ascii('123456789'), 0)).toBe(0xcbf43926);
  });

  describe('yaz0', () => {
    /** A header for `size` bytes of content. */
    const header = (size: number): Uint8Array => concat(ascii('Yaz0'), Uint8Array.of(0, 0, 0, size), new Uint8Array(8));

    it('decodes a stream in any cut', () => {
      const { yaz0 } = instantiate();
      // Three literals, then 6 bytes from 3 back.
      const stream = concat(header(9), Uint8Array.of(0xe0), ascii('abc'), Uint8Array.of(0x40, 0x02));
      for (let cut = 0; cut <= stream.length; cut++) {
        const out = decode(yaz0, yaz0.decoderOpen(), stream.subarray(0, cut), stream.subarray(cut));
        expect(out).toEqual(ascii('abcabcabc'));
      }
    });

    it('throws the error of the WIT', () => {
      const { yaz0 } = instantiate();
      // One literal, then a match of 3 bytes from 3 back: its two bytes lie at 18.
      const stream = concat(header(4), Uint8Array.of(0x80), ascii('a'), Uint8Array.of(0x10, 0x02));
      expect(thrown(() => decode(yaz0, yaz0.decoderOpen(), stream))).toEqual({
        name: 'ComponentError',
        payload: { code: 'bad-offset', offset: 18n, expected: 1, found: 3 },
      });
    });
  });

  describe('zstd', () => {
    // Single-segment frames of one block (RFC 8878, 3.1.1): magic, descriptor, content size, block header.
    const magic = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
    const raw = concat(magic, Uint8Array.of(0x20, 5, 0x29, 0, 0), ascii('hello'));
    const runLength = concat(magic, Uint8Array.of(0x20, 10, 0x53, 0, 0), ascii('x'));
    // XXH64 of "abc" is 0x44bc2cf5ad770999; the frame ends with its low half.
    const checked = concat(magic, Uint8Array.of(0x24, 3, 0x19, 0, 0), ascii('abc'), Uint8Array.of(0x99, 9, 0x77, 0xad));
    const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2);

    it('decodes frames in any cut', () => {
      const { zstd } = instantiate();
      const stream = concat(raw, runLength, skippable, checked);
      for (let cut = 0; cut <= stream.length; cut++) {
        const out = decode(zstd, zstd.decoderOpen(1 << 20, 0), stream.subarray(0, cut), stream.subarray(cut));
        expect(out).toEqual(ascii('helloxxxxxxxxxxabc'));
      }
    });

    it('throws the error of the WIT', () => {
      const { zstd } = instantiate();
      const damaged = checked.slice();
      damaged[12] = 0x98;
      expect(thrown(() => decode(zstd, zstd.decoderOpen(1 << 20, 0), damaged))).toEqual({
        name: 'ComponentError',
        payload: { code: 'bad-checksum', offset: 12n, expected: 0xad770998, found: 0xad770999 },
      });
    });

    it('takes a raw dictionary', () => {
      const { zstd } = instantiate();
      const dictionary = zstd.dictionaryOpen(ascii('raw content'));
      expect(zstd.dictionaryId(dictionary)).toBe(0);
      const decoder = zstd.decoderOpen(1 << 20, dictionary);
      expect(decode(zstd, decoder, raw)).toEqual(ascii('hello'));
      zstd.dictionaryFree(dictionary);
    });
  });

  it('makes a zlib stream', () => {
    const { png } = instantiate();
    const stream = png.deflateOpen();
    const data = randomBytes(1000, 3);
    const bytes = concat(png.deflatePush(stream, data, false), png.deflatePush(stream, new Uint8Array(0), true));
    png.deflateFree(stream);
    expect(new Uint8Array(inflateSync(bytes))).toEqual(data);
  });

  it('frees what it is given and what it gives', () => {
    const { component, memory } = instantiateWithMemory();
    const data = randomBytes(64 << 10, 2);
    const tiling = { blockHeightLog2: 0, blockDepthLog2: 0, pitch: 512 };
    const calls = (): void => {
      component.hash.crc32(data, 0);
      component.hash.xxh64(data, 0n);
      component.hash.murmur3(data, 0);
      component.hash.sarcName(data, 0x65);
      component.hash.fnv1a(data);
      component.hash.batch('xxh64', data, Uint32Array.of(1, 2, data.length), 0n);
      component.hash.batch('xxh64', data, new Uint32Array(0), 0n);
      component.hash.batch('xxh64', data, Uint32Array.of(2, 1), 0n);
      component.pixel.decode('r8', data);
      component.pixel.selectChannels(data, 0x05040302);
      component.pixel.selectChannels(data.subarray(0, 3), 0);
      component.tegra.deswizzle(data, 0, 4, 128, 128, tiling, 0, 0, 128);
      component.tegra.decodeRows('rgba8', data, 0, 128, 128, tiling, 0, 0, 128);
      component.tegra.decodeRows('rgba8', data, 0, 128, 128, tiling, 0, 128, 128);
      component.bc.decode('bc1', data, 256, 256);
      component.astc.decode('astc-8x5', data, 128, 100);
      component.astc.decode('astc-8x5', data.subarray(0, 99), 77, 13);
      component.png.filter(data, data.subarray(0, 512), 512);
      expect(thrown(() => component.zstd.dictionaryOpen(data.subarray(0, 7))).name).toBe('ComponentError');
    };
    calls();
    const size = memory.buffer.byteLength;
    for (let i = 0; i < 1000; i++) calls();
    expect(memory.buffer.byteLength).toBe(size);
  });

  it('frees the states behind its handles', () => {
    const { component, memory } = instantiateWithMemory();
    const { png, yaz0, zstd } = component;
    const chunk = new Uint8Array(0);
    const cycle = (): void => {
      const dictionary = zstd.dictionaryOpen(new Uint8Array(1000));
      const handles = [zstd.decoderOpen(1 << 20, dictionary), zstd.decoderOpen(1 << 20, 0)];
      for (const handle of handles) zstd.decoderAddDictionary(handle, dictionary);
      for (const handle of handles) zstd.decoderPush(handle, chunk, false);
      for (const handle of handles) zstd.decoderFree(handle);
      zstd.dictionaryFree(dictionary);
      const [stream, decoder] = [png.deflateOpen(), yaz0.decoderOpen()];
      yaz0.decoderPush(decoder, chunk, false);
      png.deflatePush(stream, chunk, true);
      yaz0.decoderFree(decoder);
      png.deflateFree(stream);
    };
    cycle();
    const size = memory.buffer.byteLength;
    for (let i = 0; i < 1000; i++) cycle();
    expect(memory.buffer.byteLength).toBe(size);
  });
});
