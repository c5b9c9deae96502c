// A worker that does what the names of its files say: `WHAT` always, `once WHAT MARKER` the first time alone, that is
// while there is no file MARKER, and otherwise gives the results a, b, c.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const post = (message) => parentPort.postMessage(message, []);
const results = (...texts) => post({ kind: 'results', results: texts.map((text, i) => [i + 1, 100, text]) });

const FAULTS = {
  throw() {
    throw new Error('thrown on purpose');
  },
  exit() {
    process.exit(3);
  },
  hang() {
    for (;;);
  },
  'heap-full'() {
    const all = [];
    for (;;) all.push(new Array(1e6).fill(all.length / 3));
  },
  'out-of-memory'() {
    post({ kind: 'out-of-memory' });
  },
  crash() {
    post({ kind: 'crash', message: 'crashed on purpose' });
  },
  'half-way'() {
    results('a', 'b');
    setTimeout(() => process.exit(4), 50);
  },
};

post({ kind: 'alive' });
parentPort.on('message', ({ kind, order }) => {
  if (kind !== 'work') return;
  const [what, ...rest] = order.file.split(' ');
  const [fault, marker] = what === 'once' ? rest : [what];
  if (fault in FAULTS && !(marker && existsSync(marker))) {
    if (marker) writeFileSync(marker, '');
    FAULTS[fault]();
    return;
  }
  const wait = fault === 'slow' ? 100 : 0;
  setTimeout(() => {
    results('a', 'b', 'c');
    post({ kind: 'done', visits: 3 });
  }, wait);
});
