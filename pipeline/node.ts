/** The pipeline with Node's file system. */
export * from './index.ts';
export { openDump, openOverlay, type LayerFolder, type OpenDumpOptions } from './node/dump.ts';
export { openFile } from './node/file-source.ts';
export { Journal, type JournalOptions } from './node/journal.ts';
export { NodeFolder, type NodeFolderOptions } from './node/folder.ts';
export { findInputs, readStandardInput, standardInput } from './node/inputs.ts';
export { nodePlatform } from './node/platform.ts';
export { openPool, type NodePoolOptions } from './node/pool.ts';
export { addRomfsDictionaries, findRomfs } from './node/romfs.ts';
export { createSession, type NodeSessionOptions } from './node/session.ts';
