import type { InputNames } from '../jobs/work.ts';

/** What a worker needs to know to work on an input. */
export interface Order {
  /** name of the job */
  job: string;
  /** of its work */
  options: unknown;
  input: InputNames;
  /** where the worker finds the file */
  file: string;
  /** of the file, in bytes */
  size: number;
  /** where it writes files */
  staging: string | undefined;
  /** entries that the input may hold */
  maxEntries: number;
}

/** An entry whose bytes were taken out of its archive, for another worker. */
export interface PostedEntry {
  path: string;
  depth: number;
  storedSize: number;
  root: string;
  inputIsFile: boolean;
  /** end to end; they move with the message */
  blocks: Uint8Array[];
  /** the archive was a stream, so that its entries are read as streams */
  streamed: boolean;
}

/** From the pool to a worker. */
export type ToWorker =
  /** `shared`: others may be asked to help; `last`: there is no further try */
  | { kind: 'work'; order: Order; entry: PostedEntry | undefined; shared: boolean; last: boolean }
  /** to the last `offer` or `reserve` */
  | { kind: 'answer'; granted: boolean };

/** From a worker to the pool, about the first work it was given that is not done. */
export type FromWorker =
  /** each with the number of entries visited by then */
  | { kind: 'results'; results: [visits: number, result: unknown][] }
  /** the work is done; with the number of entries visited in all */
  | { kind: 'done'; visits: number }
  /** there is progress, though there are no results */
  | { kind: 'alive' }
  /** an entry of so many bytes could be worked on elsewhere */
  | { kind: 'offer'; bytes: number }
  /** the entry that was offered, or nothing since it could not be read */
  | { kind: 'entry'; ticket: number; entry: PostedEntry | undefined }
  /** so many bytes are needed now */
  | { kind: 'reserve'; bytes: number }
  | { kind: 'release'; bytes: number }
  /** the work cannot go on for want of memory */
  | { kind: 'out-of-memory' }
  /** an error that is nobody's fault but ours */
  | { kind: 'crash'; message: string };

/** The place of an entry that was given away, among results. */
export interface HandedResult {
  kind: 'handed';
  ticket: number;
}
