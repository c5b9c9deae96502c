import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { compileKernels } from '../../ts/kernels/index.ts';
import type { FromWorker } from '../pool/messages.ts';
import { WorkerPool, type PoolWorker, type PoolWorkerEvents, type WorkerPoolOptions } from '../pool/pool.ts';
import type { NodeSessionOptions } from './session.ts';

export interface NodePoolOptions extends Partial<Omit<WorkerPoolOptions, 'createWorker'>> {
  /** what the sessions of workers are made of */
  session?: Omit<NodeSessionOptions, 'onWarning' | 'memory' | 'module'>;
  /** globs of what is wanted, by the relative paths of outputs; `!` excludes */
  match?: string[];
  /** the worker's script; default: the one that comes with romflow */
  script?: URL;
}

/** What each worker is started with. */
export interface WorkerSettings {
  session: NodeSessionOptions;
  match: string[];
}

/** Most that a worker may have of what the garbage collector manages, in MiB; contents of files are not of it. */
const HEAP_LIMIT = 512;

/** Makes a pool of threads, one for each processor unless told otherwise; to be closed. Threads start when needed. */
export function openPool({ session = {}, match = [], script, ...options }: NodePoolOptions = {}): WorkerPool {
  const url = script ?? new URL('./worker.js', import.meta.url);
  const settings: WorkerSettings = { session: { ...session, module: compileKernels() }, match };
  return new WorkerPool({
    jobs: availableParallelism(),
    ...options,
    createWorker: (events) => startWorker(url, settings, events),
  });
}

function startWorker(url: URL, workerData: WorkerSettings, events: PoolWorkerEvents): PoolWorker {
  const worker = new Worker(url, { workerData, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT } });
  worker.on('message', (message: FromWorker) => events.message(message));
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    events.gone(outOfMemory ? 'there is not enough memory' : `the worker ended: ${error.message}`, outOfMemory);
  });
  worker.on('exit', (code) => events.gone(`the worker ended with code ${code}`, false));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
    hold: (held) => (held ? worker.ref() : worker.unref()),
  };
}
