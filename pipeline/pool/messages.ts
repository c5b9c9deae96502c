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
  | { kind: 'answer'; granted: boolean }
  /** results of so much weight were taken */
  | { kind: 'taken'; weight: number };

/** A result with the number of entries visited by then, and its weight. */
export type PostedResult = [visits: number, weight: number, result: unknown];

/** Weight of results that a worker may have posted before they are taken; beyond it, it waits. */
export const MOST_AHEAD = 2 * 1024 * 1024;

/** About how many bytes a result takes in memory. */
export function weightOf(result: unknown): number {
  if (typeof result === 'string') return 32 + result.length;
  if (typeof result !== 'object' || result === null) return 16;
  return Object.values(result).reduce((sum: number, value) => sum + weightOf(value), 64);
}

/** From a worker to the pool, about the first work it was given that is not done. */
export type FromWorker =
  | { kind: 'results'; results: PostedResult[] }
  /** the work is done; with the number of entries visited in all */
  | { kind: 'done'; visits: number }
  /** it is there, or there is progress, though there are no results */
  | { kind: 'alive' }
  /** what comes next, in a last try */
  | { kind: 'visiting'; path: string }
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
