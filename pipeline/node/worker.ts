/** The worker of {@link openPool}. */
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { extractWork } from '../jobs/extract.ts';
import { hashWork } from '../jobs/hash-files.ts';
import { listWork } from '../jobs/list.ts';
import { extractTexturesWork } from '../jobs/texture-work.ts';
import type { ToWorker } from '../pool/messages.ts';
import { serve } from '../pool/serve.ts';
import { openFile } from './file-source.ts';
import { matcherOf } from './match.ts';
import { nodePlatform } from './platform.ts';
import type { WorkerSettings } from './pool.ts';
import { createSession } from './session.ts';
import { NodeStaging } from './staging.ts';

const port = parentPort!;
const { session, match } = workerData as WorkerSettings;
const stagings = new Map<string, NodeStaging>();

const hear = serve({
  work: { textures: extractTexturesWork, extract: extractWork, ls: listWork, hash: hashWork },
  platform: nodePlatform,
  match: matcherOf(match),
  createSession: (memory, onWarning) => createSession({ ...session, memory, onWarning }),
  open: openFile,
  staging(folder) {
    let staging = stagings.get(folder);
    if (!staging) stagings.set(folder, (staging = new NodeStaging(folder, `w${threadId}`)));
    return staging;
  },
  post: (message, transfer) => port.postMessage(message, transfer),
});
port.on('message', (message: ToWorker) => hear(message));
