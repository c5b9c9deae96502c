import type { BntxFile, BntxTexture } from './bntx.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { fullMipCount, mipChain } from './picture.ts';
import type { Picture } from './picture.ts';
import * as scenes from './scenes.ts';

/** A texture and the pictures it was made from: `pictures[layer][mip][slice]`. */
export interface SampleTexture extends BntxTexture {
  pictures: readonly (readonly (readonly Picture[])[])[];
}

export interface SampleFile extends BntxFile {
  textures: readonly SampleTexture[];
}

type Options = Omit<BntxTexture, 'width' | 'height' | 'depth' | 'layers' | 'mips' | 'levels'> & {
  /** one for each layer, or for each slice of a 3D texture */
  pictures: readonly Picture[];
  /** down to 1 x 1 when left out */
  mips?: number;
};

/** Encodes pictures, and their mips, as a texture. */
export function makeTexture({ pictures, mips: count, ...rest }: Options): SampleTexture {
  const deep = rest.dimension === '3d';
  const { width, height } = pictures[0]!;
  const depth = deep ? pictures.length : 1;
  const mips = count ?? fullMipCount(width, height, depth);
  const layers = deep ? [pictures] : pictures.map((picture) => [picture]);
  const chains = layers.map((slices) => mipChain(slices, mips, deep));
  const format = FORMATS[rest.format];
  const joined = (parts: readonly Uint8Array[]): Uint8Array => {
    const size = parts[0]!.length;
    const out = new Uint8Array(size * parts.length);
    parts.forEach((part, i) => out.set(part, size * i));
    return out;
  };
  return {
    ...rest,
    width,
    height,
    depth,
    layers: layers.length,
    mips,
    levels: chains.map((chain) => chain.map((slices) => joined(slices.map((slice) => format.encode(slice))))),
    pictures: chains,
  };
}

/**
 * What a decoder should make of one surface: exactly where the format is exact, else nearly. Channels that the
 * format lacks are 0 and alpha is 255; the channel sources apply unless `rawChannels` is set.
 */
export function expectedPixels(
  texture: SampleTexture,
  { layer = 0, mip = 0, slice = 0, rawChannels = false } = {},
): Uint8Array {
  const { channels } = FORMATS[texture.format];
  const { rgba } = texture.pictures[layer]![mip]![slice]!;
  const sources = (texture.channels ?? 'RGBA').split('');
  const holes = texture.format.startsWith('BC1');
  const out = new Uint8Array(rgba.length);
  for (let i = 0; i < rgba.length; i += 4) {
    const [r, g, b, a] = rgba.subarray(i, i + 4) as unknown as [number, number, number, number];
    let stored = channels === 4 ? [r, g, b, a] : [r, channels > 1 ? g : 0, channels > 2 ? b : 0, 255];
    if (holes) stored = a < 128 ? [0, 0, 0, 0] : [r, g, b, 255];
    if (!rawChannels) stored = sources.map((source) => [0, 255, ...stored]['01RGBA'.indexOf(source)]!);
    out.set(stored, i);
  }
  return out;
}

/** One channel of a picture as its red. */
const asRed = ({ width, height, rgba }: Picture, channel: number): Picture => ({
  width,
  height,
  rgba: rgba.map((_, i) => (i % 4 === 3 ? 255 : rgba[i - (i % 4) + channel]!)),
});

const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
const ASTC_FORMATS = FORMAT_NAMES.filter((name) => name.startsWith('ASTC'));
/** BC6H, and all plain formats but those of unsigned bytes. */
const RARE_FORMATS = FORMAT_NAMES.filter((name) => /^BC6|^(?!BC|ASTC|.*8_(UNORM|SRGB))/.test(name));

const SETS = {
  /** a wall with all its maps, and a door with user data of every type */
  windmill: (): SampleFile => ({
    name: 'textures',
    version: [4, 1, 0],
    textures: [
      makeTexture({
        name: 'Wall_Alb',
        format: 'BC1_SRGB',
        dimension: '2d',
        channels: 'RGB1',
        pictures: [scenes.brickAlbedo(256, 256)],
      }),
      makeTexture({
        name: 'Wall_Nrm',
        format: 'BC5_SNORM',
        dimension: '2d',
        channels: 'RG01',
        pictures: [scenes.brickNormal(256, 256)],
      }),
      makeTexture({
        name: 'Wall_Rgh',
        format: 'BC4_UNORM',
        dimension: '2d',
        channels: 'RRRR',
        pictures: [scenes.brickRoughness(128, 128)],
      }),
      makeTexture({
        name: 'Wall_Hgt',
        format: 'BC4_SNORM',
        dimension: '2d',
        channels: 'RRR1',
        pictures: [scenes.brickHeightMap(128, 128)],
      }),
      makeTexture({
        name: 'Door_Alb',
        format: 'BC7_SRGB',
        dimension: '2d',
        pictures: [scenes.woodPlanks(128, 192)],
        userData: [
          { name: 'priority', type: 'int', values: [3, -1, 2_000_000_000] },
          { name: 'uv_scale', type: 'float', values: [1, 0.5] },
          { name: 'artist', type: 'string', values: ['Mira', 'João'] },
          { name: 'checksum', type: 'byte', values: [0xde, 0xad, 0xbe, 0xef, 0x05] },
        ],
      }),
    ],
  }),

  tree: (): SampleFile => {
    const leaves = scenes.leaves(128, 128);
    return {
      name: 'textures',
      version: [4, 0, 0],
      textures: [
        makeTexture({ name: 'Leaf_Alb', format: 'BC1_SRGB', dimension: '2d', pictures: [leaves] }),
        makeTexture({
          name: 'Leaf_Opa',
          format: 'BC4_UNORM',
          dimension: '2d',
          channels: 'RRR1',
          pictures: [asRed(leaves, 3)],
        }),
        makeTexture({ name: 'Bark_Alb', format: 'BC1_UNORM', dimension: '2d', pictures: [scenes.bark(128, 128)] }),
      ],
    };
  },

  /** arrays, plain formats and sizes that are no powers of two */
  island: (): SampleFile => ({
    name: 'textures',
    version: [4, 0, 0],
    textures: [
      makeTexture({
        name: 'Ground_Alb',
        format: 'BC7_SRGB',
        dimension: '2d-array',
        pictures: scenes.GROUND_NAMES.map((name) => scenes.ground(name, 128, 128)),
      }),
      makeTexture({
        name: 'Ground_Nrm',
        format: 'BC5_UNORM',
        dimension: '2d-array',
        channels: 'RG11',
        pictures: [scenes.waterNormal(64, 64), scenes.brickNormal(64, 64), scenes.bumpNormal(64, 64)],
      }),
      makeTexture({
        name: 'Island_Hgt',
        format: 'R8_UNORM',
        dimension: '2d',
        channels: 'RRR1',
        pictures: [scenes.islandHeight(157, 119)],
      }),
      makeTexture({
        name: 'Island_Mask',
        format: 'R8G8_UNORM',
        dimension: '2d',
        channels: 'RG01',
        pictures: [scenes.islandMask(157, 119)],
      }),
      makeTexture({
        name: 'Bump_Nrm',
        format: 'R8G8B8A8_UNORM',
        dimension: '2d',
        pictures: [scenes.bumpNormal(128, 128)],
      }),
    ],
  }),

  /** cube maps, volumes and lines */
  sky: (): SampleFile => ({
    name: 'textures',
    version: [4, 1, 0],
    textures: [
      makeTexture({
        name: 'Sky_Cube',
        format: 'BC7_UNORM',
        dimension: 'cube',
        pictures: scenes.CUBE_FACES.map((_, face) => scenes.cubeFace(face, 128)),
      }),
      makeTexture({
        name: 'Sky_DayNight',
        format: 'R8G8B8A8_SRGB',
        dimension: 'cube-array',
        pictures: (['day', 'night'] as const).flatMap((time) =>
          scenes.CUBE_FACES.map((_, face) => scenes.cubeFace(face, 48, time)),
        ),
      }),
      makeTexture({
        name: 'Dusk_Ramp',
        format: 'R8G8B8A8_SRGB',
        dimension: '1d',
        mips: 1,
        pictures: [scenes.ramp(64, ['#1b1440', '#7a2f6b', '#ff7a3d', '#ffe6a8'])],
      }),
      makeTexture({
        name: 'Toon_Ramps',
        format: 'B8G8R8A8_UNORM',
        dimension: '1d-array',
        mips: 1,
        pictures: ['#d94f3d', '#3f8f4f', '#3a6fd8', '#e0b43a'].map((tint) => scenes.toonRamp(64, tint, 4)),
      }),
      makeTexture({
        name: 'Grading_Lut',
        format: 'R8G8B8A8_UNORM',
        dimension: '3d',
        mips: 1,
        pictures: scenes.gradingLut(16),
      }),
      makeTexture({
        name: 'Cloud_Vol',
        format: 'R8_UNORM',
        dimension: '3d',
        channels: 'RRR1',
        pictures: scenes.cloudVolume(48, 40, 12),
      }),
      makeTexture({
        name: 'Cloud_VolLow',
        format: 'BC4_UNORM',
        dimension: '3d',
        mips: 1,
        channels: '111R',
        pictures: scenes.cloudVolume(24, 20, 5),
      }),
    ],
  }),

  /** what layouts use: icons, buttons, a title */
  menu: (): SampleFile => ({
    name: '__Combined',
    version: [4, 0, 0],
    textures: [
      makeTexture({
        name: 'Title_Photo',
        format: 'BC7_SRGB',
        dimension: '2d',
        mips: 1,
        pictures: [scenes.landscape(320, 180)],
      }),
      makeTexture({
        name: 'Title_Logo',
        format: 'BC3_SRGB',
        dimension: '2d',
        mips: 1,
        pictures: [scenes.logo(256, 128, ['WINDMILL', 'VALLEY'])],
      }),
      makeTexture({ name: 'Icon_Coin', format: 'BC7_UNORM', dimension: '2d', pictures: [scenes.coinIcon(96, 96)] }),
      makeTexture({
        name: 'Icon_Heart',
        format: 'BC2_SRGB',
        dimension: '2d',
        channels: 'RRRA',
        pictures: [scenes.heartIcon(64, 64)],
      }),
      makeTexture({
        name: 'Icon_Arrow^s',
        format: 'BC4_UNORM',
        dimension: '2d',
        mips: 1,
        channels: '111R',
        pictures: [scenes.arrowMask(32, 32)],
      }),
      makeTexture({
        name: 'Coin_Spin',
        format: 'BC2_UNORM',
        dimension: '2d-array',
        mips: 1,
        pictures: Array.from({ length: 6 }, (_, i) => scenes.coinIcon(48, 48, (i * Math.PI) / 6)),
      }),
      makeTexture({
        name: 'Button_Start',
        format: 'B8G8R8A8_SRGB',
        dimension: '2d',
        mips: 1,
        pictures: [scenes.button(150, 57, 'START')],
      }),
      makeTexture({
        name: 'Color_Wheel',
        format: 'BC3_UNORM',
        dimension: '2d',
        pictures: [scenes.colorWheel(100, 100)],
      }),
      makeTexture({
        name: 'Test_Chart',
        format: 'R8G8B8A8_SRGB',
        dimension: '2d',
        pictures: [scenes.labelledChecker(192, 192)],
      }),
    ],
  }),

  /** what tools and games do differently from the rule, on pictures whose corners have letters */
  quirks: (): SampleFile => ({
    name: 'quirks',
    version: [4, 1, 0],
    textures: [
      makeTexture({
        name: 'linear',
        format: 'R8G8B8A8_UNORM',
        dimension: '2d',
        tileMode: 'linear',
        mips: 1,
        pictures: [scenes.cornerCard(61, 37, '#c0483c')],
      }),
      makeTexture({
        name: 'high_layout_bits',
        format: 'BC7_SRGB',
        dimension: '2d',
        layoutBits: 0x40,
        pictures: [scenes.cornerCard(96, 48, '#3c6fc0')],
      }),
      makeTexture({
        name: 'sparse_flags',
        format: 'BC1_SRGB',
        dimension: '2d',
        flags: 0x07,
        layoutBits: 0x30,
        pictures: [scenes.cornerCard(100, 60, '#3c9c5a')],
      }),
      makeTexture({
        name: 'one_mip_too_many',
        format: 'R8G8B8A8_SRGB',
        dimension: '2d',
        mips: 7,
        pictures: [scenes.cornerCard(50, 20, '#8a4fc0')],
      }),
      makeTexture({
        name: 'tall_block',
        format: 'R8G8B8A8_UNORM',
        dimension: '2d',
        blockHeightLog2: 5,
        mips: 3,
        pictures: [scenes.cornerCard(40, 260, '#c08a3c')],
      }),
      makeTexture({
        name: 'block_taller_than_image',
        format: 'BC3_SRGB',
        dimension: '2d',
        blockHeightLog2: 4,
        swizzle: 3,
        pictures: [scenes.cornerCard(64, 64, '#3ca0a8')],
      }),
    ],
  }),

  /** ASTC of all block sizes, by its format */
  astc: (): SampleFile => ({
    name: 'astc',
    version: [4, 1, 0],
    textures: ASTC_FORMATS.map((format) =>
      makeTexture({ name: format, format, dimension: '2d', pictures: [scenes.coinIcon(64, 64)] }),
    ),
  }),

  /** every format that the others do not have, by its name */
  formats: (): SampleFile => ({
    name: 'formats',
    version: [4, 1, 0],
    textures: RARE_FORMATS.map((format) =>
      makeTexture({ name: format, format, dimension: '2d', pictures: [scenes.colorWheel(50, 38)] }),
    ),
  }),
} satisfies Record<string, () => SampleFile>;

export type SetName = keyof typeof SETS;
export const SET_NAMES = Object.keys(SETS) as SetName[];

const made = new Map<SetName, SampleFile>();

/** One of the sample's sets of textures; drawing them takes a moment, so each is kept. */
export function sampleSet(name: SetName): SampleFile {
  let set = made.get(name);
  if (!set) made.set(name, (set = SETS[name]()));
  return set;
}
