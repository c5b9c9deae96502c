// A worker that watches the thread which fuzzes, and ends the process when one input takes too long: a loop without end
// cannot be interrupted in any other way. `shared` is laid out as fuzz/engine.ts says.
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { workerData } from 'node:worker_threads';

const { shared, seconds, pathOf, reproduce } = workerData;
const state = new Int32Array(shared, 0, 4);

let last = -1;
let since = 0;
setInterval(() => {
  const [turn, running, n, size] = state;
  if (turn !== last || !running) {
    last = turn;
    since = performance.now();
    return;
  }
  if (performance.now() - since < 1000 * seconds) return;
  const path = pathOf + `${n}.bin`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, new Uint8Array(shared, state.byteLength, size));
  writeSync(2, `fuzz: no end after ${seconds} s\n  input: ${path}\n  again: ${reproduce} --only ${n}\n`);
  process.kill(process.pid, 'SIGKILL');
}, 250);
