import type { FileType } from '../../ts/formats/recognize.ts';
import { channelNames } from '../../ts/nn/gfx.ts';
import { holdsTextures, readTextures, type Texture } from '../../ts/textures/texture-files.ts';
import { Job, type JobFailure, type JobInput, type JobOptions } from './job.ts';
import type { WorkFactory } from './work.ts';

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

export interface ListOptions extends JobOptions {
  /** how deep to look into archives; 0: not at all */
  depth?: number;
}

/** Tells what files are and what is in them. Gives an event per file, entry and failure, and a summary last. */
export async function* list(inputs: Iterable<JobInput>, options: ListOptions): AsyncGenerator<ListEvent, void, void> {
  const { depth = Infinity } = options;
  const job = new Job(options);
  let entries = 0;
  const events = job.run<ListSettings, ListResult, ListedFile>(inputs, {
    name: 'ls',
    work: listWork,
    options: { depth },
    finish({ isEntry, ...listed }) {
      if (isEntry) entries++;
      return [listed];
    },
  });
  for await (const event of events) {
    // Lists name files as they can be given to other commands, and so do failures.
    yield event.kind === 'failure' ? { ...event, file: event.error.path ?? event.file } : event;
  }
  yield { kind: 'summary', files: job.files, entries, failed: job.failed };
}

interface ListSettings {
  depth: number;
}

interface ListResult extends ListedFile {
  isEntry: boolean;
}

/** Describes files. */
export const listWork: WorkFactory<ListSettings, ListResult> = ({ depth }, { match, turn, session }) => ({
  async *file(file) {
    const { path, type, layers, storedSize, content, output } = file;
    const hasTextures = holdsTextures(type.id);
    if (!hasTextures && !match(output)) return;
    if (hasTextures || content.size === undefined) await content.gather(turn);
    const all = hasTextures ? [...readTextures(type.id, content.source(), session.textureOptions)] : undefined;
    const textures = match(output) ? all : all?.filter(({ name }) => match(`${output}/${name}`));
    if (!match(output) && !textures?.length) return;
    yield {
      kind: 'file',
      path,
      type,
      layers,
      size: content.size ?? content.source().size,
      compressedSize: storedSize,
      ...(textures && { textures: textures.map(describeTexture) }),
      isEntry: file.depth > 0,
    };
  },
  walk: () => ({ enter: (file) => file.depth < depth }),
  *unopened({ path, unopened: known }) {
    const { type, storedSize } = known!;
    yield { kind: 'file', path, type, layers: [], size: undefined, compressedSize: storedSize, isEntry: false };
  },
});

function describeTexture(texture: Texture): ListedTexture {
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
