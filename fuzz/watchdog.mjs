// A worker that watches the thread which fuzzes, and ends the process when one input takes too long: a loop without end
// cannot be interrupted in any other way. `shared` is laid out as fuzz/engine.ts says.
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { workerData } from 'node:worker_threads';

const { shared, patience, pathOf, reproduce } = workerData;
const state = new Int32Array(shared, 0, 4);

/** Work counts, not time: the machine may be busy with something else. What only waits has longer. */
const WAITING = 12;

let last = -1;
let work = 0;
let since = 0;
setInterval(() => {
  const [turn, running, n, size] = state;
  const { user, system } = process.cpuUsage();
  const now = performance.now();
  if (turn !== last || !running) {
    last = turn;
    work = user + system;
    since = now;
    return;
  }
  if (user + system - work < 1e6 * patience && now - since < 1e3 * patience * WAITING) return;
  const path = `${pathOf}${n}.bin`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, new Uint8Array(shared, state.byteLength, size));
  writeSync(2, `no end after ${patience} s\n  input: ${path}\n  again: ${reproduce} --only ${n}\n`);
  process.kill(process.pid, 'SIGKILL');
}, 100);
