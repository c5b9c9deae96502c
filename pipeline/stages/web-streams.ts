import type { Readable as NodeReadable } from 'node:stream';
import { Readable } from '#stream';

/** A Web stream of bytes as a Node-style stream. */
export function fromWeb(stream: ReadableStream<Uint8Array>): NodeReadable {
  const reader = stream.getReader();
  return new Readable({
    read() {
      reader.read().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      reader.cancel(error ?? undefined).then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

/** A Node-style stream as a Web stream; read as it is asked for. */
export function toWeb<T = Uint8Array>(stream: NodeReadable): ReadableStream<T> {
  const iterator = (stream as AsyncIterable<T>)[Symbol.asyncIterator]();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
