let nowhere: MessagePort | undefined;

/**
 * Gives the memory of a buffer back at once: collectors of garbage see how little an object takes, and not what it
 * holds. Views of the buffer are empty afterwards.
 */
export function freeBuffer(buffer: ArrayBufferLike): void {
  if (!nowhere) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    nowhere = port1;
  }
  // What is moved to a port that leads nowhere is dropped there.
  nowhere.postMessage(undefined, [buffer as ArrayBuffer]);
}
