import type { PushDecoder } from '../../ts/formats/push-decoder.ts';
import type { FileType } from '../../ts/formats/recognize.ts';
import { createYaz0Decoder, yaz0 } from '../../ts/formats/yaz0/index.ts';
import { createZstdDecoder, readZstdFrameHeader } from '../../ts/formats/zstd/index.ts';
import { FormatError } from '../../ts/io/errors.ts';
import { BufferSource } from '../../ts/io/source.ts';
import { SourceContent, StreamContent, type Content, type Turn } from './content.ts';
import { freeBuffer } from './free-buffer.ts';
import type { Session } from './session.ts';

/** Whether {@link decompress} takes this type off. */
export function isCompressed(type: FileType): boolean {
  return type.id === 'zstd' || type.id === 'yaz0';
}

/** What is inside a compressed file, decoded as it is read. */
export async function decompress(content: Content, type: FileType, session: Session, turn: Turn): Promise<Content> {
  return type.id === 'zstd' ? zstdContent(content, session, turn) : yaz0Content(content, session);
}

const YAZ0_HEADER_SIZE = 0x10;
const ZSTD_HEADER_SIZE = 18;

function yaz0Content(content: Content, session: Session): Content {
  const { path } = content;
  const header = content.head(YAZ0_HEADER_SIZE);
  const size = header.length < YAZ0_HEADER_SIZE ? undefined : yaz0.read(new BufferSource(path, header)).size;
  const chunks = decode(content, () => createYaz0Decoder(session.kernels, path));
  return new StreamContent(path, chunks, { maxSize: session.limits.maxSize, memory: session.memory, size });
}

async function zstdContent(content: Content, session: Session, turn: Turn): Promise<Content> {
  const { path } = content;
  const { kernels, limits, memory } = session;
  const header = readZstdFrameHeader(content.head(ZSTD_HEADER_SIZE));
  await session.findDictionaries();
  const { dictionaries } = session;
  const stream = (from: Content, defaultDictionary = 0, reserved = 0): StreamContent => {
    const options = { path, dictionaries, windowLimit: limits.windowLimit, defaultDictionary };
    const chunks = namingPlaces(
      decode(from, () => createZstdDecoder(kernels, options)),
      path,
      session,
    );
    const size = header?.contentSize;
    return new StreamContent(path, chunks, { maxSize: limits.maxSize, memory, size, reserved });
  };
  if (header?.dictionaryId || !session.hasGivenDictionaries) {
    const window = Math.min(header?.windowSize ?? 0, limits.windowLimit);
    await memory.reserve(window);
    return stream(content, 0, window);
  }
  await content.gather(turn);
  return tryDictionaries(new SourceContent(content.source()), stream, session, turn);
}

/**
 * A frame that names no dictionary may need one all the same, which only shows when it turns out corrupt without: then
 * each dictionary that was given is tried.
 */
async function tryDictionaries(
  content: Content,
  stream: (from: Content, defaultDictionary?: number) => StreamContent,
  session: Session,
  turn: Turn,
): Promise<Content> {
  const plain = stream(content);
  try {
    await plain.gather(turn);
    return plain;
  } catch (error) {
    plain.close();
    if (!(error instanceof FormatError) || error.code !== 'bad-format') throw error;
    for (const { label, handle } of session.dictionaries.open(session.kernels)) {
      const withDictionary = stream(content, handle);
      try {
        await withDictionary.gather(turn);
      } catch (other) {
        withDictionary.close();
        if (other instanceof FormatError) continue;
        throw other;
      }
      session.onWarning(`${content.path}: the zstd frame names no dictionary but is only valid with ${label}`);
      return withDictionary;
    }
    throw error;
  }
}

function* decode(content: Content, open: () => PushDecoder): Generator<Uint8Array, void, void> {
  const decoder = open();
  try {
    for (const chunk of content.chunks()) yield* passing(decoder.push(chunk, false));
    yield* passing(decoder.push(new Uint8Array(0), true));
  } finally {
    decoder.free();
  }
}

/** Frees each chunk when the next is asked for. */
function* passing(chunks: Iterable<Uint8Array>): Generator<Uint8Array, void, void> {
  for (const chunk of chunks) {
    yield chunk;
    freeBuffer(chunk.buffer);
  }
}

/** Adds to the error of a missing dictionary where it was looked for. */
function* namingPlaces(
  chunks: Generator<Uint8Array, void, void>,
  path: string,
  session: Session,
): Generator<Uint8Array, void, void> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof FormatError) || error.code !== 'missing-dictionary') throw error;
    const { places } = session.dictionaries;
    const { code, format, offset, expected } = error;
    const found = places.length
      ? `none with this id in ${places.join(', ')}`
      : 'none: give one with --dictionary, or the folder of the game with --romfs';
    throw new FormatError({ code, format, offset, expected, found, path, cause: error });
  }
}
