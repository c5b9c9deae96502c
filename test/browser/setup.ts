// What the build gives the stream packages (scripts/shims/process.cjs), as the tests load them unbundled; and Buffer,
// which vectors may spell bytes with. test/house/layering.test.ts sees to it that our own sources need neither.
import { Buffer } from 'buffer';

const nextTick = (f: (...args: unknown[]) => void, ...args: unknown[]): void => queueMicrotask(() => f(...args));

Object.assign(globalThis, { Buffer, process: { env: {}, browser: true, nextTick } });
