import { StreamError } from '../../contract.ts';
import { Xxh64 } from '../hash.ts';
import { decodeBlock, type Frame } from './block.ts';
import { NO_DICTIONARY, type Dictionary } from './dictionary.ts';
import { Source } from './source.ts';

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50; // and the fifteen numbers after it

const RAW = 0;
const RLE = 1;
const COMPRESSED = 2;

const BLOCK_MAX = 128 << 10;
/** A push gives no more than this. */
const OUTPUT_MAX = 4 << 20;
const UNKNOWN = 0xffff_ffff_ffff_ffffn;

/** What the frame parser asks for: bytes, to pass over bytes, or that the output be given first. */
type Request = { take: number } | { skip: number } | 'give';

/** A little-endian number of up to eight bytes. */
function littleEndian(bytes: Uint8Array, at: number, size: number): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i]!);
  return value;
}

const u32 = (bytes: Uint8Array): number => Number(littleEndian(bytes, 0, 4));

/** The push decoder. The parser of the stream is a generator, which the pushes feed. */
export class Decoder {
  pending = false;
  readonly #windowLimit: number;
  readonly #defaultDictionary: Dictionary;
  readonly #dictionaries = new Map<number, Dictionary>();

  readonly #parser = this.#parse();
  #request: Request;
  /** Between frames, where the input may end. */
  #between = false;
  /** Where the bytes asked for lie in the stream. */
  #position = 0;
  #received = 0;
  #final = false;
  #failure: unknown;

  #held = new Uint8Array(0);
  #heldStart = 0;
  #heldEnd = 0;

  /** Output: what was given may be needed as the window. */
  #buffer = new Uint8Array(0);
  #given = 0;
  #at = 0;
  readonly #source = new Source();

  constructor(windowLimit: number, defaultDictionary: Dictionary = NO_DICTIONARY) {
    this.#windowLimit = windowLimit;
    this.#defaultDictionary = defaultDictionary;
    this.#request = this.#parser.next().value;
  }

  addDictionary(dictionary: Dictionary): void {
    this.#dictionaries.set(dictionary.id, dictionary);
  }

  push(chunk: Uint8Array, final: boolean): Uint8Array {
    this.#final ||= final;
    this.#received += chunk.length;
    this.#given = this.#at;
    this.pending = false;
    if (!this.#failure) {
      try {
        this.#feed(chunk);
      } catch (error) {
        this.#failure = error;
      }
    }
    // What was decoded before an error is given first, so that the output does not depend on how the input is cut.
    if (this.#failure) {
      if (this.#at === this.#given) throw this.#failure;
      this.pending = true;
    }
    return this.#buffer.slice(this.#given, this.#at);
  }

  /** Answers the parser's requests as long as the input lasts, the held input first, and holds the rest back. */
  #feed(chunk: Uint8Array): void {
    let at = 0;
    for (;;) {
      const request = this.#request;
      const held = this.#heldEnd - this.#heldStart;
      if (request === 'give') {
        if (this.#at > this.#given) {
          this.pending = true;
          return this.#hold(chunk, at, chunk.length);
        }
        this.#resume(NOTHING);
      } else if ('skip' in request) {
        const size = Math.min(held || chunk.length - at, request.skip);
        if (held) this.#heldStart += size;
        else at += size;
        this.#position += size;
        request.skip -= size;
        if (!request.skip) this.#resume(NOTHING);
        else if (!size) return this.#checkEnd(request.skip);
      } else if (held < request.take && (held || chunk.length - at < request.take)) {
        const size = Math.min(request.take - held, chunk.length - at);
        this.#hold(chunk, at, at + size);
        at += size;
        if (held + size < request.take) return this.#checkEnd(request.take - held - size);
      } else {
        const unit = held
          ? this.#held.subarray(this.#heldStart, this.#heldStart + request.take)
          : chunk.subarray(at, at + request.take);
        if (held) this.#heldStart += request.take;
        else at += request.take;
        this.#resume(unit);
        this.#position += request.take;
      }
    }
  }

  #resume(unit: Uint8Array): void {
    this.#request = this.#parser.next(unit).value;
  }

  #checkEnd(missing: number): void {
    if (!this.#final || (this.#between && missing === 4)) return;
    throw new StreamError('truncated', this.#received, missing);
  }

  #hold(chunk: Uint8Array, from: number, to: number): void {
    const size = to - from;
    if (!size) return;
    if (this.#heldEnd + size > this.#held.length) {
      const kept = this.#held.subarray(this.#heldStart, this.#heldEnd);
      const least = kept.length + size;
      // Doubling keeps the copies few when the input comes in small pieces.
      if (least > this.#held.length) this.#held = new Uint8Array(Math.max(least, 2 * this.#held.length));
      this.#held.set(kept);
      this.#heldStart = 0;
      this.#heldEnd = kept.length;
    }
    this.#held.set(chunk.subarray(from, to), this.#heldEnd);
    this.#heldEnd += size;
  }

  #fail(...args: ConstructorParameters<typeof StreamError>): never {
    throw new StreamError(...args);
  }

  *#parse(): Generator<Request, never, Uint8Array> {
    for (;;) {
      const magic = u32(yield { take: 4 });
      this.#between = false;
      if (magic === MAGIC) yield* this.#parseFrame();
      else if ((magic & 0xfffffff0) === SKIPPABLE_MAGIC) yield { skip: u32(yield { take: 4 }) };
      else this.#fail('bad-magic', this.#position, MAGIC, magic);
      this.#between = true;
    }
  }

  *#parseFrame(): Generator<Request, void, Uint8Array> {
    const descriptor: number = (yield { take: 1 })[0]!;
    if (descriptor & 8) this.#fail('reserved', this.#position, 0, 8);
    const single = (descriptor & 0x20) !== 0;
    const idAt = single ? 0 : 1;
    const idSize = [0, 1, 2, 4][descriptor & 3]!;
    const sizeAt = idAt + idSize;
    const sizeSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
    const header: Uint8Array = yield { take: sizeAt + sizeSize };
    const at = this.#position;

    let contentSize = UNKNOWN;
    if (sizeSize) contentSize = littleEndian(header, sizeAt, sizeSize) + (sizeSize === 2 ? 256n : 0n);
    let window = Number(contentSize);
    if (!single) {
      const base = 2 ** (10 + (header[0]! >> 3));
      window = base + (base / 8) * (header[0]! & 7);
      this.#checkWindow(at, window);
    }
    const id = Number(littleEndian(header, idAt, idSize));
    const dictionary = id ? this.#dictionaries.get(id) : this.#defaultDictionary;
    if (!dictionary) return this.#fail('missing-dictionary', at + idAt, 0, id);
    if (single) this.#checkWindow(at + sizeAt, window);

    const content = contentSize === UNKNOWN ? Infinity : Number(contentSize);
    const frame: Frame = {
      window,
      blockLimit: Math.min(window, BLOCK_MAX),
      dictionary,
      tables: { ...dictionary.tables },
      repeats: [...dictionary.repeats],
      total: 0,
      room: 0,
    };
    const checksum = descriptor & 4 ? new Xxh64(0n) : undefined;
    let last = false;
    while (!last) last = yield* this.#parseBlock(frame, content, checksum);
    if (content !== Infinity && frame.total !== content) {
      this.#fail('bad-content-size', at + sizeAt, Number(contentSize & 0xffffffffn), frame.total);
    }
    if (checksum) {
      const expected = u32(yield { take: 4 });
      const found = Number(checksum.digest() & 0xffffffffn);
      if (found !== expected) this.#fail('bad-checksum', this.#position, expected, found);
    }
  }

  #checkWindow(at: number, window: number): void {
    if (window <= this.#windowLimit) return;
    this.#fail('window-too-large', at, this.#windowLimit >>> 10, Math.min(Math.ceil(window / 1024), 0xffffffff));
  }

  /** One block; gives whether it is the last of its frame. */
  *#parseBlock(frame: Frame, content: number, checksum: Xxh64 | undefined): Generator<Request, boolean, Uint8Array> {
    const bytes: Uint8Array = yield { take: 3 };
    const header = bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    if (type > COMPRESSED) this.#fail('reserved', this.#position, 0, type);
    frame.room = Math.min(frame.blockLimit, content - frame.total);
    const limit = type === COMPRESSED ? frame.blockLimit : frame.room;
    if (size > limit) this.#fail('bad-block-size', this.#position, limit, size);

    this.#source.load(yield { take: type === RLE ? 1 : size }, this.#position);
    if (this.#at - this.#given > OUTPUT_MAX - BLOCK_MAX) yield 'give';
    this.#makeRoom(frame);
    const { start, end } = this.#source;
    const from = this.#at;
    if (type === RAW) {
      this.#buffer.set(this.#source.bytes.subarray(start, end), from);
      this.#at += size;
    } else if (type === RLE) {
      this.#buffer.fill(this.#source.bytes[start]!, from, from + size);
      this.#at += size;
    } else {
      this.#at = decodeBlock(this.#source, frame, this.#buffer, from);
    }
    frame.total += this.#at - from;
    checksum?.update(this.#buffer.subarray(from, this.#at));
    return (header & 1) === 1;
  }

  /** Makes room for a block, keeping the window and what this push has to give. */
  #makeRoom({ total, window, room }: Frame): void {
    if (this.#buffer.length - this.#at >= room) return;
    const from = Math.min(this.#given, this.#at - Math.min(total, window));
    const size = this.#at - from;
    if (2 * (size + room) <= this.#buffer.length) {
      this.#buffer.copyWithin(0, from, this.#at);
    } else {
      const grown = new Uint8Array(total ? 2 * (size + room) : size + room);
      grown.set(this.#buffer.subarray(from, this.#at));
      this.#buffer = grown;
    }
    this.#given -= from;
    this.#at = size;
  }
}

const NOTHING = new Uint8Array(0);
