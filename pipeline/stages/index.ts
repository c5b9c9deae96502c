export { sarcSplit, SARC_SPLIT_DEFAULTS, type SarcSplitOptions } from './sarc-split.ts';
export { fromWeb, toWeb } from './web-streams.ts';
export { yaz0Decompress, YAZ0_DECOMPRESS_DEFAULTS, type Yaz0DecompressOptions } from './yaz0-decompress.ts';
export { zstdDecompress, ZSTD_DECOMPRESS_DEFAULTS, type ZstdDecompressOptions } from './zstd-decompress.ts';
