import type { OutputFolder } from '../output/folder.ts';
import { ContactSheets, type ContactSheet } from './contact-sheets.ts';
import { Job, type JobFailure, type JobInput, type JobOptions, type ResultStore } from './job.ts';
import { Placer, type FileStore } from './placer.ts';
import type { ResultShapes, ShapesOf } from './shapes.ts';
import {
  extractTexturesWork,
  type SurfaceMade,
  type TextureFileMade,
  type TextureResult,
  type TextureSettings,
} from './texture-work.ts';

/** Which mip levels to write, both ends included. */
export interface MipRange {
  first: number;
  last: number;
}

/** What the pictures are to be like; can be posted to workers. */
export interface TextureOptions {
  /** `png`: pictures; `dds`, `astc`: the stored blocks in files of that kind, a DDS for each texture */
  to?: 'png' | 'dds' | 'astc';
  /** default: mip 0 alone, in DDS all */
  mips?: MipRange;
  /** make blue of normal maps with two channels */
  reconstructZ?: boolean;
  /** write what pictures cannot hold beside them, as JSON */
  sidecar?: boolean;
  /** write surfaces of floats as OpenEXR, too */
  hdr?: boolean;
  /** leave the textures' channel sources out */
  rawChannels?: boolean;
  /** make all pixels opaque */
  opaque?: boolean;
  /** put all pictures into the output folder itself */
  flat?: boolean;
  /** write pictures with the same pixels once */
  dedupe?: boolean;
  /** write thumbnails of all pictures, too, many in a PNG */
  contactSheet?: boolean;
  /** only tell what would be written */
  dryRun?: boolean;
  /** 1: the deflate kernel, the same bytes on every machine; 2 to 9: the platform's zlib */
  pngLevel?: number;
  /** compute `rgbaSha256` */
  hashes?: boolean;
}

export interface ExtractTexturesOptions extends JobOptions, TextureOptions {
  output: OutputFolder;
  /** what was written before, to be taken over */
  store?: FileStore;
}

export const EXTRACT_TEXTURES_DEFAULTS = {
  to: 'png',
  reconstructZ: false,
  sidecar: false,
  hdr: false,
  rawChannels: false,
  opaque: false,
  flat: false,
  dedupe: false,
  contactSheet: false,
  dryRun: false,
  pngLevel: 1,
  hashes: false,
} as const satisfies Required<Omit<TextureOptions, 'mips'>>;

/** A surface that was written. */
export interface ExtractedSurface {
  kind: 'surface';
  file: string;
  texture: string;
  /** such as `BC7_SRGB` */
  format: string;
  /** of this mip level, in texels */
  width: number;
  height: number;
  depth: number;
  layer: number;
  slice: number;
  mip: number;
  /** such as `RGBA` or `111R` */
  channels: string;
  /** of the RGBA8 bytes as written; empty unless asked for */
  rgbaSha256: string;
  /** relative to the output folder */
  png: string;
  /** the pixels were written before: `png` is where */
  duplicate?: true;
  /** an earlier run wrote it */
  resumed?: true;
}

/** A file that is no picture. */
export interface ExtractedTextureFile {
  kind: 'file';
  file: string;
  texture: string;
  /** `exr`: half floats beside a picture; `sidecar`: JSON of what pictures cannot hold */
  what: 'dds' | 'astc' | 'exr' | 'sidecar';
  /** such as `BC7_SRGB` */
  format: string;
  /** of its first mip level, in texels */
  width: number;
  height: number;
  depth: number;
  /** how much of the texture is in it */
  layers: number;
  mips: number;
  /** of `astc` and `exr`, which surface it is */
  layer?: number;
  slice?: number;
  mip?: number;
  /** of what was written; empty unless asked for */
  sha256: string;
  /** relative to the output folder */
  output: string;
  /** the content was written before: `output` is where */
  duplicate?: true;
  /** an earlier run wrote it */
  resumed?: true;
}

/** What a whole job did; comes last. */
export interface ExtractTexturesSummary {
  kind: 'summary';
  files: number;
  textures: number;
  /** that were written, or are in files that were */
  surfaces: number;
  /** files that are no pictures */
  others: number;
  /** of these, those that are OpenEXR */
  exrs: number;
  /** contact sheets */
  sheets: number;
  /** files that hold no textures or are not handled, by kind */
  skipped: Record<string, number>;
  failed: number;
  bytesIn: number;
  /** of the PNGs of this run and of those taken over */
  bytesOut: number;
  seconds: number;
  /** surfaces that were not written since their pixels were there already */
  duplicates: number;
  /** textures whose alpha is a copy of another channel by their channel sources */
  repeatedAlpha: number;
  /** files that were done by an earlier run */
  resumed: number;
  /** files of earlier runs that do not come of the inputs any more, and were removed */
  removed: number;
}

export type ExtractTexturesEvent =
  | ExtractedSurface
  | ExtractedTextureFile
  | ContactSheet
  | JobFailure
  | ExtractTexturesSummary;

/**
 * Writes every texture of the inputs, and of everything in them, as PNG.
 *
 * Gives an event per surface and failure, in the order of the inputs, and a summary last. A failure with code `output`
 * or `aborted` has ended the job.
 *
 * @example
 * for await (const event of extractTextures(inputs, { session, output, platform: nodePlatform })) {
 *   if (event.kind === 'surface') console.log(event.png);
 * }
 */
export async function* extractTextures(
  inputs: Iterable<JobInput>,
  { output, store, ...rest }: ExtractTexturesOptions,
): AsyncGenerator<ExtractTexturesEvent, void, void> {
  const given = { ...EXTRACT_TEXTURES_DEFAULTS, ...rest };
  const { to, rawChannels, opaque, reconstructZ, sidecar, hdr, flat, dedupe, contactSheet, dryRun, pngLevel, hashes } =
    given;
  const { mips = { first: 0, last: to === 'dds' ? Infinity : 0 } } = rest;
  const ofPictures = { rawChannels, opaque, reconstructZ, hdr, dedupe, contactSheet, pngLevel };
  const options = { to, mips, ...ofPictures, sidecar, flat, dryRun, hashes };
  const job = new Job(rest);
  const placer = new Placer(output, store);
  const { kernels } = rest.session;
  const { platform } = rest;
  const sheets = contactSheet
    ? new ContactSheets({ job, kernels, platform, output, placer, pngLevel, dryRun })
    : undefined;
  const pictures = new Pictures(job, options, placer, sheets);
  const events = job.run<TextureSettings, TextureResult, ExtractedSurface | ExtractedTextureFile>(inputs, {
    name: 'textures',
    work: extractTexturesWork,
    options,
    output,
    store: sheets && store ? withoutPictures(store) : store,
    shapes: SHAPES,
    finish: (result, input, resumed) => pictures.finish(result, input, resumed),
    discard: (result) => result.kind !== 'texture' && placer.discard(result),
  });
  let ended = false;
  for await (const event of events) {
    yield event;
    if (sheets?.isFull) ended = yield* sheets.write();
    if (ended) break;
  }
  if (sheets && job.complete && !ended) ended = yield* sheets.write();
  yield pictures.summary((job.complete && !ended && store?.complete()) || 0);
}

/** What a store has but inputs with pictures: their thumbnails are not kept, so that they are worked on again. */
function withoutPictures(store: ResultStore): ResultStore {
  return {
    recall<R>(input: JobInput, shapes: ResultShapes) {
      const results = store.recall<R>(input, shapes);
      for (const result of results ?? []) if ((result as { kind?: unknown }).kind === 'surface') return undefined;
      return results;
    },
    add: (input, result) => store.add(input, result),
    record: (input, recalled) => store.record(input, recalled),
  };
}

const SHAPES = {
  texture: { repeatedAlpha: 'boolean' },
  surface: {
    file: 'string',
    texture: 'string',
    format: 'string',
    width: 'number',
    height: 'number',
    depth: 'number',
    layer: 'number',
    slice: 'number',
    mip: 'number',
    channels: 'string',
    rgbaSha256: 'string',
    wanted: 'string',
    path: 'string',
    size: 'number',
  },
  file: {
    file: 'string',
    texture: 'string',
    what: 'string',
    format: 'string',
    width: 'number',
    height: 'number',
    depth: 'number',
    layers: 'number',
    mips: 'number',
    sha256: 'string',
    wanted: 'string',
    path: 'string',
    size: 'number',
    surfaces: 'number',
  },
} as const satisfies ShapesOf<TextureResult>;

/** Names the pictures, in the order of the inputs, and counts what was done. */
class Pictures {
  readonly #job: Job;
  readonly #options: TextureSettings;
  readonly #placer: Placer;
  readonly #sheets: ContactSheets | undefined;
  /** where pixels and EXRs were written, by what tells them apart */
  readonly #written = new Map<string, string>();
  #textures = 0;
  #surfaces = 0;
  #others = 0;
  #exrs = 0;
  /** the name of the last picture */
  #png = '';
  #bytesOut = 0;
  #duplicates = 0;
  #repeatedAlpha = 0;

  constructor(job: Job, options: TextureSettings, placer: Placer, sheets: ContactSheets | undefined) {
    this.#job = job;
    this.#options = options;
    this.#placer = placer;
    this.#sheets = sheets;
  }

  summary(removed: number): ExtractTexturesSummary {
    const { files, skipped, failed, bytesIn, seconds, resumed } = this.#job;
    return {
      kind: 'summary',
      files,
      textures: this.#textures,
      surfaces: this.#surfaces,
      others: this.#others,
      exrs: this.#exrs,
      sheets: this.#sheets?.count ?? 0,
      skipped,
      failed,
      bytesIn,
      bytesOut: this.#bytesOut,
      seconds,
      duplicates: this.#duplicates,
      repeatedAlpha: this.#repeatedAlpha,
      resumed,
      removed,
    };
  }

  finish(
    result: TextureResult,
    input: JobInput,
    resumed: boolean,
  ): Iterable<ExtractedSurface | ExtractedTextureFile | JobFailure> | undefined {
    if (result.kind === 'texture') {
      this.#textures++;
      if (result.repeatedAlpha) this.#repeatedAlpha++;
      return [];
    }
    return result.kind === 'file' ? this.#file(result, input, resumed) : this.#surface(result, input, resumed);
  }

  #file(
    result: TextureFileMade,
    input: JobInput,
    resumed: boolean,
  ): Iterable<ExtractedTextureFile | JobFailure> | undefined {
    const isExr = result.what === 'exr';
    // So that what a picture and its EXR are called does not differ by a number.
    const wanted = isExr ? this.#png.replace(/png$/, 'exr') : result.wanted;
    const name = this.#placer.claim({ ...result, wanted });
    let output: string | undefined;
    try {
      output = this.#place(result, isExr ? result.sha256 : undefined, name, input, resumed);
    } catch (error) {
      return this.#job.failure(error, result.path, result.file);
    }
    if (output === undefined) return undefined;
    if (result.sameAs === undefined) {
      this.#others++;
      if (isExr) this.#exrs++;
    }
    this.#surfaces += result.surfaces;
    const { surfaces: _, ...file } = aboutMade(result, resumed);
    return [{ ...file, output }];
  }

  #surface(
    result: SurfaceMade,
    input: JobInput,
    resumed: boolean,
  ): Iterable<ExtractedSurface | JobFailure> | undefined {
    const { width, height, thumbnail } = result;
    // It is not for the journal.
    delete result.thumbnail;
    const name = this.#placer.claim(result);
    this.#png = name;
    const pixels = `${width} x ${height} ${result.rgbaSha256}`;
    let png: string | undefined;
    try {
      png = this.#place(result, pixels, name, input, resumed);
    } catch (error) {
      this.#sheets?.discard(thumbnail);
      return this.#job.failure(error, result.path, result.file);
    }
    if (png === undefined) return undefined;
    this.#surfaces++;
    if (result.sameAs === undefined) {
      this.#sheets?.add({ png, width, height, thumbnail }, input);
    } else {
      this.#duplicates++;
      this.#sheets?.discard(thumbnail);
    }
    return [{ ...aboutMade(result, resumed), png }];
  }

  /**
   * Where a file is: placed under its name or, with `dedupe`, where the first of the same content is. Undefined when a
   * `resumed` one cannot stand. Throws as {@link Placer.place}.
   */
  #place(
    result: SurfaceMade | TextureFileMade,
    content: string | undefined,
    name: string,
    input: JobInput,
    resumed: boolean,
  ): string | undefined {
    const first = this.#options.dedupe && content !== undefined ? this.#written.get(content) : undefined;
    if (first === undefined && result.sameAs === undefined) {
      if (!this.#placer.place(result, input, resumed, name)) return undefined;
      if (content !== undefined) this.#written.set(content, name);
      this.#bytesOut += result.size;
      return name;
    }
    if (resumed && result.sameAs !== first) {
      this.#placer.again(name);
      return undefined;
    }
    this.#placer.discard(result);
    result.sameAs = first!;
    return first;
  }
}

/** What an event says of a result. */
function aboutMade<T extends SurfaceMade | TextureFileMade>(made: T, resumed: boolean) {
  const { wanted: _wanted, path: _path, size: _size, staged: _staged, placed: _placed, sameAs, ...about } = made;
  return {
    ...about,
    ...(sameAs !== undefined && { duplicate: true as const }),
    ...(resumed && { resumed: true as const }),
  };
}
