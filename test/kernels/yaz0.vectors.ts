import { concat } from '../support/concat.ts';
import type { StreamErrorPayload } from '../../ts/kernels/contract.ts';
import type { Vector, WitKernels } from './vectors.ts';

/** A Yaz0 stream: the header for `size` bytes of content, then `body`. */
export function stream(size: number, ...body: number[]): Uint8Array {
  const bytes = new Uint8Array(16 + body.length);
  bytes.set([0x59, 0x61, 0x7a, 0x30]);
  new DataView(bytes.buffer).setUint32(4, size);
  bytes.set(body, 16);
  return bytes;
}

const ascii = (text: string): number[] => [...text].map((c) => c.charCodeAt(0));
const text = (value: string): Uint8Array => Uint8Array.from(ascii(value));

/** Decodes a stream pushed in pieces of `step` bytes. Frees the decoder also when it fails. */
export function decode(kernels: WitKernels, data: Uint8Array, step = data.length || 1): Uint8Array {
  const decoder = kernels.yaz0.decoderOpen();
  try {
    const parts: Uint8Array[] = [];
    for (let i = 0; ; i += step) {
      const final = i + step >= data.length;
      parts.push(kernels.yaz0.decoderPush(decoder, data.subarray(i, i + step), final));
      while (kernels.yaz0.decoderPending(decoder)) {
        parts.push(kernels.yaz0.decoderPush(decoder, new Uint8Array(0), final));
      }
      if (final) return concat(...parts);
    }
  } finally {
    kernels.yaz0.decoderFree(decoder);
  }
}

/** The error of a stream, as `code offset expected found`. */
export function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    const { code, offset, expected, found } = (error as { payload: StreamErrorPayload }).payload;
    return `${code} ${offset} ${expected} ${found}`;
  }
  return 'no error';
}

/** Worked out by hand. */
const DECODED: [name: string, data: Uint8Array, content: Uint8Array][] = [
  ['no content', stream(0), new Uint8Array(0)],
  ['literals', stream(3, 0xe0, ...ascii('abc')), text('abc')],
  ['two groups', stream(10, 0xff, ...ascii('abcdefgh'), 0xc0, ...ascii('ij')), text('abcdefghij')],
  ['a run: 17 bytes from 1 back', stream(18, 0x80, 0x61, 0xf0, 0x00), text('a'.repeat(18))],
  ['a long run: 18 + 255 bytes', stream(274, 0x80, 0x61, 0x00, 0x00, 0xff), text('a'.repeat(274))],
  ['3 bytes from 3 back', stream(6, 0xe0, ...ascii('abc'), 0x10, 0x02), text('abcabc')],
  ['a period of 3', stream(20, 0xe0, ...ascii('abc'), 0xf0, 0x02), text('abcabcabcabcabcabcab')],
  ['a match cut at the end of the content', stream(5, 0xe0, ...ascii('abc'), 0xf0, 0x02), text('abcab')],
  ['what follows the content', stream(2, 0xc0, ...ascii('ab'), 0x0f, 0xff, 0x00, 0x0f, 0xff), text('ab')],
  [
    '4096 bytes back',
    stream(4099, ...Array.from({ length: 512 }, (_, i) => [0xff, ...new Uint8Array(8).fill(i)]).flat(), 0, 0x1f, 0xff),
    concat(
      Uint8Array.from({ length: 4096 }, (_, i) => i >> 3),
      new Uint8Array(3),
    ),
  ],
];

/** Offsets count from the magic; `bad-offset` names the pair. */
const FAILING: [name: string, data: Uint8Array, error: string][] = [
  ['nothing', new Uint8Array(0), 'truncated 0 16 0'],
  ['three bytes', text('Yaz'), 'truncated 3 13 0'],
  ['half a header', stream(9).subarray(0, 15), 'truncated 15 1 0'],
  ['another magic', concat(text('Yaz1'), stream(0)), `bad-magic 0 1499560496 1499560497`],
  ['a short file of another magic', text('SARC'), `bad-magic 0 1499560496 1396789827`],
  ['no groups', stream(9), 'truncated 16 9 0'],
  ['a missing literal', stream(3, 0xe0, ...ascii('ab')), 'truncated 19 1 0'],
  ['half a pair', stream(4, 0x80, 0x61, 0x10), 'truncated 19 3 0'],
  ['a long pair without its third byte', stream(100, 0x80, 0x61, 0x00, 0x00), 'truncated 20 99 0'],
  ['4 GiB promised', stream(0xffffffff, 0x80, 0x61, 0xf0, 0x00), `truncated 20 ${0xffffffff - 18} 0`],
  ['a pair at the start', stream(9, 0x00, 0x10, 0x00), 'bad-offset 17 0 1'],
  ['2 back after 1 byte', stream(9, 0x80, 0x61, 0x10, 0x01), 'bad-offset 18 1 2'],
  ['4096 back after 3 bytes', stream(9, 0xe0, ...ascii('abc'), 0x1f, 0xff), 'bad-offset 20 3 4096'],
];

export const yaz0Vectors: Vector[] = [1, 7, 4096].flatMap((step) => [
  ...DECODED.map(([name, data, expected]): Vector => ({
    name: `${name}, by ${step}`,
    run: (k) => decode(k, data, step),
    expected,
  })),
  ...FAILING.map(([name, data, expected]): Vector => ({
    name: `${name}, by ${step}`,
    run: (k) => errorOf(() => decode(k, data, step)),
    expected,
  })),
]);
