/** The first bytes of a file or of a header in it. Reads past what is there give 0 and are remembered. */
export class Head {
  readonly bytes: Uint8Array;
  /** bytes of the whole file */
  readonly size: number;
  /** last extension of the file's name in lower case, without the dot and without `.zs`; empty when unnamed */
  readonly extension: string;
  readonly #view: DataView;
  #missed = false;

  constructor(bytes: Uint8Array, size: number, extension: string) {
    this.bytes = bytes;
    this.size = size;
    this.extension = extension;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether a read went past the bytes that are there. */
  get missed(): boolean {
    return this.#missed;
  }

  /** Whether `count` bytes at `offset` are there. */
  has(offset: number, count: number): boolean {
    const there = offset + count <= this.bytes.length;
    if (!there) this.#missed = true;
    return there;
  }

  u8(offset: number): number {
    return this.has(offset, 1) ? this.#view.getUint8(offset) : 0;
  }

  u16(offset: number, bigEndian = false): number {
    return this.has(offset, 2) ? this.#view.getUint16(offset, !bigEndian) : 0;
  }

  u32(offset: number, bigEndian = false): number {
    return this.has(offset, 4) ? this.#view.getUint32(offset, !bigEndian) : 0;
  }

  u64(offset: number): bigint {
    return this.has(offset, 8) ? this.#view.getBigUint64(offset, true) : 0n;
  }

  /** Whether a byte order mark at `offset` says big endian. */
  bigEndian(offset: number): boolean {
    return this.u16(offset, true) === 0xfeff;
  }

  /** Text up to a NUL, at most `limit` bytes. */
  text(offset: number, limit: number): string {
    let text = '';
    for (let i = offset; i < offset + limit; i++) {
      const c = this.u8(i);
      if (c === 0) break;
      text += String.fromCharCode(c);
    }
    return text;
  }

  /** Whether `magic` (ASCII text or bytes) lies at `offset`. */
  startsWith(magic: string | readonly number[], offset: number): boolean {
    if (offset + magic.length > this.bytes.length) return false;
    for (let i = 0; i < magic.length; i++) {
      const wanted = typeof magic === 'string' ? magic.charCodeAt(i) : magic[i];
      if (this.bytes[offset + i] !== wanted) return false;
    }
    return true;
  }
}
