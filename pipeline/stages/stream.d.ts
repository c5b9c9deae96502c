/** `imports` of package.json: node:stream in Node, stream-browserify elsewhere; what both have. */
declare module '#stream' {
  export { Readable, Transform } from 'node:stream';
}
