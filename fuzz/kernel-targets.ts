import { crc32, inflateSync } from 'node:zlib';
import { FORMATS, type FormatName } from '../scripts/sample/formats.ts';
import { encodeYaz0 } from '../scripts/sample/yaz0.ts';
import { writeZstd, writeZstdDictionary } from '../scripts/sample/zstd.ts';
import { decodedSize, RGBA16F_SIZE, RGBA8_SIZE, rowsSize } from '../ts/kernels/sizes.ts';
import {
  ELEMENT_SIZE,
  TEXEL_FORMATS,
  blockExtent,
  familyOf,
  type Extent,
  type Kernels,
  type TexelFormat,
} from '../ts/kernels/index.ts';
import { randomAstcBlocks } from '../test/support/astc-blocks.ts';
import { randomBlocks } from '../test/support/bc-blocks.ts';
import { swizzle, surfaceSize } from '../test/support/block-linear.ts';
import { concat } from '../test/support/concat.ts';
import { random, randomBytes } from '../test/support/random.ts';
import { fields, type Fixture, type Random } from './mutate.ts';
import { agree, Finding, outcomeOf, type Outcome } from './outcome.ts';
import { bothBackends, cut, Guarded, joinWords, splitWords, type Backends, type Target } from './target.ts';

const NOTHING = new Uint8Array(0);
const MOST_INPUT = 1 << 15;
const MOST_OUTPUT = 1 << 15;

const guardedMemory = ({ wasm, ts }: Backends): [Guarded, Guarded] => [
  new Guarded(wasm, MOST_INPUT + MOST_OUTPUT),
  new Guarded(ts, MOST_INPUT + MOST_OUTPUT),
];

/** The size of a result, or none where that is refused or too much to fuzz with: then `out` is too small for it. */
const affordable = (size: number): number => (size >= 0 && size <= MOST_OUTPUT ? size : 0);

/** Text with repeats and a little noise: what a compressor finds something in. */
export function sampleText(size: number, seed: number): Uint8Array {
  const next = random(seed);
  const words = [
    'Model',
    'Texture',
    'windmill',
    '_Alb',
    '_Nrm',
    'enabled = ',
    'true',
    '0.5',
    '\n',
    ' ',
    '\0\0\0\0\0\0\0',
  ];
  let text = '';
  while (text.length < size) text += next() % 8 ? words[next() % words.length]! : String.fromCharCode(next() % 128);
  return new TextEncoder().encode(text.slice(0, size));
}

interface PushDecoders {
  decoderPush(handle: number, chunk: Uint8Array, final: boolean): Uint8Array;
  decoderPending(handle: number): boolean;
  decoderFree(handle: number): void;
}

/** What a push decoder gives, for input in one piece without `next`; `source` says where the input lies now. */
function decode(decoders: PushDecoders, handle: number, source: () => Uint8Array, next?: Random): Outcome {
  const outcome = outcomeOf((put) => {
    for (const [from, to, final] of cut(source().length, next)) {
      put(decoders.decoderPush(handle, source().subarray(from, to), final));
      while (decoders.decoderPending(handle)) put(decoders.decoderPush(handle, NOTHING, final));
    }
  });
  decoders.decoderFree(handle);
  return outcome;
}

/** A push decoder in both backends: guarded and cut at random, in one piece, and of the twin. */
function decodeAll(
  { wasm, ts }: Backends,
  guarded: Guarded,
  input: Uint8Array,
  next: Random,
  open: (kernels: Kernels) => number,
  decoders: (kernels: Kernels) => PushDecoders,
): string {
  return agree({
    wasm: guarded.run([input], 0, next() % 16, (kernels, _, [source]) =>
      decode(decoders(kernels), open(kernels), source!, next),
    ),
    'wasm in one piece': decode(decoders(wasm), open(wasm), () => input),
    ts: decode(decoders(ts), open(ts), () => input, next),
  });
}

const WINDOW_LIMIT = 1 << 16;
const DICTIONARY_ID = 77;

/** Fields of the frames that an input consists of: those of their headers, and the block headers. */
export function zstdFields(bytes: Uint8Array): Fixture['fields'] {
  const all: Fixture['fields'][number][] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 4 < bytes.length;) {
    all.push(...fields(at, 4));
    if (view.getUint32(at, true) !== 0xfd2fb528) {
      all.push(...fields(at + 4, 4));
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    const descriptor = bytes[at + 4]!;
    const single = descriptor & 0x20;
    const sizes = [single ? 0 : 1, [0, 1, 2, 4][descriptor & 3]!, [single ? 1 : 0, 2, 4, 8][descriptor >> 6]!];
    all.push(...fields(at + 4, 1, ...sizes.filter(Boolean)));
    at += 5 + sizes.reduce((sum, size) => sum + size, 0);
    for (let last = false; !last;) {
      const header = view.getUint16(at, true) | (bytes[at + 2]! << 16);
      last = (header & 1) === 1;
      const size = ((header >> 1) & 3) === 1 ? 1 : header >> 3;
      // Block header, head of the literals, and where the sequences may begin.
      all.push(...fields(at, 1, 2, 1, 2), ...fields(at + 3 + Math.max(0, size - 8), 1, 1, 2, 4));
      at += 3 + size;
    }
    if (descriptor & 4) all.push(...fields(at, 4));
    at += descriptor & 4 ? 4 : 0;
  }
  return all;
}

export const zstdFixture = (name: string, ...frames: Uint8Array[]): Fixture => {
  const bytes = concat(...frames);
  return { name, bytes, fields: zstdFields(bytes) };
};

const dictionaryOf = (): ReturnType<typeof writeZstdDictionary> =>
  writeZstdDictionary([sampleText(300, 1), sampleText(300, 2)], DICTIONARY_ID);

const repeated = (data: Uint8Array, times: number): Uint8Array[] => Array.from({ length: times }, () => data);

/** Frames of every kind, small. */
export function zstdFixtures(): Fixture[] {
  const text = sampleText(400, 3);
  const mixed = concat(sampleText(150, 4), new Uint8Array(100), randomBytes(60, 5));
  const skippable = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
  return [
    zstdFixture('text', writeZstd(text)),
    zstdFixture('checksum', writeZstd(text, { checksum: true })),
    zstdFixture('blocks', writeZstd(concat(text, mixed), { blockSize: 120, windowLog: 10 })),
    zstdFixture('small blocks', writeZstd(mixed, { blockSize: 40, contentSize: false, checksum: true })),
    zstdFixture('four streams', writeZstd(sampleText(1400, 6), { windowLog: 11 })),
    zstdFixture('raw', writeZstd(randomBytes(50, 7))),
    zstdFixture('equal bytes', writeZstd(new Uint8Array(3000), { blockSize: 1024, checksum: true })),
    zstdFixture('empty', writeZstd(NOTHING)),
    zstdFixture('many windows', writeZstd(concat(...repeated(sampleText(950, 14), 80)), { windowLog: 10 })),
    zstdFixture('frames', skippable, writeZstd(mixed), skippable, writeZstd(text, { windowLog: 10 })),
  ];
}

function zstdDictionaryFixtures(): Fixture[] {
  const dictionary = dictionaryOf();
  const raw = sampleText(200, 1);
  const text = sampleText(300, 8);
  return [
    zstdFixture('named', writeZstd(text, { dictionary, checksum: true })),
    zstdFixture('blocks', writeZstd(text, { dictionary, blockSize: 64, windowLog: 10 })),
    zstdFixture('frames', writeZstd(text, { dictionary }), writeZstd(text)),
    zstdFixture('default', writeZstd(text, { dictionary: raw, checksum: true })),
    zstdFixture('repeats', writeZstd(sampleText(100, 1), { dictionary })),
  ];
}

const KERNEL_ZSTD: Target = {
  name: 'kernel-zstd',
  kernel: 'zstd',
  fixtures: zstdFixtures,
  open(backends) {
    const [guarded] = guardedMemory(backends);
    const open = ({ zstd }: Kernels): number => zstd.decoderOpen(WINDOW_LIMIT, 0);
    return (input, next) => decodeAll(backends, guarded, input, next, open, ({ zstd }) => zstd);
  },
};

const KERNEL_ZSTD_DICTIONARY: Target = {
  name: 'kernel-zstd-dictionary',
  kernel: 'zstd',
  fixtures: zstdDictionaryFixtures,
  open(backends) {
    const [guarded] = guardedMemory(backends);
    const { bytes } = dictionaryOf();
    const raw = sampleText(200, 1);
    const opened = new Map(
      [backends.wasm, backends.ts].map(({ backend, zstd }) => [
        backend,
        { standard: zstd.dictionaryOpen(bytes), fallback: zstd.dictionaryOpen(raw) },
      ]),
    );
    const open = ({ backend, zstd }: Kernels): number => {
      const { standard, fallback } = opened.get(backend)!;
      const handle = zstd.decoderOpen(WINDOW_LIMIT, fallback);
      zstd.decoderAddDictionary(handle, standard);
      return handle;
    };
    return (input, next) => decodeAll(backends, guarded, input, next, open, ({ zstd }) => zstd);
  },
};

/** The frame header of a window of 16 KiB without a content size, and what fills the output ring but for one block. */
const RING = { windowLog: 14, contentSize: false, header: 6, blocks: 63 };

function ringStart(): Uint8Array {
  const header = writeZstd(NOTHING, RING).subarray(0, RING.header);
  const blocks = Array.from({ length: RING.blocks }, (_, i) => {
    const block = ((2 ** RING.windowLog) << 3) | (1 << 1); // RLE
    return Uint8Array.of(block & 0xff, (block >> 8) & 0xff, block >> 16, i);
  });
  return concat(header, ...blocks);
}

/** The wasm decodes into a ring of at least 1 MiB (asm/zstd/decoder.ts): these blocks come where it starts over. */
const KERNEL_ZSTD_RING: Target = {
  name: 'kernel-zstd-ring',
  kernel: 'zstd',
  fixtures: () =>
    [100, 300, 700].map((blockSize) => {
      const data = concat(...repeated(sampleText(500, blockSize), 4));
      const { bytes, fields: all } = zstdFixture(`blocks of ${blockSize}`, writeZstd(data, { ...RING, blockSize }));
      const moved = all.map(({ offset, size }) => ({ offset: offset - RING.header, size }));
      return {
        name: `blocks of ${blockSize}`,
        bytes: bytes.subarray(RING.header),
        fields: moved.filter(({ offset }) => offset >= 0),
      };
    }),
  open(backends) {
    const [guarded] = guardedMemory(backends);
    const start = ringStart();
    const open = ({ zstd }: Kernels): number => {
      const handle = zstd.decoderOpen(WINDOW_LIMIT, 0);
      zstd.decoderPush(handle, start, false);
      return handle;
    };
    // In two ways only, since each fills the ring first.
    return (input, next) =>
      agree({
        wasm: guarded.run([input], 0, next() % 16, (kernels, _, [source]) =>
          decode(kernels.zstd, open(kernels), source!, next),
        ),
        ts: decode(backends.ts.zstd, open(backends.ts), () => input),
      });
  },
};

/** Dictionaries are mutated; the frames that are decoded with them are not. */
const KERNEL_ZSTD_PARSE: Target = {
  name: 'kernel-zstd-dictionary-parse',
  kernel: 'zstd',
  fixtures() {
    const { bytes } = dictionaryOf();
    const entropy = bytes.length - 600;
    const near = [0, 4, 8, 9, 10, entropy - 12, entropy - 8, entropy - 4];
    return [
      { name: 'standard', bytes, fields: near.flatMap((at) => fields(at, 4)) },
      { name: 'little content', bytes: bytes.subarray(0, bytes.length - 560), fields: fields(8, 1, 1, 1, 1) },
    ];
  },
  open(backends) {
    const [guarded] = guardedMemory(backends);
    const text = sampleText(200, 9);
    const frames = [
      writeZstd(text, { dictionary: dictionaryOf(), omitDictionaryId: true }),
      writeZstd(text, { dictionary: sampleText(300, 1) }),
    ];
    const use = (kernels: Kernels, source: () => Uint8Array): Outcome =>
      outcomeOf((put) => {
        const { zstd } = kernels;
        const dictionary = zstd.dictionaryOpen(source());
        const id = zstd.dictionaryId(dictionary);
        const results = frames.map((frame) => decode(zstd, zstd.decoderOpen(WINDOW_LIMIT, dictionary), () => frame));
        zstd.dictionaryFree(dictionary);
        for (const { bytes } of results) put(bytes);
        return `${id} ${results.map(({ label, detail }) => detail || label).join(', ')}`;
      });
    return (input, next) =>
      agree({
        wasm: guarded.run([input], 0, next() % 16, (kernels, _, [source]) => use(kernels, source!)),
        'wasm with a copy': use(backends.wasm, () => input),
        ts: use(backends.ts, () => input),
      });
  },
};

/** Yaz0 files with their header and some of their groups as fields. */
export function yaz0Fixtures(): Fixture[] {
  const inputs = {
    text: sampleText(500, 10),
    mixed: concat(sampleText(100, 11), new Uint8Array(700), randomBytes(40, 12)),
    short: sampleText(7, 13),
    empty: NOTHING,
  };
  return Object.entries(inputs).map(([name, data]) => {
    const bytes = encodeYaz0(data, { alignment: 0x2000 });
    const groups = Array.from({ length: 6 }, (_, i) => 16 + 9 * i).filter((at) => at + 3 < bytes.length);
    return { name, bytes, fields: [...fields(0, 4, 4, 4, 4), ...groups.flatMap((at) => fields(at, 1, 2))] };
  });
}

const KERNEL_YAZ0: Target = {
  name: 'kernel-yaz0',
  kernel: 'yaz0',
  fixtures: yaz0Fixtures,
  open(backends) {
    const [guarded] = guardedMemory(backends);
    return (input, next) =>
      decodeAll(
        backends,
        guarded,
        input,
        next,
        ({ yaz0 }) => yaz0.decoderOpen(),
        ({ yaz0 }) => yaz0,
      );
  },
};

/** Arguments of tegra kernels, in the order of the words of an input. */
interface TegraCase {
  kind: number;
  base: number;
  width: number;
  height: number;
  blockHeightLog2: number;
  blockDepthLog2: number;
  pitch: number;
  slice: number;
  rowStart: number;
  rowEnd: number;
}

const ELEMENT_SIZES = [1, 2, 4, 8, 12, 16];

/** Surfaces of `elementSize(kind)` bytes an element, `extent(kind)` texels wide, swizzled as the games have them. */
function tegraFixtures(kinds: readonly number[], size: (kind: number) => number, extent: (kind: number) => Extent) {
  const next = random(21);
  return kinds.flatMap((kind) =>
    [0, 1, 2].map((i): Fixture => {
      const [width, height] = [1 + (next() % 20), 1 + (next() % 20)];
      const block = extent(kind);
      const [columns, rows] = [Math.ceil(width / block.width), Math.ceil(height / block.height)];
      const tiling = { blockHeightLog2: next() % 3, blockDepthLog2: next() % 2, pitch: 0 };
      const rowSize = columns * size(kind);
      const depth = 1 << tiling.blockDepthLog2;
      let data: Uint8Array = randomBytes(rowSize * rows * depth, kind + 1);
      if (i === 2) tiling.pitch = rowSize;
      else data = swizzle(data, rowSize, rows, depth, tiling).subarray(0, surfaceSize(rowSize, rows, depth, tiling));
      const { blockHeightLog2, blockDepthLog2, pitch } = tiling;
      const words = [kind, 0, width, height, blockHeightLog2, blockDepthLog2, pitch, depth - 1, 0, rows];
      return joinWords(`${kind} ${width}x${height}`, words, data);
    }),
  );
}

function tegraCase(input: Uint8Array): { data: Uint8Array; args: TegraCase } {
  const { words, rest } = splitWords(input, 10);
  const [kind, base, width, height, blockHeightLog2, blockDepthLog2, pitch, slice, rowStart, rowEnd] = words as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const args = { kind, base, width, height, blockHeightLog2, blockDepthLog2, pitch, slice, rowStart, rowEnd };
  return { data: rest, args };
}

const DESWIZZLE: Target = {
  name: 'kernel-deswizzle',
  kernel: 'tegra',
  fixtures: () =>
    tegraFixtures(
      ELEMENT_SIZES,
      (size) => size,
      () => ({ width: 1, height: 1 }),
    ),
  open(backends) {
    const guarded = guardedMemory(backends);
    return (input, next) => {
      const { data, args } = tegraCase(input);
      const { kind, base, width, height, slice, rowStart, rowEnd } = args;
      const size = affordable(rowsSize(kind, width, height, rowStart, rowEnd));
      return agree(
        bothBackends(guarded, [data], size, next, ({ tegra }, [source], out) =>
          tegra.deswizzle(source!, base, kind, width, height, args, slice, rowStart, rowEnd, out),
        ),
      );
    };
  },
};

const formatOf = (kind: number): TexelFormat => TEXEL_FORMATS[kind % TEXEL_FORMATS.length]!;
const extentOf = (kind: number): Extent => blockExtent(formatOf(kind));

const DECODE_ROWS: Target = {
  name: 'kernel-decode-rows',
  kernel: 'tegra',
  fixtures: () => tegraFixtures([...TEXEL_FORMATS.keys()], (kind) => ELEMENT_SIZE[formatOf(kind)], extentOf),
  open(backends) {
    const guarded = guardedMemory(backends);
    return (input, next) => {
      const { data, args } = tegraCase(input);
      const { kind, base, width, height, slice, rowStart, rowEnd } = args;
      const format = formatOf(kind);
      const sizeOf = (texel: number): number => affordable(decodedSize(texel, format, width, height, rowStart, rowEnd));
      const bytes = bothBackends(guarded, [data], sizeOf(RGBA8_SIZE), next, ({ tegra }, [source], out) =>
        tegra.decodeRows(format, source!, base, width, height, args, slice, rowStart, rowEnd, out),
      );
      const halves = bothBackends(guarded, [data], sizeOf(RGBA16F_SIZE), next, ({ tegra }, [source], out) =>
        tegra.decodeRowsHalf(format, source!, base, width, height, args, slice, rowStart, rowEnd, out),
      );
      return `${agree(bytes)}, ${agree(halves)}`;
    };
  },
};

/** What the sample's encoders call the formats of the kernels. */
const SAMPLE_FORMATS: Partial<Record<TexelFormat, FormatName>> = {
  bc1: 'BC1_UNORM',
  bc2: 'BC2_UNORM',
  bc3: 'BC3_UNORM',
  'bc4-unorm': 'BC4_UNORM',
  'bc4-snorm': 'BC4_SNORM',
  'bc5-unorm': 'BC5_UNORM',
  'bc5-snorm': 'BC5_SNORM',
  bc7: 'BC7_UNORM',
  'bc6h-uf16': 'BC6_UFLOAT',
  'bc6h-sf16': 'BC6_FLOAT',
};

function bcTarget(format: TexelFormat): Target {
  return {
    name: `kernel-${format}`,
    kernel: format,
    fixtures() {
      const sizes = [
        [4, 4],
        [13, 9],
        [16, 5],
        [1, 1],
      ] as const;
      const next = random(31);
      return sizes.flatMap(([width, height]): Fixture[] => {
        const picture = {
          width,
          height,
          rgba: randomBytes(4 * width * height, width).map((v) => (next() % 4 ? v : 255)),
        };
        const encoded = FORMATS[SAMPLE_FORMATS[format]!].encode(picture);
        const count = Math.ceil(width / 4) * Math.ceil(height / 4);
        return [
          joinWords(`encoded ${width}x${height}`, [width, height], encoded),
          joinWords(`random ${width}x${height}`, [width, height], randomBlocks(format, count, width)),
        ];
      });
    },
    open(backends) {
      const guarded = guardedMemory(backends);
      return (input, next) => {
        const { words, rest } = splitWords(input, 2);
        const [width, height] = words as [number, number];
        const texels = width * height;
        const bytes = bothBackends(guarded, [rest], affordable(4 * texels), next, ({ bc }, [blocks], out) =>
          bc.decode(format, blocks!, width, height, out),
        );
        const halves = bothBackends(guarded, [rest], affordable(8 * texels), next, ({ bc }, [blocks], out) =>
          bc.decodeHalf(format, blocks!, width, height, out),
        );
        return `${agree(bytes)}, ${agree(halves)}`;
      };
    },
  };
}

const ASTC_FORMATS = TEXEL_FORMATS.filter((format) => familyOf(format) === 'astc');

const ASTC: Target = {
  name: 'kernel-astc',
  kernel: 'astc',
  fixtures: () =>
    ASTC_FORMATS.flatMap((format, kind) => {
      const { width, height } = blockExtent(format);
      return [
        joinWords(`${format} 3x2 blocks`, [kind, 3 * width, 2 * height], randomAstcBlocks(6, kind)),
        joinWords(`${format} partial`, [kind, width + 1, height - 1], randomAstcBlocks(2, kind + 50)),
      ];
    }),
  open(backends) {
    const guarded = guardedMemory(backends);
    return (input, next) => {
      const { words, rest } = splitWords(input, 3);
      const [kind, width, height] = words as [number, number, number];
      const format = ASTC_FORMATS[kind % ASTC_FORMATS.length]!;
      const size = affordable(4 * width * height);
      return agree(
        bothBackends(guarded, [rest], size, next, ({ astc }, [blocks], out) =>
          astc.decode(format, blocks!, width, height, out),
        ),
      );
    };
  },
};

const PLAIN_FORMATS = TEXEL_FORMATS.filter((format) => familyOf(format) === 'pixel');
const IDENTITY = 0x05040302;

const PIXEL: Target = {
  name: 'kernel-pixel',
  kernel: 'pixel',
  fixtures: () =>
    PLAIN_FORMATS.flatMap((_, kind) =>
      [IDENTITY, 0x02010000, 0x05020304].map((sources) =>
        joinWords(`${kind} ${sources}`, [kind, sources], randomBytes(60 + kind, kind)),
      ),
    ),
  open(backends) {
    const guarded = guardedMemory(backends);
    return (input, next) => {
      const { words, rest } = splitWords(input, 2);
      const [kind, sources] = words as [number, number];
      const format = PLAIN_FORMATS[kind % PLAIN_FORMATS.length]!;
      const count = Math.floor(rest.length / ELEMENT_SIZE[format]);
      const bytes = bothBackends(guarded, [rest], affordable(4 * count), next, ({ pixel }, [texels], out) =>
        pixel.decode(format, texels!, out),
      );
      const halves = bothBackends(guarded, [rest], affordable(8 * count), next, ({ pixel }, [texels], out) =>
        pixel.decodeHalf(format, texels!, out),
      );
      for (const [select, padding] of [
        ['selectChannels', rest.length % 4],
        ['selectChannelsHalf', rest.length % 8],
      ] as const) {
        const selected = bothBackends(guarded, [rest], rest.length - padding, next, ({ pixel }, [texels], out) =>
          pixel[select](texels!, sources, out),
        );
        // The channels are also selected in place, where the padding of the last texel is to stay.
        const inPlace = bothBackends(guarded, [], rest.length, next, ({ pixel }, _, out) => {
          out.set(rest);
          pixel[select](out, sources, out);
          return out;
        });
        const expected = concat(selected['ts']!.bytes, rest.subarray(rest.length - padding));
        agree({ ...inPlace, 'not in place': { label: 'ok', detail: '', bytes: expected } });
        agree(selected);
      }
      return `${agree(bytes)}, ${agree(halves)}`;
    };
  },
};

const PNG_FILTER: Target = {
  name: 'kernel-png-filter',
  kernel: 'png',
  fixtures: () =>
    [
      [1, 5, 0],
      [7, 4, 1],
      [16, 3, 0],
      [33, 2, 1],
      [20, 0, 0],
    ].map(([width, rows, previous]) => {
      const smooth = randomBytes(4 * width! * (rows! + previous!), width!).map((v, i) => (v >> 6) + i);
      return joinWords(`${width}x${rows}`, [4 * width!, previous!], smooth);
    }),
  open(backends) {
    const guarded = guardedMemory(backends);
    return (input, next) => {
      const { words, rest } = splitWords(input, 2);
      const [rowSize, previous] = words as [number, number];
      const above = rest.subarray(0, previous % 2 ? rowSize : 0);
      const given = rest.subarray(above.length);
      // Three of four times a last row that is not whole is left out, or nearly all mutations would be refused.
      const rows = next() % 4 && rowSize ? given.subarray(0, given.length - (given.length % rowSize)) : given;
      const size = affordable(rows.length + Math.ceil(rows.length / Math.max(rowSize, 1)));
      return agree(
        bothBackends(guarded, [rows, above], size, next, ({ png }, [data, row], out) =>
          png.filter(data!, row!, rowSize, out),
        ),
      );
    };
  },
};

/** Compresses input that is cut at random. */
function deflate({ png }: Kernels, source: () => Uint8Array, next: Random): Outcome {
  const handle = png.deflateOpen();
  const outcome = outcomeOf((put) => {
    for (const [from, to, final] of cut(source().length, next)) {
      put(png.deflatePush(handle, source().subarray(from, to), final));
    }
  });
  png.deflateFree(handle);
  return outcome;
}

const DEFLATE: Target = {
  name: 'kernel-deflate',
  kernel: 'png',
  fixtures: () => [
    { name: 'text', bytes: sampleText(700, 41), fields: [] },
    { name: 'zeros', bytes: new Uint8Array(600), fields: [] },
    { name: 'noise', bytes: randomBytes(200, 42), fields: [] },
    { name: 'bits', bytes: randomBytes(300, 43).map((v) => v & 3), fields: [] },
    { name: 'ramp', bytes: Uint8Array.from({ length: 400 }, (_, i) => (i * i) >> 6), fields: [] },
    { name: 'empty', bytes: NOTHING, fields: [] },
  ],
  open(backends) {
    const [guarded] = guardedMemory(backends);
    return (input, next) => {
      const outcomes = {
        wasm: guarded.run([input], 0, next() % 16, (kernels, _, [source]) => deflate(kernels, source!, next)),
        ts: deflate(backends.ts, () => input, next),
      };
      const label = agree(outcomes);
      if (Buffer.compare(inflateSync(outcomes.wasm.bytes), input)) throw new Finding('zlib inflates to other bytes');
      return label;
    };
  },
};

/** Continues a checksum over two parts, in guarded memory. */
const CRC32: Target = {
  name: 'kernel-crc32',
  kernel: 'crc32',
  fixtures: () => [0, 1, 15, 64, 200].map((size) => joinWords(`${size}`, [0], randomBytes(size, size))),
  open(backends) {
    const guarded = guardedMemory(backends);
    return (input, next) => {
      const { words, rest } = splitWords(input, 1);
      const seed = words[0]!;
      const at = next() % (rest.length + 1);
      const outcomes = bothBackends(guarded, [rest], 4, next, ({ hash }, [data], out) => {
        const whole = hash.crc32(data!, seed);
        const parts = hash.crc32(data!.subarray(at), hash.crc32(data!.subarray(0, at), seed));
        if (parts !== whole) throw new Finding(`crc32 of parts is ${parts}, of all ${whole}`);
        new DataView(out.buffer, out.byteOffset).setUint32(0, whole);
        return out;
      });
      const expected = new Uint8Array(4);
      new DataView(expected.buffer).setUint32(0, crc32(rest, seed));
      return agree({ ...outcomes, zlib: { label: 'ok', detail: '', bytes: expected } });
    };
  },
};

const XXH64: Target = {
  name: 'kernel-xxh64',
  kernel: 'xxh64',
  fixtures: () => [0, 3, 7, 31, 32, 100, 257].map((size) => joinWords(`${size}`, [0, 0], randomBytes(size, size))),
  open(backends) {
    const guarded = guardedMemory(backends);
    return (input, next) => {
      const { words, rest } = splitWords(input, 2);
      const seed = (BigInt(words[1]!) << 32n) | BigInt(words[0]!);
      return agree(
        bothBackends(guarded, [rest], 8, next, ({ hash }, [data], out) => {
          new DataView(out.buffer, out.byteOffset).setBigUint64(0, hash.xxh64(data!, seed));
          return out;
        }),
      );
    };
  },
};

/** Every kernel. */
export const KERNEL_TARGETS: readonly Target[] = [
  KERNEL_ZSTD,
  KERNEL_ZSTD_RING,
  KERNEL_ZSTD_DICTIONARY,
  KERNEL_ZSTD_PARSE,
  KERNEL_YAZ0,
  DESWIZZLE,
  DECODE_ROWS,
  ...TEXEL_FORMATS.filter((format) => familyOf(format) === 'bc').map(bcTarget),
  ASTC,
  PIXEL,
  PNG_FILTER,
  DEFLATE,
  CRC32,
  XXH64,
];
