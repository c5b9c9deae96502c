import type { OutputFolder } from '../output/folder.ts';
import { Job, type JobFailure, type JobInput, type JobOptions } from './job.ts';
import { Placer, type FileStore } from './placer.ts';
import type { ShapesOf } from './shapes.ts';
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
  /** leave the textures' channel sources out */
  rawChannels?: boolean;
  /** make all pixels opaque */
  opaque?: boolean;
  /** put all pictures into the output folder itself */
  flat?: boolean;
  /** write pictures with the same pixels once */
  dedupe?: boolean;
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
  rawChannels: false,
  opaque: false,
  flat: false,
  dedupe: false,
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
  /** `sidecar`: JSON of what pictures cannot hold */
  what: 'dds' | 'astc' | 'sidecar';
  /** such as `BC7_SRGB` */
  format: string;
  /** of its first mip level, in texels */
  width: number;
  height: number;
  depth: number;
  /** how much of the texture is in it */
  layers: number;
  mips: number;
  /** of what was written; empty unless asked for */
  sha256: string;
  /** relative to the output folder */
  output: string;
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

export type ExtractTexturesEvent = ExtractedSurface | ExtractedTextureFile | JobFailure | ExtractTexturesSummary;

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
  const { to, rawChannels, opaque, reconstructZ, sidecar, flat, dedupe, dryRun, pngLevel, hashes } = {
    ...EXTRACT_TEXTURES_DEFAULTS,
    ...rest,
  };
  const { mips = { first: 0, last: to === 'dds' ? Infinity : 0 } } = rest;
  const options = { to, mips, rawChannels, opaque, reconstructZ, sidecar, flat, dedupe, dryRun, pngLevel, hashes };
  const job = new Job(rest);
  const placer = new Placer(output, store);
  const pictures = new Pictures(job, options, placer);
  yield* job.run<TextureSettings, TextureResult, ExtractedSurface | ExtractedTextureFile>(inputs, {
    name: 'textures',
    work: extractTexturesWork,
    options,
    output,
    store,
    shapes: SHAPES,
    finish: (result, input, resumed) => pictures.finish(result, input, resumed),
    discard: (result) => result.kind !== 'texture' && placer.discard(result),
  });
  yield pictures.summary((job.complete && store?.complete()) || 0);
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
  /** where pixels were written, by extent and hash */
  readonly #written = new Map<string, string>();
  #textures = 0;
  #surfaces = 0;
  #others = 0;
  #bytesOut = 0;
  #duplicates = 0;
  #repeatedAlpha = 0;

  constructor(job: Job, options: TextureSettings, placer: Placer) {
    this.#job = job;
    this.#options = options;
    this.#placer = placer;
  }

  summary(removed: number): ExtractTexturesSummary {
    const { files, skipped, failed, bytesIn, seconds, resumed } = this.#job;
    return {
      kind: 'summary',
      files,
      textures: this.#textures,
      surfaces: this.#surfaces,
      others: this.#others,
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
    const output = this.#placer.claim(result);
    try {
      if (!this.#placer.place(result, input, resumed, output)) return undefined;
    } catch (error) {
      return this.#job.failure(error, result.path, result.file);
    }
    this.#others++;
    this.#bytesOut += result.size;
    this.#surfaces += result.surfaces;
    const { kind, file, texture, what, format, width, height, depth, layers, mips, sha256 } = result;
    const event = { kind, file, texture, what, format, width, height, depth, layers, mips, sha256, output };
    return [resumed ? { ...event, resumed } : event];
  }

  #surface(
    result: SurfaceMade,
    input: JobInput,
    resumed: boolean,
  ): Iterable<ExtractedSurface | JobFailure> | undefined {
    const png = this.#placer.claim(result);
    const pixels = `${result.width} x ${result.height} ${result.rgbaSha256}`;
    const first = this.#options.dedupe ? this.#written.get(pixels) : undefined;
    try {
      if (first !== undefined || result.sameAs !== undefined) {
        if (resumed && result.sameAs !== first) {
          this.#placer.again(png);
          return undefined;
        }
        this.#placer.discard(result);
        result.sameAs = first!;
        this.#duplicates++;
      } else {
        if (!this.#placer.place(result, input, resumed, png)) return undefined;
        this.#written.set(pixels, png);
        this.#bytesOut += result.size;
      }
    } catch (error) {
      return this.#job.failure(error, result.path, result.file);
    }
    this.#surfaces++;
    return [surfaceEvent(result, first ?? png, resumed)];
  }
}

function surfaceEvent(made: SurfaceMade, png: string, resumed: boolean): ExtractedSurface {
  const { wanted: _wanted, path: _path, size: _size, staged: _staged, placed: _placed, sameAs, ...surface } = made;
  return { ...surface, png, ...(sameAs !== undefined && { duplicate: true }), ...(resumed && { resumed: true }) };
}
