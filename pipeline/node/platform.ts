import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createDeflate } from 'node:zlib';
import type { Platform } from '../platform.ts';

/** Node's hash, zlib and event loop. */
export const nodePlatform: Platform = {
  sha256() {
    const hash = createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
  },

  deflater(level) {
    const stream = createDeflate({ level });
    let chunks: Uint8Array[] = [];
    stream.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    const taken = (): Uint8Array => {
      const bytes = Buffer.concat(chunks);
      chunks = [];
      return bytes;
    };
    return {
      push: (data, final) =>
        new Promise((resolve, reject) => {
          stream.once('error', reject);
          const done = (): void => {
            stream.off('error', reject);
            resolve(taken());
          };
          // A copy: zlib reads it in a thread, when it may be something else already.
          const copy = Buffer.from(data);
          if (final) stream.once('end', done).end(copy);
          else stream.write(copy, done);
        }),
      free: () => stream.destroy(),
    };
  },

  yield: () => setImmediate(),
};
