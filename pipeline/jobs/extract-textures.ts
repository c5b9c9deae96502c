import { bntxSurfaces, readBntx, type BntxTexture } from '../../ts/formats/bntx/index.ts';
import { PngWriter } from '../../ts/formats/png/index.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import { channelNames, IDENTITY_CHANNELS } from '../../ts/nn/gfx.ts';
import { checkSurface, decodeSurface, type Surface } from '../../ts/textures/surface.ts';
import type { OutputFile, OutputFolder } from '../output/folder.ts';
import { safeName, safePath, UniqueNames } from '../output/names.ts';
import { isContainer } from '../walk/walk.ts';
import { Job, type JobFailure, type JobFile, type JobInput, type JobOptions } from './job.ts';

/** Which mip levels to write, both ends included. */
export interface MipRange {
  first: number;
  last: number;
}

export interface ExtractTexturesOptions extends JobOptions {
  output: OutputFolder;
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

export const EXTRACT_TEXTURES_DEFAULTS = {
  mips: { first: 0, last: 0 },
  rawChannels: false,
  opaque: false,
  flat: false,
  dedupe: false,
  dryRun: false,
  pngLevel: 1,
  hashes: false,
} as const;

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
  bytesOut: number;
  seconds: number;
  /** surfaces that were not written since their pixels were there already */
  duplicates: number;
  /** textures whose alpha is a copy of another channel by their channel sources */
  repeatedAlpha: number;
}

export type ExtractTexturesEvent = ExtractedSurface | JobFailure | ExtractTexturesSummary;

/**
 * Writes every texture of the inputs, and of everything in them, as PNG.
 *
 * Gives an event per surface and failure as they happen, and a summary last. A failure with code `output` or `aborted`
 * has ended the job.
 *
 * @example
 * for await (const event of extractTextures(inputs, { session, output, platform: nodePlatform })) {
 *   if (event.kind === 'surface') console.log(event.png);
 * }
 */
export async function* extractTextures(
  inputs: Iterable<JobInput>,
  options: ExtractTexturesOptions,
): AsyncGenerator<ExtractTexturesEvent, void, void> {
  const textures = new TextureWork({ ...EXTRACT_TEXTURES_DEFAULTS, ...options });
  yield* textures.job.run(inputs, (file) => textures.file(file));
  yield textures.summary();
}

type Settings = ExtractTexturesOptions & Required<Pick<ExtractTexturesOptions, keyof typeof EXTRACT_TEXTURES_DEFAULTS>>;

/** How one job stands. */
class TextureWork {
  readonly job: Job;
  readonly #options: Settings;
  readonly #names = new UniqueNames();
  /** where pixels were written, by extent and hash */
  readonly #written = new Map<string, string>();
  #textures = 0;
  #surfaces = 0;
  #bytesOut = 0;
  #duplicates = 0;
  #repeatedAlpha = 0;

  constructor(options: Settings) {
    this.#options = options;
    this.job = new Job(options);
  }

  summary(): ExtractTexturesSummary {
    const { files, skipped, failed, bytesIn, seconds } = this.job;
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
    };
  }

  async *file(file: JobFile): AsyncGenerator<ExtractedSurface | JobFailure, void, void> {
    if (file.type.id !== 'bntx') {
      if (!isContainer(file)) this.job.skip(file.type);
      return;
    }
    const { match } = this.#options;
    await file.content.gather(this.job.turn);
    const source = file.content.source();
    for (const bntx of readBntx(source)) {
      for (const texture of bntx.textures) {
        if (match && !match(`${file.output}/${texture.name}`)) continue;
        this.#textures++;
        if (repeatsInAlpha(texture.channels)) this.#repeatedAlpha++;
        try {
          yield* this.#texture(file, texture, bntxSurfaces(source, bntx, texture));
        } catch (error) {
          yield* this.job.failure(error, `${file.path}/${texture.name}`, file.output);
        }
      }
    }
  }

  async *#texture(
    file: JobFile,
    texture: BntxTexture,
    surfaces: Iterable<Surface>,
  ): AsyncGenerator<ExtractedSurface | JobFailure, void, void> {
    const { mips, flat } = this.#options;
    const folder = flat ? '' : `${safePath(file.output)}/`;
    for (const surface of surfaces) {
      const { mip, layer, slice, layout, format } = surface;
      if (mip < mips.first || mip > mips.last) continue;
      const suffix =
        (texture.layerCount > 1 ? `.layer${layer}` : '') +
        (layout.depth > 1 ? `.slice${slice}` : '') +
        (mip > 0 ? `.mip${mip}` : '');
      const png = this.#names.claim(`${folder}${safeName(texture.name)}${suffix}.png`);
      let written: Written;
      try {
        written = await this.#put(surface, png);
      } catch (error) {
        // A name that cannot be had is this surface's alone; all else is wrong with the others too.
        if (!(error instanceof RomflowError) || (error.code !== 'exists' && error.code !== 'name')) throw error;
        yield* this.job.failure(error, `${file.path}/${texture.name}`, file.output);
        continue;
      }
      this.#surfaces++;
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
        ...written,
      };
    }
  }

  #channelsOf(surface: Surface): number {
    const { rawChannels, opaque } = this.#options;
    const channels = rawChannels ? IDENTITY_CHANNELS : surface.channels;
    return opaque ? ((channels & 0x00ffffff) | (CHANNEL_ONE << 24)) >>> 0 : channels;
  }

  /** Writes a surface, or with `dryRun` sees whether it can be; with `dedupe`, unless its pixels are there already. */
  async #put(surface: Surface, png: string): Promise<Written> {
    const { dedupe, hashes } = this.#options;
    if (!dedupe) return { rgbaSha256: await this.#write(surface, png, hashes), png };
    const rgbaSha256 = await this.#hash(surface);
    const { width, height } = surface.layout;
    const pixels = `${width} x ${height} ${rgbaSha256}`;
    const first = this.#written.get(pixels);
    if (first !== undefined) {
      this.#duplicates++;
      return { rgbaSha256, png: first, duplicate: true };
    }
    await this.#write(surface, png, false);
    this.#written.set(pixels, png);
    return { rgbaSha256, png };
  }

  /** The hash of a surface's pixels. */
  async #hash(surface: Surface): Promise<string> {
    const { session, platform, turn } = this.job;
    const hash = platform.sha256();
    for (const band of decodeSurface(session.kernels, surface, { channels: this.#channelsOf(surface) })) {
      hash.update(band.bytes);
      const pause = turn();
      if (pause) await pause;
    }
    return hash.hex();
  }

  /** Writes one PNG, unless this is a dry run; gives the hash of its pixels if asked for, else an empty text. */
  async #write(surface: Surface, path: string, hashed: boolean): Promise<string> {
    const { output, pngLevel, dryRun } = this.#options;
    if (dryRun) {
      checkSurface(surface);
      output.check(path);
      return '';
    }
    const { session, platform, turn } = this.job;
    const { kernels } = session;
    const hash = hashed ? platform.sha256() : undefined;
    const bands = decodeSurface(kernels, surface, { channels: this.#channelsOf(surface) });
    // The first band shows whether the surface can be decoded at all, before a file is begun.
    let band = bands.next();
    const { width, height } = surface.layout;
    const deflater = pngLevel > 1 ? platform.deflater(pngLevel) : undefined;
    const png = new PngWriter(kernels, { width, height, srgb: surface.format.srgb, ...(deflater && { deflater }) });
    let file: OutputFile | undefined;
    let size = 0;
    try {
      file = output.create(path);
      const put = (bytes: Uint8Array): void => {
        size += bytes.length;
        file!.write(bytes);
      };
      put(png.start());
      for (; !band.done; band = bands.next()) {
        hash?.update(band.value.bytes);
        const bytes = png.rows(band.value);
        put(bytes instanceof Promise ? await bytes : bytes);
        const pause = turn();
        if (pause) await pause;
      }
      put(await png.finish());
      file.commit();
      this.#bytesOut += size;
      return hash?.hex() ?? '';
    } catch (error) {
      file?.discard();
      throw error;
    } finally {
      bands.return();
      png.free();
    }
  }
}

type Written = Pick<ExtractedSurface, 'rgbaSha256' | 'png' | 'duplicate'>;

/** nn::gfx::ChannelSource: the channel is 1. */
const CHANNEL_ONE = 1;

/** Whether the channel sources give alpha the same as red, green or blue. */
function repeatsInAlpha(channels: number): boolean {
  const alpha = channels >>> 24;
  return alpha > CHANNEL_ONE && [0, 8, 16].some((shift) => ((channels >>> shift) & 0xff) === alpha);
}
