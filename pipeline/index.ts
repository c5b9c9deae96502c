/** Stages and jobs that run everywhere; `node.ts` adds what needs a file system. */
export { GAMES, type GameProfile } from '../ts/games/index.ts';
export { Dump, type DumpOptions } from './dump/dump.ts';
export type { Layer, LayerFile, StoredFile, WritableLayer } from './dump/layer.ts';
export { Overlay, type WriteOptions } from './dump/overlay.ts';
export type { IndexStore } from './dump/pack-index.ts';
export type { ContactSheet, SheetPicture } from './jobs/contact-sheets.ts';
export {
  extract,
  EXTRACT_DEFAULTS,
  type ExtractedFile,
  type ExtractEvent,
  type ExtractOptions,
  type ExtractSummary,
} from './jobs/extract.ts';
export {
  extractTextures,
  EXTRACT_TEXTURES_DEFAULTS,
  type ExtractedSurface,
  type ExtractTexturesEvent,
  type ExtractTexturesOptions,
  type ExtractTexturesSummary,
  type MipRange,
} from './jobs/extract-textures.ts';
export {
  hashFiles,
  type HashedFile,
  type HashFilesEvent,
  type HashFilesOptions,
  type HashFilesSummary,
} from './jobs/hash-files.ts';
export type { JobFailure, JobInput, JobOptions, JobProgress, ResultStore } from './jobs/job.ts';
export type { FileStore } from './jobs/placer.ts';
export type { ResultShapes } from './jobs/shapes.ts';
export {
  list,
  type ListedFile,
  type ListedTexture,
  type ListEvent,
  type ListOptions,
  type ListSummary,
} from './jobs/list.ts';
export { writeFile, type OutputFile, type OutputFolder, type StagedFile, type Staging } from './output/folder.ts';
export { safeName, safePath, UniqueNames } from './output/names.ts';
export type { Platform } from './platform.ts';
export {
  WORKER_POOL_DEFAULTS,
  WorkerPool,
  type PoolWorker,
  type PoolWorkerEvents,
  type WorkerPoolOptions,
} from './pool/pool.ts';
export * from './stages/index.ts';
export { SourceContent, StreamContent, type Content, type Memory } from './walk/content.ts';
export { addDictionaries } from './walk/dictionaries.ts';
export { DEFAULT_LIMITS, Session, type Limits, type SessionOptions } from './walk/session.ts';
export { isContainer, walk, type Visit, type VisitedFile, type VisitFailure, type WalkOptions } from './walk/walk.ts';
