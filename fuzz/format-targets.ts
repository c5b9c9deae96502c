import { sampleFont, writeBffnt } from '../scripts/sample/bffnt.ts';
import { writeBfres } from '../scripts/sample/bfres.ts';
import { concatenated, prefixed, writeBntx, type BntxFile } from '../scripts/sample/bntx.ts';
import type { FormatName } from '../scripts/sample/formats.ts';
import { writeSarc, type SarcOptions } from '../scripts/sample/sarc.ts';
import { makeTexture, type SampleTexture } from '../scripts/sample/surfaces.ts';
import { writeTxtg } from '../scripts/sample/txtg.ts';
import { writeZstd, writeZstdDictionary } from '../scripts/sample/zstd.ts';
import { FILE_TYPES } from '../ts/formats/filetypes.ts';
import {
  createYaz0Decoder,
  createZstdDecoder,
  entryName,
  inDataOrder,
  openEmbedded,
  readBffnt,
  readBfres,
  readBntx,
  readSarc,
  readTxtg,
  recognize,
  SarcSplitter,
  yaz0,
  zstd,
  ZstdDictionaries,
  type PushDecoder,
} from '../ts/formats/index.ts';
import { BufferSource, SubSource, type Source } from '../ts/io/source.ts';
import type { Kernels } from '../ts/kernels/index.ts';
import { decodeSurface } from '../ts/textures/surface.ts';
import { readTextures } from '../ts/textures/texture-files.ts';
import { concat } from '../test/support/concat.ts';
import { randomBytes } from '../test/support/random.ts';
import { sampleText, yaz0Fixtures, zstdFixture, zstdFixtures } from './kernel-targets.ts';
import { fields, type Field, type Fixture, type Random } from './mutate.ts';
import { agree, Finding, outcomeOf, type Outcome } from './outcome.ts';
import { cut, type Target } from './target.ts';

const PATH = 'fuzzed';

/** Any structure as text; the same structures give the same. */
const asText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    return inner instanceof Uint8Array ? Buffer.from(inner).toString('hex') : inner;
  });

/** The input alone, and as a part of something larger: what is read must not depend on what lies around it. */
function sources(input: Uint8Array): { alone: Source; inside: Source } {
  const around = new Uint8Array(input.length + 200).fill(0xff);
  around.set(input, 100);
  return {
    alone: new BufferSource(PATH, input),
    inside: new SubSource(new BufferSource('around', around), PATH, 100, input.length),
  };
}

function find(bytes: Uint8Array, text: string): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(text, 0, 'latin1');
}

const u64 = (bytes: Uint8Array, at: number): number =>
  Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at, true));

const HEADER_FIELDS = fields(0x00, 4, 4, 1, 1, 2, 2, 1, 1, 4, 2, 2, 4, 4);

/** Small textures of some formats and shapes. */
export function tinyBntx(format: FormatName, options: TinyOptions = {}, more: Partial<BntxFile> = {}): Uint8Array {
  return writeBntx({ name: 'file', version: [4, 1, 0], textures: [tinyTexture(format, options)], ...more });
}

interface TinyOptions {
  width?: number;
  height?: number;
  layers?: number;
  deep?: boolean;
  linear?: boolean;
  mips?: number;
}

function tinyTexture(format: FormatName, options: TinyOptions): SampleTexture {
  const { width = 8, height = 4, layers = 1, deep = false, linear = false, mips = 1 } = options;
  const pictures = Array.from({ length: layers }, (_, i) => ({
    width,
    height,
    rgba: randomBytes(4 * width * height, i),
  }));
  const dimension = deep ? '3d' : layers > 1 ? '2d-array' : '2d';
  return makeTexture({
    name: 'T_Alb',
    format,
    dimension,
    mips,
    pictures,
    channels: '1ABR',
    ...(linear && { tileMode: 'linear' as const }),
    userData: [
      { name: 'int', type: 'int', values: [1, -2] },
      { name: 'text', type: 'string', values: ['a', 'bc'] },
      { name: 'bytes', type: 'byte', values: [1, 2, 3] },
    ],
  });
}

function bntxFields(bytes: Uint8Array, base = 0): Field[] {
  const brti = find(bytes, 'BRTI') - base;
  const userData = u64(bytes, base + brti + 0x78);
  const dictionary = u64(bytes, base + brti + 0x98);
  const all = [
    ...HEADER_FIELDS,
    ...fields(0x20, 4, 4, 8, 8, 8),
    ...fields(0x198, 8),
    ...fields(brti, 4, 4, 4, 4, 1, 1, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4),
    ...fields(brti + 0x50, 4, 4, 1, 1, 1, 1, 1, 3),
    ...fields(brti + 0x60, 8, 8, 8, 8, 8, 8, 8, 8),
    ...fields(brti + 0x2a0, 8, 8),
    ...fields(userData, 8, 8, 4, 1),
    ...fields(userData + 0x40, 8, 8, 4, 1),
    ...fields(dictionary, 4, 4, 4, 2, 2, 8),
  ];
  return all.map(({ offset, size }) => ({ offset: base + offset, size }));
}

const bntxFixture = (name: string, bytes: Uint8Array, base = 0): Fixture => ({
  name,
  bytes,
  fields: bntxFields(bytes, base),
});

/** Texels of an input that are decoded; the rest costs time and finds nothing new. */
const MOST_TEXELS = 2048;
const MOST_SURFACES = 8;

/** Decodes the first surfaces of every texture. What is not decoded is left out in both backends. */
function decodeTextures(id: 'bntx' | 'txtg', kernels: Kernels, source: Source): Outcome {
  return outcomeOf((put) => {
    const textures = [...readTextures(id, source, { kernels })];
    const texts = [asText(id === 'bntx' ? readBntx(source) : readTxtg(source))];
    let texels = 0;
    for (const texture of textures.slice(0, 6)) {
      const decoded = outcomeOf(() => {
        let surfaces = 0;
        for (const surface of texture.surfaces()) {
          if (++surfaces > MOST_SURFACES) return;
          const { width, height } = surface.layout;
          texels += width * height;
          if (texels > MOST_TEXELS) return;
          for (const band of decodeSurface(kernels, surface)) put(band.bytes);
        }
      });
      texts.push(decoded.detail);
    }
    return texts.join('\n');
  });
}

const BNTX: Target = {
  name: 'format-bntx',
  format: 'bntx',
  fixtures() {
    const plain = tinyBntx('R8G8B8A8_UNORM');
    return [
      bntxFixture('rgba', plain),
      bntxFixture('bc1, mips', tinyBntx('BC1_SRGB', { width: 12, height: 9, mips: 4 })),
      bntxFixture('bc7, layers', tinyBntx('BC7_UNORM', { width: 5, height: 5, layers: 2 })),
      bntxFixture('3d', tinyBntx('R8_UNORM', { layers: 3, deep: true, mips: 2 })),
      bntxFixture('linear', tinyBntx('R8G8_UNORM', { linear: true })),
      bntxFixture('bc5', tinyBntx('BC5_SNORM')),
      bntxFixture('prefixed', prefixed(plain), 0x50),
      bntxFixture('two', concatenated([plain, tinyBntx('BC4_UNORM')])),
    ];
  },
  open({ wasm, ts }) {
    return (input) => {
      const { alone, inside } = sources(input);
      return agree({ wasm: decodeTextures('bntx', wasm, alone), ts: decodeTextures('bntx', ts, inside) });
    };
  },
};

function txtgFixture(name: string, options: Parameters<typeof tinyTexture>[1]): Fixture {
  const bytes = writeTxtg(tinyTexture('BC1_SRGB', options), { mipsFirst: options.layers === 2 });
  const count = bytes[0xc]! * bytes[0xe]!;
  const tables = Array.from({ length: count }, (_, i) => [
    ...fields(0x50 + 4 * i, 2, 1, 1),
    ...fields(0x50 + 4 * count + 8 * i, 4, 4),
  ]);
  const header = [
    ...fields(0, 2, 2, 4, 2, 2, 2, 1, 1, 1),
    ...fields(0x13, 1, 4, 1, 1, 1, 1),
    ...fields(0x3c, 2, 2, 4, 4),
  ];
  return { name, bytes, fields: [...header, ...tables.flat()] };
}

const TXTG: Target = {
  name: 'format-txtg',
  format: 'txtg',
  fixtures: () => [
    txtgFixture('mips', { width: 20, height: 9, mips: 5 }),
    txtgFixture('layers', { width: 5, height: 5, layers: 2, mips: 2 }),
  ],
  open({ wasm, ts }) {
    return (input) => {
      const { alone, inside } = sources(input);
      return agree({ wasm: decodeTextures('txtg', wasm, alone), ts: decodeTextures('txtg', ts, inside) });
    };
  },
};

/** Reads the structure from both kinds of sources; what it holds is opened, too. */
function readerCheck(read: (source: Source) => string): (input: Uint8Array) => string {
  return (input) => {
    const { alone, inside } = sources(input);
    return agree({ alone: outcomeOf(() => read(alone)), inside: outcomeOf(() => read(inside)) });
  };
}

const BFRES: Target = {
  name: 'format-bfres',
  format: 'bfres',
  fixtures: () =>
    ([5, 8, 9, 10] as const).map((major): Fixture => {
      const files = [
        { name: 'textures.bntx', data: sampleText(30, 1) },
        { name: 'a.txt', data: sampleText(5, 2) },
      ];
      const bytes = writeBfres({ name: 'model', version: [major, 0, 0], files });
      const wide = major >= 9;
      const array = u64(bytes, wide ? 0xb8 : 0x98);
      const dictionary = u64(bytes, wide ? 0xc0 : 0xa0);
      const all = [
        ...HEADER_FIELDS,
        ...fields(wide ? 0xb8 : 0x98, 8, 8),
        ...fields(wide ? 0xec : 0xc8, 2, 1),
        ...fields(array, 8, 4, 4, 8, 4, 4),
        ...fields(dictionary, 4, 4, 4, 2, 2, 8, 4, 2, 2, 8, 4, 2, 2, 8),
        ...fields(find(bytes, '_STR'), 4, 4, 8, 4, 2, 2, 2),
      ];
      return { name: `version ${major}`, bytes, fields: [...all, ...all.slice(HEADER_FIELDS.length)] };
    }),
  open: () =>
    readerCheck((source) => {
      const bfres = readBfres(source);
      const opened = bfres.embeddedFiles.map((file) => outcomeOf(() => `${openEmbedded(source, file, 'f', 'F').size}`));
      return asText([bfres, opened.map(({ detail }) => detail)]);
    }),
};

const BFFNT: Target = {
  name: 'format-bffnt',
  format: 'bffnt',
  fixtures() {
    const bytes = writeBffnt(sampleFont());
    const sections = ['FINF', 'TGLP', 'CWDH', 'CMAP'].map((magic) => find(bytes, magic));
    const all = [
      ...fields(0x00, 4, 2, 2, 4, 4, 2),
      ...sections.flatMap((at) => fields(at, 4, 4)),
      ...fields(sections[1]! + 8, 1, 1, 1, 1, 4, 2, 2, 2, 2, 2, 2, 4),
    ];
    return [{ name: 'font', bytes, fields: all }];
  },
  open: () =>
    readerCheck((source) => {
      const bffnt = readBffnt(source);
      const { sheets } = bffnt;
      const opened = sheets && outcomeOf(() => `${openEmbedded(source, sheets, 'f', 'F').size}`).detail;
      return asText([bffnt, opened]);
    }),
};

/** Pieces of an archive that comes in chunks, or in one: a line per entry, and its bytes. */
function splitSarc(input: Uint8Array, next?: Random): Outcome {
  return outcomeOf((put) => {
    const splitter = new SarcSplitter({ path: PATH });
    const entries: string[] = [];
    let size = 0;
    for (const [from, to, final] of cut(input.length, next)) {
      // A copy, which is worthless after the push: pieces must not be looked at later.
      const chunk = input.slice(from, to);
      for (const { entry, data, last } of splitter.push(chunk, final)) {
        put(data);
        size += data.length;
        if (!last) continue;
        if (size !== entry.size) throw new Finding(`${size} bytes of an entry of ${entry.size}`);
        entries.push(`${entryName(entry)} ${entry.offset} ${entry.size}`);
        size = 0;
      }
      chunk.fill(0xee);
    }
    return entries.join('\n');
  });
}

/** The same by random access. */
function openSarc(source: Source): Outcome {
  return outcomeOf((put) =>
    inDataOrder(readSarc(source).entries)
      .map((entry) => {
        const file = openEmbedded(source, { ...entry, name: '' }, 'entry', 'SARC');
        put(file.read(0, file.size));
        return `${entryName(entry)} ${entry.offset} ${entry.size}`;
      })
      .join('\n'),
  );
}

function sarcFixture(name: string, options: SarcOptions, names: readonly string[]): Fixture {
  const files = names.map((file, i) => ({ name: file, data: sampleText(11 * i, i) }));
  const bytes = writeSarc(files, options);
  const entries = names.flatMap((_, i) => fields(0x20 + 16 * i, 4, 3, 1, 4, 4));
  const all = [...fields(0, 4, 2, 2, 4, 4, 2, 2, 4, 2, 2, 4), ...entries, ...fields(0x20 + 16 * names.length, 4, 2, 2)];
  return { name, bytes, fields: all };
}

const SARC: Target = {
  name: 'format-sarc',
  format: 'sarc',
  fixtures: () => [
    sarcFixture('names', { alignment: 16 }, ['a.bin', 'dir/b.bntx', 'dir/c', 'd']),
    sarcFixture('big endian', { bigEndian: true }, ['x', 'y.txt', 'z']),
    sarcFixture('hashes', { hashOnly: true, dataOrder: 'given' }, ['1', '2', '3', '4', '5']),
    sarcFixture('empty', {}, []),
  ],
  open: () => (input, next) => {
    const pieces = { whole: splitSarc(input), chunks: splitSarc(input, next) };
    const label = agree(pieces);
    const { alone, inside } = sources(input);
    const byAccess = { alone: openSarc(alone), inside: openSarc(inside) };
    agree(byAccess);
    // Where something is missing, random access says which entry and the splitter where the end came.
    if ((byAccess.alone.label === 'ok') !== (label === 'ok')) {
      throw new Finding(`random access gives ${byAccess.alone.detail}, the splitter ${pieces.whole.detail}`);
    }
    if (label === 'ok') agree({ 'random access': byAccess.alone, splitter: pieces.whole });
    return label;
  },
};

/** What a push decoder of the formats gives for chunks, after what its header says. */
function pushAll(open: () => PushDecoder, header: () => string, input: Uint8Array, next: Random): Outcome {
  return outcomeOf((put) => {
    const decoder = open();
    try {
      for (const [from, to, final] of cut(input.length, next)) {
        const chunk = input.slice(from, to);
        for (const output of decoder.push(chunk, final)) put(output);
        chunk.fill(0xee);
      }
    } finally {
      decoder.free();
    }
    return header();
  });
}

const YAZ0: Target = {
  name: 'format-yaz0',
  format: 'yaz0',
  fixtures: yaz0Fixtures,
  open:
    ({ wasm, ts }) =>
    (input, next) => {
      const header = (): string => asText(yaz0.read(new BufferSource(PATH, input)));
      return agree({
        wasm: pushAll(() => createYaz0Decoder(wasm, PATH), header, input, next),
        ts: pushAll(() => createYaz0Decoder(ts, PATH), header, input, next),
      });
    },
};

const ZSTD: Target = {
  name: 'format-zstd',
  format: 'zstd',
  fixtures() {
    const dictionary = writeZstdDictionary([sampleText(300, 1), sampleText(300, 2)], 77);
    return [...zstdFixtures(), zstdFixture('dictionary', writeZstd(sampleText(300, 8), { dictionary }))];
  },
  open({ wasm, ts }) {
    const dictionaries = new ZstdDictionaries();
    const { bytes } = writeZstdDictionary([sampleText(300, 1), sampleText(300, 2)], 77);
    dictionaries.add(wasm, 'dictionary', bytes);
    const options = { path: PATH, dictionaries, windowLimit: 1 << 16 };
    return (input, next) => {
      const header = (): string => asText(zstd.read(new BufferSource(PATH, input)));
      return agree({
        wasm: pushAll(() => createZstdDecoder(wasm, options), header, input, next),
        ts: pushAll(() => createZstdDecoder(ts, options), header, input, next),
      });
    };
  },
};

/** A file of every type that has a magic, with noise behind it, and some that are whole. */
function recognizeFixtures(): Fixture[] {
  const magics = FILE_TYPES.flatMap(({ id, magic, at = 0, start = 0, footer = 0 }, i): Fixture[] => {
    if (magic === undefined) return [];
    const size = 96 + start + at;
    const bytes = i % 3 ? new Uint8Array(size) : randomBytes(size, i);
    const place = footer ? size - footer : start + at;
    bytes.set(typeof magic === 'string' ? new TextEncoder().encode(magic) : magic, place);
    return [
      { name: id, bytes, fields: fields(place, 4, 2, 2, 4, 4, 4, 1, 1, 2, 4, 4, 4).filter((f) => f.offset < size) },
    ];
  });
  const whole = [
    ['text', sampleText(200, 51)],
    ['zlib', Uint8Array.of(0x78, 0x9c, 0x4b, 0x4c, 0x4a, 0x06, 0x00, 0x02, 0x4d, 0x01, 0x27)],
    ['empty', new Uint8Array(0)],
  ] as const;
  return [...magics, ...whole.map(([name, bytes]) => ({ name, bytes, fields: [] }))];
}

const EXTENSIONS = [...new Set(FILE_TYPES.flatMap(({ extensions = [] }) => extensions)), 'zs', 'sbfres', ''];

const RECOGNIZE: Target = {
  name: 'format-recognize',
  format: 'recognize',
  fixtures: recognizeFixtures,
  open: () => (input, next) => {
    const name = `file.${EXTENSIONS[next() % EXTENSIONS.length]}`;
    // The tail of a large file comes on its own, and the view may lie anywhere.
    const large = next() % 8 === 0;
    const bytes = large ? concat(input, new Uint8Array(4096), input.subarray(-0x40)) : input;
    const options = { name, size: bytes.length };
    const moved = concat(Uint8Array.of(1, 2, 3), bytes);
    const tail = bytes.slice(-0x40);
    const whole = recognize(bytes, options);
    const label = agree({
      whole: outcomeOf(() => asText(whole)),
      'head and tail': outcomeOf(() => asText(recognize(moved.subarray(3, 3 + 4096), { ...options, tail }))),
    });
    return `${label} ${whole.id}`;
  },
};

/** Every format. */
export const FORMAT_TARGETS: readonly Target[] = [SARC, BNTX, TXTG, BFRES, BFFNT, ZSTD, YAZ0, RECOGNIZE];
