import { ExrWriter } from '../../ts/formats/exr/index.ts';
import { channelNames, IDENTITY_CHANNELS } from '../../ts/nn/gfx.ts';
import { isTwoChannelNormal, reconstructZ } from '../../ts/textures/normal-map.ts';
import {
  checkSurface,
  decodeSurface,
  decodeSurfaceHalf,
  surfaceElements,
  type Surface,
} from '../../ts/textures/surface.ts';
import { holdsTextures, readTextures, type Texture } from '../../ts/textures/texture-files.ts';
import { Thumbnail } from '../../ts/textures/thumbnail.ts';
import type { StagedFile } from '../output/folder.ts';
import { safeName, safePath } from '../output/names.ts';
import { isContainer } from '../walk/walk.ts';
import { THUMBNAIL_LIMIT } from './contact-sheets.ts';
import type { ExtractedSurface, ExtractedTextureFile, TextureOptions } from './extract-textures.ts';
import type { Made } from './placer.ts';
import { astcHeaderOf, ddsOf, pngFile, sidecarOf, type DdsParts } from './texture-outputs.ts';
import { skippedResult, type JobFile, type Result, type Tools, type WorkFactory } from './work.ts';

export type TextureSettings = Required<TextureOptions>;

/** A texture that is wanted; what is made of it follows. */
interface TextureFound {
  kind: 'texture';
  /** its channel sources give alpha the same as another channel */
  repeatedAlpha: boolean;
}

/** A surface, in a file without a name unless this is a dry run. */
export interface SurfaceMade extends Omit<ExtractedSurface, 'png' | 'duplicate' | 'resumed'>, Made {
  /** set when it is finished: the file with the same pixels */
  sameAs?: string;
  /** pixels for a contact sheet, until it is finished */
  thumbnail?: StagedFile | undefined;
}

/** A file that is no picture. */
export interface TextureFileMade extends Omit<ExtractedTextureFile, 'output' | 'duplicate' | 'resumed'>, Made {
  /** set when it is finished: the file with the same content */
  sameAs?: string;
  /** how many surfaces are in it */
  surfaces: number;
}

export type TextureResult = TextureFound | SurfaceMade | TextureFileMade;

/** Makes pictures, or other files, of the textures of files. */
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
        if (this.#options.sidecar) yield await this.#sidecar(file, texture);
        yield* this.#texture(file, texture);
      } catch (error) {
        yield* failure(error, `${file.path}/${texture.name}`, file.output);
      }
    }
  }

  async *#texture(file: JobFile, texture: Texture): AsyncGenerator<TextureResult, void, void> {
    const { mips, to, hdr } = this.#options;
    const last = Math.min(mips.last, texture.mipCount - 1);
    if (to === 'dds') {
      const parts = ddsOf(texture, { first: mips.first, last });
      if (parts) yield await this.#dds(file, texture, parts);
      return;
    }
    for (const surface of texture.surfaces()) {
      const { mip, layer, slice, layout, format } = surface;
      if (mip < mips.first || mip > last) continue;
      const suffix =
        (texture.layerCount > 1 ? `.layer${layer}` : '') +
        (layout.depth > 1 ? `.slice${slice}` : '') +
        (mip > 0 ? `.mip${mip}` : '');
      if (to === 'astc') {
        yield await this.#astc(file, texture, surface, suffix);
        continue;
      }
      yield await this.#picture(file, texture, surface, suffix);
      if (hdr && format.float) yield await this.#exr(file, texture, surface, suffix);
    }
  }

  /** Where a file of a texture is to be. */
  #wanted(file: JobFile, texture: Texture, end: string): { wanted: string; path: string } {
    const folder = this.#options.flat ? '' : `${safePath(file.output)}/`;
    return { wanted: `${folder}${safeName(texture.name)}${end}`, path: `${file.path}/${texture.name}` };
  }

  async #picture(file: JobFile, texture: Texture, surface: Surface, suffix: string): Promise<SurfaceMade> {
    const { mip, layer, slice, layout, format } = surface;
    return {
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
      ...this.#wanted(file, texture, `${suffix}.png`),
      ...(await this.#png(surface)),
    };
  }

  #channelsOf(surface: Surface): number {
    const { rawChannels, opaque } = this.#options;
    const channels = rawChannels ? IDENTITY_CHANNELS : surface.channels;
    return opaque ? ((channels & 0x00ffffff) | (CHANNEL_ONE << 24)) >>> 0 : channels;
  }

  /** Makes a PNG, or in a dry run what must be known of it: with `dedupe` its pixels, else whether it can be made. */
  async #png(surface: Surface): Promise<Pick<SurfaceMade, 'rgbaSha256' | 'size' | 'staged' | 'thumbnail'>> {
    const { pngLevel, dryRun, dedupe, hashes, contactSheet } = this.#options;
    if (dryRun && !dedupe) {
      checkSurface(surface);
      return { rgbaSha256: '', size: 0 };
    }
    const { session, platform, turn, staging } = this.#tools;
    const { kernels } = session;
    const { width, height } = surface.layout;
    const { srgb } = surface.format;
    const hash = hashes || dedupe ? platform.sha256() : undefined;
    const channels = this.#channelsOf(surface);
    const fillsBlue = this.#options.reconstructZ && isTwoChannelNormal(surface.format, channels);
    const bands = decodeSurface(kernels, surface, { channels });
    const writer = dryRun ? undefined : pngFile(kernels, platform, staging, { width, height, srgb }, pngLevel);
    const thumbnail = contactSheet && !dryRun ? new Thumbnail({ width, height }, THUMBNAIL_LIMIT) : undefined;
    try {
      for (const band of bands) {
        if (fillsBlue) reconstructZ(band.bytes);
        hash?.update(band.bytes);
        thumbnail?.rows(band.bytes);
        await writer?.rows(band);
        const pause = turn();
        if (pause) await pause;
      }
      const staged = await writer?.finish();
      const made = { rgbaSha256: hash?.hex() ?? '', size: staged?.size ?? 0, staged };
      return thumbnail ? { ...made, thumbnail: this.#stageWhole(thumbnail.rgba) } : made;
    } finally {
      writer?.close();
    }
  }

  #stageWhole(bytes: Uint8Array): StagedFile {
    const file = this.#tools.staging.create();
    try {
      file.write(bytes);
      return file.finish();
    } catch (error) {
      file.discard();
      throw error;
    }
  }

  async #dds(file: JobFile, texture: Texture, parts: DdsParts): Promise<TextureFileMade> {
    const { header, surfaces, ...about } = parts;
    const made = await this.#stage(this.#stored(header, surfaces));
    return this.#fileMade(file, texture, 'dds', { ...about, surfaces: surfaces.length }, '.dds', made);
  }

  async #astc(file: JobFile, texture: Texture, surface: Surface, suffix: string): Promise<TextureFileMade> {
    const made = await this.#stage(this.#stored(astcHeaderOf(surface), [surface]));
    return this.#fileMade(file, texture, 'astc', { ...aboutSurface(surface), surfaces: 1 }, `${suffix}.astc`, made);
  }

  async #exr(file: JobFile, texture: Texture, surface: Surface, suffix: string): Promise<TextureFileMade> {
    const made = await this.#stage(this.#lines(surface));
    return this.#fileMade(file, texture, 'exr', { ...aboutSurface(surface), surfaces: 0 }, `${suffix}.exr`, made);
  }

  async #sidecar(file: JobFile, texture: Texture): Promise<TextureFileMade> {
    const { width, height, depth, layerCount: layers, mipCount: mips } = texture;
    const text = JSON.stringify({ file: file.output, ...sidecarOf(texture) }, undefined, 2);
    const made = await this.#stage([new TextEncoder().encode(`${text}\n`)]);
    return this.#fileMade(file, texture, 'sidecar', { width, height, depth, layers, mips, surfaces: 0 }, '.json', made);
  }

  /** A header, and the stored elements of surfaces. */
  *#stored(header: Uint8Array, surfaces: Iterable<Surface>): Generator<Uint8Array, void, void> {
    yield header;
    for (const surface of surfaces) {
      for (const { bytes } of surfaceElements(this.#tools.session.kernels, surface)) yield bytes;
    }
  }

  /** A surface as EXR. */
  *#lines(surface: Surface): Generator<Uint8Array, void, void> {
    const { width, height } = surface.layout;
    const exr = new ExrWriter(width, height);
    yield exr.start();
    const channels = this.#channelsOf(surface);
    for (const { bytes } of decodeSurfaceHalf(this.#tools.session.kernels, surface, { channels }))
      yield exr.rows(bytes);
  }

  #fileMade(
    file: JobFile,
    texture: Texture,
    what: ExtractedTextureFile['what'],
    about: AboutFile,
    end: string,
    made: Pick<TextureFileMade, 'sha256' | 'size' | 'staged'>,
  ): TextureFileMade {
    const { name, format } = texture;
    const names = { file: file.output, texture: name, what, format: format.name };
    return { kind: 'file', ...names, ...about, ...made, ...this.#wanted(file, texture, end) };
  }

  /** Writes parts to a file without a name; in a dry run only what `dedupe` must know is made of them. */
  async #stage(parts: Iterable<Uint8Array>): Promise<Pick<TextureFileMade, 'sha256' | 'size' | 'staged'>> {
    const { hashes, dedupe, dryRun } = this.#options;
    const { platform, turn, staging } = this.#tools;
    if (dryRun && !dedupe) return { sha256: '', size: 0 };
    const hash = hashes || dedupe ? platform.sha256() : undefined;
    const out = dryRun ? undefined : staging.create();
    try {
      for (const bytes of parts) {
        hash?.update(bytes);
        out?.write(bytes);
        const pause = turn();
        if (pause) await pause;
      }
      const staged = out?.finish();
      return { sha256: hash?.hex() ?? '', size: staged?.size ?? 0, staged };
    } catch (error) {
      out?.discard();
      throw error;
    }
  }
}

type AboutFile = Pick<
  TextureFileMade,
  'width' | 'height' | 'depth' | 'layers' | 'mips' | 'layer' | 'slice' | 'mip' | 'surfaces'
>;

/** What to say of a file that holds one surface. */
function aboutSurface({ layout, layer, slice, mip }: Surface): Omit<AboutFile, 'surfaces'> {
  const { width, height } = layout;
  return { width, height, depth: 1, layers: 1, mips: 1, layer, slice, mip };
}

/** nn::gfx::ChannelSource: the channel is 1. */
const CHANNEL_ONE = 1;

/** Whether the channel sources give alpha the same as red, green or blue. */
function repeatsInAlpha(channels: number): boolean {
  const alpha = channels >>> 24;
  return alpha > CHANNEL_ONE && [0, 8, 16].some((shift) => ((channels >>> shift) & 0xff) === alpha);
}
