/** A zstd encoder for large data that repeats itself: fast, where the other of this folder is thorough. */
import { ByteWriter } from './bytes.ts';
import { codeOf, MATCH_LENGTHS } from './zstd.ts';

const MAGIC = 0xfd2fb528;
const MAX_BLOCK = 128 * 1024;
/** Shortest match of the longest code, as long as a block at most. */
const LEAST_MATCH = 65_539;
const WINDOW_LOG = 23;
const DISTANCES = Array.from({ length: WINDOW_LOG - 12 }, (_, i) => 2 ** (12 + i));
const RAW = 0;
const COMPRESSED = 2;

/** A frame of `content`, in which blocks that come again at a distance of a power of two are stored once. */
export function repeatingFrame(content: Uint8Array): Uint8Array {
  const out = new ByteWriter();
  out.le(MAGIC, 4);
  out.u8(0x80); // content size in four bytes, a window
  out.u8((WINDOW_LOG - 10) << 3);
  out.le(content.length, 4);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  for (let at = 0, size = 0; at < content.length; at += size) {
    size = Math.min(content.length - at, MAX_BLOCK);
    const block = bytes.subarray(at, at + size);
    const distance = size >= LEAST_MATCH && DISTANCES.find((d) => bytes.subarray(at - d, at - d + size).equals(block));
    const stored = distance ? match(distance, size) : block;
    header(out, distance ? COMPRESSED : RAW, stored.length);
    out.bytes(stored);
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
