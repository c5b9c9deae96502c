/** Bytes that are written from front to back; the array grows as needed. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A number of `count` bytes, the lowest first. */
  le(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.u8(Math.floor(value / 2 ** (8 * i)) & 0xff);
  }

  bytes(data: Uint8Array): void {
    this.#reserve(data.length);
    this.#bytes.set(data, this.#length);
    this.#length += data.length;
  }

  /** A copy of what was written. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
