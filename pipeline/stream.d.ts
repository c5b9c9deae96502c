// What `#stream` of package.json is to TypeScript, which cannot follow it to node:stream by itself: what node:stream and
// stream-browserify both have.
export { Readable, Transform } from 'node:stream';
