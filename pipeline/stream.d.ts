// What `#stream` is to TypeScript: it cannot follow the package.json entry to node:stream by itself. Only what
// stream-browserify has too may be used.
export { Duplex, PassThrough, Readable, Transform, Writable, finished, pipeline } from 'node:stream';
export type { DuplexOptions, ReadableOptions, TransformCallback, TransformOptions, WritableOptions } from 'node:stream';
