/** A zstd encoder for large data that repeats itself: fast, where the other of this folder is thorough. */
import { ByteWriter } from './bytes.ts';
import { codeOf, MATCH_LENGTHS } from './zstd.ts';

const MAGIC = 0xfd2fb528;
const MAX_BLOCK = 128 * 1024;
/** Shortest match of the longest code, as long as a block at most. */
const LEAST_MATCH = 65_539;
const WINDOW_LOG = 26;
const RAW = 0;
const COMPRESSED = 2;

/** A frame of `content`, in which each of `parts` is stored once and found again after that. */
export function repeatingFrame(content: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const out = new ByteWriter();
  out.le(MAGIC, 4);
  out.u8(0x80); // content size in four bytes, a window
  out.u8((WINDOW_LOG - 10) << 3);
  out.le(content.length, 4);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  /** where each part was last */
  const places = new Map<Uint8Array, number>();
  for (let at = 0; at < content.length;) {
    const part = parts.find((one) => bytes.subarray(at, at + one.length).equals(one));
    const end = part ? at + part.length : nextPart(bytes, at, parts);
    const distance = at - ((part && places.get(part)) ?? -Infinity);
    if (part) places.set(part, at);
    for (let size = 0; at < end; at += size) {
      size = Math.min(end - at, MAX_BLOCK);
      const repeats = size >= LEAST_MATCH && distance < 2 ** WINDOW_LOG;
      const block = repeats ? match(distance, size) : content.subarray(at, at + size);
      header(out, repeats ? COMPRESSED : RAW, block.length);
      out.bytes(block);
    }
  }
  header(out, RAW, 0, true);
  return out.take();
}

function header(out: ByteWriter, type: number, size: number, last = false): void {
  out.le((size << 3) | (type << 1) | Number(last), 3);
}

/** A block of no literals and one match, each code in a table of its own. */
function match(distance: number, length: number): Uint8Array {
  const offset = distance + 3;
  const offsetCode = 31 - Math.clz32(offset);
  const lengthCode = codeOf(MATCH_LENGTHS, length);
  const lengthBits = MATCH_LENGTHS.bits[lengthCode]!;
  const extra = BigInt(offset - 2 ** offsetCode);
  const bits =
    (((1n << BigInt(offsetCode)) | extra) << BigInt(lengthBits)) | BigInt(length - MATCH_LENGTHS.base[lengthCode]!);
  const size = Math.floor((offsetCode + lengthBits) / 8) + 1;
  const stream = Array.from({ length: size }, (_, i) => Number((bits >> BigInt(8 * i)) & 0xffn));
  return Uint8Array.of(0, 1, 0x54, 0, offsetCode, lengthCode, ...stream);
}

/** Where the next of the parts begins, or the end: they begin at multiples of 4096. */
function nextPart(bytes: Buffer, at: number, parts: readonly Uint8Array[]): number {
  const heads = parts.map((part) => part.subarray(0, 64));
  for (let next = Math.floor(at / 4096 + 1) * 4096; next < bytes.length; next += 4096) {
    if (heads.some((head) => bytes.subarray(next, next + 64).equals(head))) return next;
  }
  return bytes.length;
}
