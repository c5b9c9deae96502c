// The canonical-ABI exports of the component: one function for each of asm/wit/kernels.wit, called `interface$function`
// here and renamed by scripts/component-exports.mjs. Lists arrive as pointer and length in a block that `cabi_realloc`
// gave and belong to the function; a result that is no single number lies in RESULT.
//
// Where the WIT has no error to give, an argument out of range, or a result that memory cannot hold, gives an empty list,
// while a handle that is not open, or no memory for the state behind a new one, is a trap.
import { astc_decode, bc_decode, bc_decode_half } from './blocks/index';
import { hashSize, hash_batch } from './hash/batch';
import { crc32 } from './hash/crc32';
import { murmur3 } from './hash/murmur3';
import { fnv1a, sarc_name } from './hash/names';
import { xxh64 } from './hash/xxh64';
import { DEFLATE, DICTIONARY, YAZ0, ZSTD, closed, live, opened } from './memory/handles';
import { alloc, free, resize } from './memory/heap';
import { STREAM_ERROR } from './memory/stream-error';
import { elementHeight, elementSize } from './pixel/formats';
import {
  pixel_decode, pixel_decode_half, pixel_select_channels, pixel_select_channels_half,
} from './pixel/index';
import { deflate_free, deflate_open, deflate_output, deflate_push } from './png/deflate';
import { png_filter } from './png/filter';
import { tegra_decode_rows, tegra_decode_rows_half, tegra_deswizzle } from './tegra/index';
import { yaz0_free, yaz0_open, yaz0_output, yaz0_pending, yaz0_push } from './yaz0/index';
import {
  zstd_add_dictionary, zstd_dictionary_free, zstd_dictionary_id, zstd_dictionary_open,
  zstd_free, zstd_open, zstd_output, zstd_pending, zstd_push,
} from './zstd/index';

/** list<u8>: u32 pointer, u32 length. result<T, stream-error>: u8 is-error, then T or the error at 8. */
const RESULT: usize = memory.data(32, 8);
const MAX_LIST: u64 = 0x7fffffff;

/** What the host allocates arguments with. The blocks are 16-aligned, which is enough for every type of the WIT. */
export function cabi_realloc(old: usize, oldSize: usize, align: usize, size: usize): usize {
  if (!size) return align;
  const pointer = oldSize ? resize(old, min(oldSize, size), size) : alloc(size);
  if (!pointer) unreachable();
  return pointer;
}

/** Frees an argument; for an empty one no block was allocated. */
function drop(list: usize, length: usize): void {
  if (length) free(list);
}

/** `a` times `b`, or any number above MAX_LIST when it is larger. */
function times(a: u64, b: u64): u64 {
  return a > MAX_LIST || b > MAX_LIST ? (a && b ? MAX_LIST + 1 : 0) : a * b;
}

/** A block for a result of `size` bytes, or 0. */
function result(size: u64): usize {
  return size && size <= MAX_LIST ? alloc(<usize>size) : 0;
}

function list(pointer: usize, length: usize): usize {
  store<u32>(RESULT, <u32>pointer);
  store<u32>(RESULT, <u32>length, 4);
  return RESULT;
}

/** The first `wrote` bytes of the block `dst` as a list that `freeList` frees. */
function owned(dst: usize, wrote: i32): usize {
  if (wrote > 0) return list(dst, wrote);
  free(dst);
  return list(0, 0);
}

/** The post-return of the functions whose list is `owned`; those of the push kernels lie in the kernel's own memory. */
function freeList(result: usize): void {
  drop(<usize>load<u32>(result), <usize>load<u32>(result, 4));
}
export {
  freeList as post$hash$batch,
  freeList as post$tegra$deswizzle,
  freeList as post$tegra$decode_rows,
  freeList as post$tegra$decode_rows_half,
  freeList as post$bc$decode,
  freeList as post$bc$decode_half,
  freeList as post$astc$decode,
  freeList as post$pixel$decode,
  freeList as post$pixel$decode_half,
  freeList as post$pixel$select_channels,
  freeList as post$pixel$select_channels_half,
  freeList as post$png$filter,
};

/** result<list<u8>, stream-error> of a push that gave `size` bytes, or -1. */
function pushed(output: usize, size: i32): usize {
  if (size < 0) return failed();
  store<u8>(RESULT, 0);
  store<u32>(RESULT, <u32>output, 8);
  store<u32>(RESULT, size, 12);
  return RESULT;
}

function failed(): usize {
  store<u8>(RESULT, 1);
  store<u8>(RESULT, <u8>load<u32>(STREAM_ERROR), 8);
  store<u64>(RESULT, load<u64>(STREAM_ERROR, 16), 16);
  store<u64>(RESULT, load<u64>(STREAM_ERROR, 4), 24); // expected, found
  return RESULT;
}

export function hash$crc32(data: usize, length: usize, seed: u32): u32 {
  const value = crc32(data, length, seed);
  drop(data, length);
  return value;
}

export function hash$xxh64(data: usize, length: usize, seed: u64): u64 {
  const value = xxh64(data, length, seed);
  drop(data, length);
  return value;
}

export function hash$murmur3(data: usize, length: usize, seed: u32): u32 {
  const value = murmur3(data, length, seed);
  drop(data, length);
  return value;
}

export function hash$sarc_name(name: usize, length: usize, multiplier: u32): u32 {
  const value = sarc_name(name, length, multiplier);
  drop(name, length);
  return value;
}

export function hash$fnv1a(data: usize, length: usize): u32 {
  const value = fnv1a(data, length);
  drop(data, length);
  return value;
}

export function hash$batch(
  algorithm: u32, data: usize, length: usize, ends: usize, count: usize, seed: u64,
): usize {
  const total = times(hashSize(algorithm), count);
  const dst = result(total);
  const wrote = dst
    ? hash_batch(algorithm, dst, dst + <usize>total, data, data + length, ends, ends + (count << 2), seed)
    : 0;
  drop(data, length);
  drop(ends, count);
  return owned(dst, wrote);
}

export function tegra$deswizzle(
  data: usize, length: usize, base: u32, size: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): usize {
  const end = min(rowEnd, height);
  const total = rowStart < end ? times(times(size, width), end - rowStart) : 0;
  const dst = result(total);
  const wrote = dst
    ? tegra_deswizzle(
        dst, dst + <usize>total, data, data + length, base, size, width, height,
        bhl, bdl, pitch, slice, rowStart, rowEnd,
      )
    : 0;
  drop(data, length);
  return owned(dst, wrote);
}

/** Bytes of the texels that rows of elements give, `size` each. */
function decodedRows(format: u32, size: u64, width: u32, height: u32, rowStart: u32, rowEnd: u32): u64 {
  const rows: u64 = elementHeight(format);
  const start = rowStart * rows;
  const end = min<u64>(rowEnd * rows, height);
  return start < end ? times(times(size, width), end - start) : 0;
}

export function tegra$decode_rows(
  format: u32, data: usize, length: usize, base: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): usize {
  const total = decodedRows(format, 4, width, height, rowStart, rowEnd);
  const dst = result(total);
  const wrote = dst
    ? tegra_decode_rows(
        format, dst, dst + <usize>total, data, data + length, base, width, height,
        bhl, bdl, pitch, slice, rowStart, rowEnd,
      )
    : 0;
  drop(data, length);
  return owned(dst, wrote);
}

export function tegra$decode_rows_half(
  format: u32, data: usize, length: usize, base: u32, width: u32, height: u32,
  bhl: u32, bdl: u32, pitch: u32, slice: u32, rowStart: u32, rowEnd: u32,
): usize {
  const total = decodedRows(format, 8, width, height, rowStart, rowEnd);
  const dst = result(total);
  const wrote = dst
    ? tegra_decode_rows_half(
        format, dst, dst + <usize>total, data, data + length, base, width, height,
        bhl, bdl, pitch, slice, rowStart, rowEnd,
      )
    : 0;
  drop(data, length);
  return owned(dst, wrote);
}

export function bc$decode(format: u32, blocks: usize, length: usize, width: u32, height: u32): usize {
  const total = times(times(4, width), height);
  const dst = result(total);
  const wrote = dst ? bc_decode(format, dst, dst + <usize>total, blocks, blocks + length, width, height) : 0;
  drop(blocks, length);
  return owned(dst, wrote);
}

export function bc$decode_half(format: u32, blocks: usize, length: usize, width: u32, height: u32): usize {
  const total = times(times(8, width), height);
  const dst = result(total);
  const wrote = dst ? bc_decode_half(format, dst, dst + <usize>total, blocks, blocks + length, width, height) : 0;
  drop(blocks, length);
  return owned(dst, wrote);
}

export function astc$decode(format: u32, blocks: usize, length: usize, width: u32, height: u32): usize {
  const total = times(times(4, width), height);
  const dst = result(total);
  const wrote = dst ? astc_decode(format, dst, dst + <usize>total, blocks, blocks + length, width, height) : 0;
  drop(blocks, length);
  return owned(dst, wrote);
}

export function pixel$decode(format: u32, texels: usize, length: usize): usize {
  const size = elementSize(format);
  const total = size ? times(4, length / size) : 0;
  const dst = result(total);
  const wrote = dst ? pixel_decode(format, dst, dst + <usize>total, texels, texels + length) : 0;
  drop(texels, length);
  return owned(dst, wrote);
}

export function pixel$decode_half(format: u32, texels: usize, length: usize): usize {
  const size = elementSize(format);
  const total = size ? times(8, length / size) : 0;
  const dst = result(total);
  const wrote = dst ? pixel_decode_half(format, dst, dst + <usize>total, texels, texels + length) : 0;
  drop(texels, length);
  return owned(dst, wrote);
}

/** In place: the argument becomes the result. */
export function pixel$select_channels(rgba: usize, length: usize, sources: u32): usize {
  return length ? owned(rgba, pixel_select_channels(rgba, rgba + length, rgba, rgba + length, sources)) : list(0, 0);
}

/** In place, too. */
export function pixel$select_channels_half(rgba: usize, length: usize, sources: u32): usize {
  return length
    ? owned(rgba, pixel_select_channels_half(rgba, rgba + length, rgba, rgba + length, sources))
    : list(0, 0);
}

export function png$filter(
  rows: usize, length: usize, previous: usize, previousLength: usize, rowSize: u32,
): usize {
  // The kernel takes the row above by its address alone, so its length is checked here.
  const fits = rowSize && (!previousLength || previousLength >= rowSize);
  const total = fits ? <u64>length + length / rowSize : 0;
  const dst = result(total);
  const above = previousLength ? previous : 0;
  const wrote = dst ? png_filter(dst, dst + <usize>total, rows, rows + length, above, rowSize) : 0;
  drop(rows, length);
  drop(previous, previousLength);
  return owned(dst, wrote);
}

export function png$deflate_open(): usize {
  return opened(deflate_open(), DEFLATE);
}

export function png$deflate_push(handle: usize, data: usize, length: usize, final: bool): usize {
  const size = deflate_push(live(handle, DEFLATE), data, data + length, final);
  drop(data, length);
  if (size < 0) unreachable(); // no memory: a stream with a hole in it must not go on
  return list(deflate_output(handle), size);
}

export function png$deflate_free(handle: usize): void {
  deflate_free(closed(handle, DEFLATE));
}

export function zstd$dictionary_open(data: usize, length: usize): usize {
  const dictionary = zstd_dictionary_open(data, data + length);
  drop(data, length);
  if (!dictionary) return failed();
  store<u8>(RESULT, 0);
  store<u32>(RESULT, <u32>opened(dictionary, DICTIONARY), 8);
  return RESULT;
}

export function zstd$dictionary_id(dictionary: usize): u32 {
  return zstd_dictionary_id(live(dictionary, DICTIONARY));
}

export function zstd$dictionary_free(dictionary: usize): void {
  zstd_dictionary_free(closed(dictionary, DICTIONARY));
}

export function zstd$decoder_open(windowLimit: u32, defaultDictionary: usize): usize {
  return opened(zstd_open(windowLimit, defaultDictionary ? live(defaultDictionary, DICTIONARY) : 0), ZSTD);
}

export function zstd$decoder_add_dictionary(decoder: usize, dictionary: usize): void {
  if (!zstd_add_dictionary(live(decoder, ZSTD), live(dictionary, DICTIONARY))) unreachable();
}

export function zstd$decoder_push(decoder: usize, chunk: usize, length: usize, final: bool): usize {
  const size = zstd_push(live(decoder, ZSTD), chunk, chunk + length, final);
  drop(chunk, length);
  return pushed(size < 0 ? 0 : zstd_output(decoder), size);
}

export function zstd$decoder_pending(decoder: usize): bool {
  return zstd_pending(live(decoder, ZSTD));
}

export function zstd$decoder_free(decoder: usize): void {
  zstd_free(closed(decoder, ZSTD));
}

export function yaz0$decoder_open(): usize {
  return opened(yaz0_open(), YAZ0);
}

export function yaz0$decoder_push(decoder: usize, chunk: usize, length: usize, final: bool): usize {
  const size = yaz0_push(live(decoder, YAZ0), chunk, chunk + length, final);
  drop(chunk, length);
  return pushed(size < 0 ? 0 : yaz0_output(decoder), size);
}

export function yaz0$decoder_pending(decoder: usize): bool {
  return yaz0_pending(live(decoder, YAZ0));
}

export function yaz0$decoder_free(decoder: usize): void {
  yaz0_free(closed(decoder, YAZ0));
}
