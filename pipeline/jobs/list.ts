import { readBntx, type BntxTexture } from '../../ts/formats/bntx/index.ts';
import type { FileType } from '../../ts/formats/recognize.ts';
import { channelNames } from '../../ts/nn/gfx.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../walk/session.ts';
import type { VisitedFile } from '../walk/walk.ts';
import { Failures, Turns, visits, type JobFailure, type JobInput } from './job.ts';

/** A texture of a listed file. */
export interface ListedTexture {
  name: string;
  /** such as `BC7_SRGB` */
  format: string;
  dimension: string;
  width: number;
  height: number;
  depth: number;
  layers: number;
  mips: number;
  channels: string;
  userData?: Record<string, (number | string)[]>;
}

/** A file, or an entry of an archive. */
export interface ListedFile {
  kind: 'file';
  /** can be given to other commands */
  path: string;
  type: FileType;
  /** compression around it, outermost first */
  layers: FileType[];
  /** in bytes, without outer compression; undefined when that could not be taken off */
  size: number | undefined;
  /** in bytes, where it lies */
  compressedSize: number;
  textures?: ListedTexture[];
}

export interface ListSummary {
  kind: 'summary';
  files: number;
  entries: number;
  failed: number;
}

export type ListEvent = ListedFile | JobFailure | ListSummary;

export interface ListOptions {
  session: Session;
  platform: Platform;
  /** how deep to look into archives; 0: not at all */
  depth?: number;
  signal?: AbortSignal;
}

/** Tells what files are and what is in them. Gives an event per file, entry and failure, and a summary last. */
export async function* list(inputs: Iterable<JobInput>, options: ListOptions): AsyncGenerator<ListEvent, void, void> {
  const { session, platform, depth = Infinity, signal } = options;
  const failures = new Failures();
  const turns = new Turns(platform, signal);
  let files = 0;
  let entries = 0;
  for (const input of inputs) {
    files++;
    try {
      for (const visit of visits(input, session, { enter: (file) => file.depth < depth })) {
        await turns.take();
        try {
          if (visit.kind === 'failure') {
            const { path, unopened } = visit;
            if (unopened) {
              const { type, storedSize } = unopened;
              yield { kind: 'file', path, type, layers: [], size: undefined, compressedSize: storedSize };
            }
            throw visit.error;
          }
          if (visit.depth) entries++;
          yield describe(visit);
        } catch (error) {
          const failure = failures.report(error, visit.path, visit.path);
          if (failure) yield failure;
        }
      }
    } catch (error) {
      const failure = failures.report(error, input.path, input.path);
      if (failure) yield failure;
    }
    session.recycle();
  }
  yield { kind: 'summary', files, entries, failed: failures.count };
}

function describe(file: VisitedFile): ListedFile {
  const { path, type, layers, storedSize, content } = file;
  const textures = type.id === 'bntx' ? readBntx(content.source()).flatMap((bntx) => bntx.textures) : undefined;
  return {
    kind: 'file',
    path,
    type,
    layers,
    size: content.size ?? content.source().size,
    compressedSize: storedSize,
    ...(textures && { textures: textures.map(describeTexture) }),
  };
}

function describeTexture(texture: BntxTexture): ListedTexture {
  const { name, format, dimension, width, height, depth, layerCount, mipCount, channels, userData } = texture;
  return {
    name,
    format: format.name,
    dimension,
    width,
    height,
    depth,
    layers: layerCount,
    mips: mipCount,
    channels: channelNames(channels),
    ...(userData.length && {
      userData: Object.fromEntries(userData.map((datum) => [datum.name, Array.from<number | string>(datum.values)])),
    }),
  };
}
