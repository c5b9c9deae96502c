export { bffnt, readBffnt, type Bffnt } from './bffnt/index.ts';
export { bfres, readBfres, type Bfres } from './bfres/index.ts';
export { bntx, bntxSurfaces, readBntx, type Bntx, type BntxTexture, type UserData } from './bntx/index.ts';
export { ExrWriter } from './exr/index.ts';
export { openEmbedded, type EmbeddedFile, type Format } from './format.ts';
export { PngWriter, type Deflater, type PngOptions } from './png/index.ts';
export type { PushDecoder } from './push-decoder.ts';
export { recognize, type FileType } from './recognize.ts';
export {
  entryName,
  inDataOrder,
  readSarc,
  sarc,
  SARC_HASH_MULTIPLIER,
  sarcHash,
  SarcSplitter,
  type Sarc,
  type SarcEntry,
  type SarcPiece,
} from './sarc/index.ts';
export { readTxtg, txtg, txtgSurfaces, type Txtg, type TxtgFrame } from './txtg/index.ts';
export { createYaz0Decoder, yaz0, type Yaz0Header } from './yaz0/index.ts';
export { createZstdDecoder, readZstdFrameHeader, zstd, ZstdDictionaries, type ZstdFrameHeader } from './zstd/index.ts';
