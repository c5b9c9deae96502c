import { PngWriter } from '../../ts/formats/png/index.ts';
import type { Kernels } from '../../ts/kernels/index.ts';
import { channelNames, IDENTITY_CHANNELS } from '../../ts/nn/gfx.ts';
import { checkSurface, decodeSurface, type Surface } from '../../ts/textures/surface.ts';
import { holdsTextures, readTextures, type Texture } from '../../ts/textures/texture-files.ts';
import type { OutputFile, OutputFolder, StagedFile, Staging } from '../output/folder.ts';
import { safeName, safePath } from '../output/names.ts';
import type { Platform } from '../platform.ts';
import { isContainer } from '../walk/walk.ts';
import { Job, type JobFailure, type JobInput, type JobOptions } from './job.ts';
import { Placer, type FileStore, type Made } from './placer.ts';
import { skippedResult, type JobFile, type Result, type Tools, type WorkFactory } from './work.ts';

/** Which mip levels to write, both ends included. */
export interface MipRange {
  first: number;
  last: number;
}

/** What the pictures are to be like; can be posted to workers. */
export interface TextureOptions {
  /** default: mip 0 alone */
  mips?: MipRange;
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
  mips: { first: 0, last: 0 },
  rawChannels: false,
  opaque: false,
  flat: false,
  dedupe: false,
  dryRun: false,
  pngLevel: 1,
  hashes: false,
} as const satisfies Required<TextureOptions>;

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

/** What a whole job did; comes last. */
export interface ExtractTexturesSummary {
  kind: 'summary';
  files: number;
  textures: number;
  surfaces: number;
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

export type ExtractTexturesEvent = ExtractedSurface | JobFailure | ExtractTexturesSummary;

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
  const { mips, rawChannels, opaque, flat, dedupe, dryRun, pngLevel, hashes } = {
    ...EXTRACT_TEXTURES_DEFAULTS,
    ...rest,
  };
  const options = { mips, rawChannels, opaque, flat, dedupe, dryRun, pngLevel, hashes };
  const job = new Job(rest);
  const placer = new Placer(output, store);
  const pictures = new Pictures(job, options, placer);
  yield* job.run<TextureSettings, TextureResult, ExtractedSurface>(inputs, {
    name: 'textures',
    work: extractTexturesWork,
    options,
    output,
    store,
    finish: (result, input, resumed) => pictures.finish(result, input, resumed),
    discard: (result) => result.kind === 'surface' && placer.discard(result),
  });
  yield pictures.summary((job.complete && store?.complete()) || 0);
}

type TextureSettings = Required<TextureOptions>;

/** A texture that is wanted; its surfaces follow. */
interface TextureFound {
  kind: 'texture';
  /** its channel sources give alpha the same as another channel */
  repeatedAlpha: boolean;
}

/** A surface, in a file without a name unless this is a dry run. */
interface SurfaceMade extends Omit<ExtractedSurface, 'png' | 'duplicate' | 'resumed'>, Made {
  /** set when it is finished: the file with the same pixels */
  sameAs?: string;
}

type TextureResult = TextureFound | SurfaceMade;

/** Names the pictures, in the order of the inputs, and counts what was done. */
class Pictures {
  readonly #job: Job;
  readonly #options: TextureSettings;
  readonly #placer: Placer;
  /** where pixels were written, by extent and hash */
  readonly #written = new Map<string, string>();
  #textures = 0;
  #surfaces = 0;
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
  ): Iterable<ExtractedSurface | JobFailure> | undefined {
    if (result.kind === 'texture') {
      this.#textures++;
      if (result.repeatedAlpha) this.#repeatedAlpha++;
      return [];
    }
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

/** Makes PNGs of the textures of files. */
export const extractTexturesWork: WorkFactory<TextureSettings, TextureResult> = (options, tools) => {
  const work = new TextureWork(options, tools);
  return { file: (file) => work.file(file) };
};

class TextureWork {
  readonly #options: TextureSettings;
  readonly #tools: Tools;

  constructor(options: TextureSettings, tools: Tools) {
    this.#options = options;
    this.#tools = tools;
  }

  async *file(file: JobFile): AsyncGenerator<Result<TextureResult>, void, void> {
    if (!holdsTextures(file.type.id)) {
      if (!isContainer(file)) yield skippedResult(file.type);
      return;
    }
    const { match, turn, failure, session } = this.#tools;
    await file.content.gather(turn);
    for (const texture of readTextures(file.type.id, file.content.source(), session.textureOptions)) {
      if (!match(`${file.output}/${texture.name}`)) continue;
      yield { kind: 'texture', repeatedAlpha: repeatsInAlpha(texture.channels) };
      try {
        yield* this.#texture(file, texture);
      } catch (error) {
        yield* failure(error, `${file.path}/${texture.name}`, file.output);
      }
    }
  }

  async *#texture(file: JobFile, texture: Texture): AsyncGenerator<SurfaceMade, void, void> {
    const { mips, flat } = this.#options;
    const folder = flat ? '' : `${safePath(file.output)}/`;
    for (const surface of texture.surfaces()) {
      const { mip, layer, slice, layout, format } = surface;
      if (mip < mips.first || mip > mips.last) continue;
      const suffix =
        (texture.layerCount > 1 ? `.layer${layer}` : '') +
        (layout.depth > 1 ? `.slice${slice}` : '') +
        (mip > 0 ? `.mip${mip}` : '');
      yield {
        kind: 'surface',
        file: file.output,
        texture: texture.name,
        format: format.name,
        width: layout.width,
        height: layout.height,
        depth: layout.depth,
        layer,
        slice,
        mip,
        channels: channelNames(this.#channelsOf(surface)),
        wanted: `${folder}${safeName(texture.name)}${suffix}.png`,
        path: `${file.path}/${texture.name}`,
        ...(await this.#make(surface)),
      };
    }
  }

  #channelsOf(surface: Surface): number {
    const { rawChannels, opaque } = this.#options;
    const channels = rawChannels ? IDENTITY_CHANNELS : surface.channels;
    return opaque ? ((channels & 0x00ffffff) | (CHANNEL_ONE << 24)) >>> 0 : channels;
  }

  /** Makes a PNG, or in a dry run what must be known of it: with `dedupe` its pixels, else whether it can be made. */
  async #make(surface: Surface): Promise<Pick<SurfaceMade, 'rgbaSha256' | 'size' | 'staged'>> {
    const { pngLevel, dryRun, dedupe, hashes } = this.#options;
    if (dryRun && !dedupe) {
      checkSurface(surface);
      return { rgbaSha256: '', size: 0 };
    }
    const { session, platform, turn, staging } = this.#tools;
    const { kernels } = session;
    const hash = hashes || dedupe ? platform.sha256() : undefined;
    const bands = decodeSurface(kernels, surface, { channels: this.#channelsOf(surface) });
    const writer = dryRun ? undefined : pngFile(kernels, platform, staging, surface, pngLevel);
    try {
      for (const band of bands) {
        hash?.update(band.bytes);
        await writer?.rows(band);
        const pause = turn();
        if (pause) await pause;
      }
      const staged = await writer?.finish();
      return { rgbaSha256: hash?.hex() ?? '', size: staged?.size ?? 0, staged };
    } finally {
      writer?.close();
    }
  }
}

/** Writes a surface as PNG to a file without a name, which is begun with the first rows: they show whether there are any. */
function pngFile(kernels: Kernels, platform: Platform, staging: Staging, { layout, format }: Surface, level: number) {
  const { width, height } = layout;
  const deflater = level > 1 ? platform.deflater(level) : undefined;
  const png = new PngWriter(kernels, { width, height, srgb: format.srgb, ...(deflater && { deflater }) });
  let file: OutputFile | undefined;
  return {
    async rows(band: Parameters<PngWriter['rows']>[0]): Promise<void> {
      if (!file) {
        file = staging.create();
        file.write(png.start());
      }
      const bytes = png.rows(band);
      file.write(bytes instanceof Promise ? await bytes : bytes);
    },
    async finish(): Promise<StagedFile> {
      file!.write(await png.finish());
      const staged = file!.finish();
      file = undefined;
      return staged;
    },
    /** Removes what was not finished. */
    close(): void {
      file?.discard();
      png.free();
    },
  };
}

/** nn::gfx::ChannelSource: the channel is 1. */
const CHANNEL_ONE = 1;

/** Whether the channel sources give alpha the same as red, green or blue. */
function repeatsInAlpha(channels: number): boolean {
  const alpha = channels >>> 24;
  return alpha > CHANNEL_ONE && [0, 8, 16].some((shift) => ((channels >>> shift) & 0xff) === alpha);
}
