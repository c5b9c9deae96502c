import type { Vector, WitKernels } from './vectors.ts';

export const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Options {
  windowLimit?: number;
  /** Added to the decoder. */
  dictionary?: Uint8Array;
  /** For frames without an id. */
  defaultDictionary?: Uint8Array;
  /** Bytes a push; default all. */
  chunk?: number;
}

/** What a frame decodes to; `code @offset expected found` when it is refused. */
function decode(k: WitKernels, input: Uint8Array, options: Options = {}): Uint8Array | string {
  const { windowLimit = 8 << 20, dictionary, defaultDictionary, chunk = input.length || 1 } = options;
  const opened: number[] = [];
  const open = (data: Uint8Array): number => opened[opened.push(k.zstd.dictionaryOpen(data)) - 1]!;
  return reported(() => {
    const decoder = k.zstd.decoderOpen(windowLimit, defaultDictionary ? open(defaultDictionary) : 0);
    try {
      if (dictionary) k.zstd.decoderAddDictionary(decoder, open(dictionary));
      const output: number[] = [];
      let at = 0;
      do {
        const final = at + chunk >= input.length;
        output.push(...k.zstd.decoderPush(decoder, input.subarray(at, at + chunk), final));
        while (k.zstd.decoderPending(decoder)) output.push(...k.zstd.decoderPush(decoder, new Uint8Array(0), final));
        at += chunk;
      } while (at < input.length);
      return Uint8Array.from(output);
    } finally {
      k.zstd.decoderFree(decoder);
      for (const handle of opened) k.zstd.dictionaryFree(handle);
    }
  });
}

function reported<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    const { payload } = error as { payload?: { code: string; offset: bigint; expected: number; found: number } };
    if (!payload) throw error;
    return `${payload.code} @${payload.offset} ${payload.expected} ${payload.found}`;
  }
}

const SQUARES = Array.from({ length: 300 }, (_, i) => `${i * i} `).join('');

// zstd -19 of SQUARES: Huffman-coded literals in four streams, FSE tables in the block, a checksum.
export const SQUARES_FRAME = hex(
  '28b52ffd0468ad16006a67400b09b079a434b6db189d0aae00ad00b200239506401a5b337b667599bd6226edec02b322fadcf978' +
    'f900fcd1fd4cf0554bf61999f4b28f65d5909928a34106501e3f9e7bafc8de253c69bd1778f58ad914632706f018c9313f62e5c6' +
    '1e8c4921765657409d613ac23b00e908ee0cd115b43bd949a17b145726ce1f8e740ee01c2b9c6dae1edcab9cb4dc855c11702e70' +
    '7c0da046d34cb3eaecf349bf8fac2a3379b407e0f1313756d45d3a69f7e2ea9ccdb11c00479abff21e93ee5ccde320efd8920ee0' +
    'd2912a9d5feeca77f708775270774e74058ecec0e808d40e40da11dace50ec0aceee0c765260f718e8ca86ce2774242a0ee0c5b1' +
    '519c0dc5d587b897899396b84b0d57f4e15c0fc77338803a47ff9c29ce5579ee43c2492fdc2784ab52381399a36f0ec0e6789a73' +
    '2bb8a207777170d206f7aa72f529674b3936ca01b01c89c8f9275736b947c94981dc49c0151c38838123143800008e4035c36b05' +
    'ae9dad49a1f6205af934df142103a8ca6857662acaaa42d90728931e641f82ac3ae5995a1e4de401983cbec67365bc2218eff27b' +
    'd2de7b8d78f510cf2e7bacd803a03dd2c3f31b5e99ea3d5c4f0af5ced32b283d038147307800001ee11533b4620544b1d3149302' +
    'c51e9f58b913f3e931921f03e063ec48cc0e89d5cbb1973826ad63178a589123e63262fc3406e0c66868cc74c6aac1d8a720263d' +
    'c43e8558b5aa33497574ab0328ea78a1ce2d754534dd45a69376ba17bdabcb3bbb0123b86806225a4189767e685218dac3a79549' +
    '687e8546ba6900348d95a0d9555a3d4a7b0d69d2927639d08a0068aed48c2f9a01986634cdccd49955e7b30f3f935e661f905955' +
    '3c3355cc68c70ca03ae3a33397382b2a67978199b4307bbdbe3aebb34f1f4bfa003e1f09e6f3e55f19fe3d443e29c8778abf02f0' +
    '6790f808101f80f423403f83f02b007ea7c02705f81e52b23294cc1792918064001f19cb91d9bfaccecb5e1799b422bb8c6545b5' +
    'cca590f11100d169ae76',
);

// zstd --train --maxdict=256 --dictID=4660 of 200 lines like DOCUMENT.
export const DICTIONARY = hex(
  '37a430ec341200001e10d84b390cc3300c83250e93824952525252c194abddddddd9dddddddd5af30400000055c66c0300000400' +
    '80008016420e006a9a3e0e02a9990b9d010000030000000080880c00000000004467487505060000000000000000000000000001' +
    '000000040000000800000020226e6f64652036222c202276616c7565223a20343838382c2022706172656e74223a20226e6f6465' +
    '2033222c202273697a3138222c202276616c7565223a20373033302c2022706172656e74223a20226e6f6465203539222c202273' +
    '697a65223a20363a20226e6f64652039222c202276616c7565223a203939312c2022706172656e74223a20226e6f6465',
);
const DOCUMENT = '{"id": 777, "name": "node 777", "value": 1234, "parent": "node 388", "size": 5}\n';
/** The block that zstd -19 -D DICTIONARY makes of DOCUMENT. */
export const DOCUMENT_BLOCK = '450100c34105f3c97c8467b5bb883b61084f402803bb465002c28505cc7a98209240400caf2274f90fcb02';

const FOX = ascii('The quick brown fox jumps over the lazy dog. ');

/** `frame` is in hex; `expected` the content in ASCII or the error. */
function vector(name: string, frame: string, expected: string, options?: Options): Vector[] {
  const input = hex(frame);
  const result = / @\d/.test(expected) ? expected : ascii(expected);
  return [
    { name, run: (k) => decode(k, input, options), expected: result },
    { name: `${name}, byte by byte`, run: (k) => decode(k, input, { ...options, chunk: 1 }), expected: result },
  ];
}

/**
 * Frames of which no tool is named were worked out by hand from RFC 8878, those with sequences with the states of the
 * predefined tables in its appendix A.
 */
export const zstdVectors: Vector[] = [
  ...vector('raw block', '28b52ffd2005290000' + '68656c6c6f', 'hello'),
  ...vector('RLE block', '28b52ffd20052b000061', 'aaaaa'),
  ...vector('empty frame', '28b52ffd2000010000', ''),
  ...vector('window descriptor, content size not given', '28b52ffd0000290000' + '68656c6c6f', 'hello'),
  ...vector('checksum of zstd', '28b52ffd0468290000' + '68656c6c6f' + 'a36d9f88', 'hello'),
  ...vector('no sequences', '28b52ffd00002d000018' + '616263' + '00', 'abc'),
  ...vector('no sequences, counted in two bytes', '28b52ffd000035000018' + '616263' + '8000', 'abc'),
  ...vector('RLE literals', '28b52ffd20041d00002161' + '00', 'aaaa'),
  ...vector('match', '28b52ffd200a4500001061620100110e0b', 'ababababab'),
  ...vector('repeat offset 1', '28b52ffd200c4d0000186162630100051802', 'abcccccccccc'),
  ...vector('repeat offset 2', '28b52ffd200d550000206162636401008a4b04', 'abcdabcdabcda'),
  ...vector(
    'repeat offsets outlive a raw block',
    '28b52ffd2012' + '4400001061620100110e0b' + '1000005859' + '3d0000087a0100021002',
    'abababababXYzYzYzY',
  ),
  ...vector('long match of zstd', '28b52ffd00687d000040726f6d666c6f7720010035d5cb05', 'romflow '.repeat(40)),
  ...vector(
    'frames follow each other, skippable ones are passed over',
    '502a4d1800000000' + '28b52ffd200109000061' + '5f2a4d1803000000010203' + '28b52ffd200109000062',
    'ab',
  ),
  ...vector('only a skippable frame', '572a4d180100000000', ''),
  { name: 'all kinds of tables', run: (k) => decode(k, SQUARES_FRAME), expected: ascii(SQUARES) },
  {
    name: 'all kinds of tables, byte by byte',
    run: (k) => decode(k, SQUARES_FRAME, { chunk: 1 }),
    expected: ascii(SQUARES),
  },

  ...vector(
    'raw dictionary',
    '28b52ffd006865000030416361742e200100dca384',
    'A quick brown fox jumps over the lazy cat. ',
    { defaultDictionary: FOX },
  ),
  ...vector('dictionary by id', '28b52ffd02683412' + DOCUMENT_BLOCK, DOCUMENT, { dictionary: DICTIONARY }),
  ...vector('default dictionary', '28b52ffd0068' + DOCUMENT_BLOCK, DOCUMENT, { defaultDictionary: DICTIONARY }),
  ...vector('dictionary missing', '28b52ffd02683412' + DOCUMENT_BLOCK, 'missing-dictionary @6 0 4660', {
    dictionary: FOX,
  }),
  {
    name: 'dictionary id',
    run: (k) => {
      const handles = [DICTIONARY, FOX].map((data) => k.zstd.dictionaryOpen(data));
      const ids = handles.map((handle) => k.zstd.dictionaryId(handle)).join();
      for (const handle of handles) k.zstd.dictionaryFree(handle);
      return ids;
    },
    expected: '4660,0',
  },
  ...(
    [
      ['short', FOX.subarray(0, 7), 'bad-dictionary @0 8 7'],
      ['tree', Uint8Array.of(...hex('37a430ec01000000'), 0x80, 0xff), 'bad-dictionary @8 0 0'],
      ['offset table', DICTIONARY.subarray(0, 41), 'bad-dictionary @39 0 0'],
      ['repeat offsets', DICTIONARY.subarray(0, 106), 'bad-dictionary @103 12 3'],
      ['repeat offset', DICTIONARY.subarray(0, 122), 'bad-dictionary @111 7 8'],
    ] as const
  ).map(([name, data, expected]): Vector => ({
    name: `dictionary with a bad ${name}`,
    run: (k) => reported(() => k.zstd.dictionaryOpen(data)),
    expected,
  })),

  ...vector('nothing', '', 'truncated @0 4 0'),
  ...vector('half a magic number', '28b5', 'truncated @2 2 0'),
  ...vector('half a header', '28b52ffd60', 'truncated @5 2 0'),
  ...vector('half a block', '28b52ffd200529000068', 'truncated @10 4 0'),
  ...vector('checksum missing', '28b52ffd0468290000' + '68656c6c6f' + 'a36d', 'truncated @16 2 0'),
  ...vector('half a skippable frame', '502a4d180500000001', 'truncated @9 4 0'),
  ...vector('other magic', '504b0304', 'bad-magic @0 4247762216 67324752'),
  ...vector('garbage after a frame', '28b52ffd200001000000000000', 'bad-magic @9 4247762216 0'),
  ...vector('little garbage after a frame', '28b52ffd200001000000', 'truncated @10 3 0'),
  ...vector('reserved descriptor bit', '28b52ffd2805', 'reserved @4 0 8'),
  ...vector('reserved block type', '28b52ffd20052f0000', 'reserved @6 0 3'),
  ...vector('reserved mode bits', '28b52ffd200a4500001061620101110e0b', 'reserved @13 0 1'),
  ...vector('window above the limit', '28b52ffd0059', 'window-too-large @5 1024 2304', { windowLimit: 1 << 20 }),
  ...vector('content above the limit', '28b52ffda001000100', 'window-too-large @5 64 65', { windowLimit: 1 << 16 }),
  ...vector('window of the largest size', '28b52ffd00ff', 'window-too-large @5 8192 4026531840'),
  ...vector('block larger than the content', '28b52ffd200431000068656c6c6f21', 'bad-block-size @6 4 6'),
  ...vector('block larger than the window', '28b52ffd0000' + '0a2000' + '61', 'bad-block-size @6 1024 1025'),
  ...vector('content longer than said', '28b52ffd20094500001061620100110e0b', 'bad-block-size @6 9 10'),
  ...vector('content shorter than said', '28b52ffd200b4500001061620100110e0b', 'bad-content-size @5 11 10'),
  ...vector(
    'checksum off by a bit',
    '28b52ffd0468290000' + '68656c6c6f' + 'a36d9f08',
    'bad-checksum @14 144666019 2292149667',
  ),
  ...vector('no literals section', '28b52ffd2005050000', 'bad-literals @9 1 0'),
  ...vector('literals longer than the block', '28b52ffd2005150000' + '2861', 'bad-literals @9 1 5'),
  ...vector('literals larger than a block may be', '28b52ffd20041d0000' + '296100', 'bad-literals @9 4 5'),
  ...vector('treeless literals without a tree', '28b52ffd20092500001300' + '0001', 'bad-literals @9 0 0'),
  ...vector('bad tree', '28b52ffd20092d0000' + '12800080ff', 'bad-huffman @12 0 0'),
  ...vector('bytes after no sequences', '28b52ffd000035000018' + '616263' + '0000', 'bad-sequences @13 0 1'),
  ...vector('no sequences section', '28b52ffd000025000018' + '616263', 'bad-sequences @13 0 0'),
  ...vector('no end marker', '28b52ffd200a4500001061620100110e00', 'bad-sequences @14 0 0'),
  ...vector('bits left over', '28b52ffd00004d0000106162010000110e0b', 'bad-sequences @14 0 0'),
  ...vector('more literals than there are', '28b52ffd200b4500001061620100116e08', 'bad-sequences @14 2 3'),
  ...vector('repeat mode without a table', '28b52ffd200a45000010616201c0110e0b', 'bad-fse @13 0 0'),
  ...vector('offset before the frame', '28b52ffd200a4500001061620100120e0b', 'bad-offset @14 2 3'),
  ...vector('offset 0', '28b52ffd000055000020616263640100810b04', 'bad-offset @16 0 0'),
  ...vector('output before the error', '28b52ffd200a' + '1000006869' + '4f0000', 'reserved @11 0 3'),
];
