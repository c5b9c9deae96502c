// What stream-browserify expects of its surroundings. No `process.versions`: libraries take it for Node.
export const process = { env: {}, browser: true, nextTick: (f, ...args) => queueMicrotask(() => f(...args)) };
export { Buffer } from 'buffer';
