// Everything the module exports, pointer style. component.ts has the canonical-ABI exports of the component.
export { alloc, free } from './memory/heap';
export { stream_error } from './memory/stream-error';
export { hash_batch } from './hash/batch';
export { crc32 } from './hash/crc32';
export { murmur3 } from './hash/murmur3';
export { fnv1a, sarc_name } from './hash/names';
export { xxh64 } from './hash/xxh64';
export { tegra_decode_rows, tegra_decode_rows_half, tegra_deswizzle } from './tegra/index';
export { astc_decode, bc_decode, bc_decode_half } from './blocks/index';
export {
  pixel_decode, pixel_decode_half, pixel_select_channels, pixel_select_channels_half,
} from './pixel/index';
export { png_filter } from './png/filter';
export { deflate_free, deflate_open, deflate_output, deflate_push } from './png/deflate';
export {
  zstd_add_dictionary, zstd_dictionary_free, zstd_dictionary_id, zstd_dictionary_open,
  zstd_free, zstd_open, zstd_output, zstd_pending, zstd_push,
} from './zstd/index';
export { yaz0_free, yaz0_open, yaz0_output, yaz0_pending, yaz0_push } from './yaz0/index';
export * from './component';
