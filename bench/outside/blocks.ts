import { AVX2_ASTCENC, astcDecodeSeconds, decodeAstc } from '../../test/support/astcenc.ts';
import type { Footprint } from '../../test/support/astc-blocks.ts';
import { blockExtent, familyOf, type TexelFormat } from '../../ts/kernels/index.ts';
import type { Tolerance } from '../kernels/compare.ts';
import type { Contestant } from '../kernels/measure.ts';
import { peer } from './peers.ts';

type Decode = (blocks: Uint8Array, width: number, height: number) => Uint8Array;

type UnityTools = Record<
  'decodeBc1' | 'decodeBc3' | 'decodeBc4' | 'decodeBc5' | 'decodeBc6Unsigned' | 'decodeBc7',
  Decode
> & {
  decodeAstc(blocks: Uint8Array, width: number, height: number, blockWidth: number, blockHeight: number): Uint8Array;
};

const ROUNDED: Tolerance = { step: 1, why: 'rounds otherwise, by 1' };

/** Its indices of the eleventh and all later texels of a block are wrong: of the 48 bits it keeps 32. */
function cutIndices(channels: number): Tolerance {
  return {
    step: 1,
    share: (channels * 6) / 64,
    why: 'rounds otherwise, by 1; takes wrong indices for the last six texels',
  };
}

const UNITY_TOOLS: Partial<Record<TexelFormat, { call: keyof UnityTools; tolerance?: Tolerance }>> = {
  bc1: { call: 'decodeBc1', tolerance: ROUNDED },
  bc3: { call: 'decodeBc3', tolerance: ROUNDED },
  'bc4-unorm': { call: 'decodeBc4', tolerance: cutIndices(1) },
  'bc5-unorm': { call: 'decodeBc5', tolerance: cutIndices(2) },
  'bc6h-uf16': {
    call: 'decodeBc6Unsigned',
    tolerance: {
      step: 1,
      share: 0.04,
      why: 'rounds otherwise, by 1; decodes mode 14 wrongly, and single texels of others',
    },
  },
  bc7: { call: 'decodeBc7' },
};

const DECODE_DXT: Partial<Record<TexelFormat, string>> = { bc1: 'dxt1', bc2: 'dxt3', bc3: 'dxt5' };

/** Decoders of a texture in linear blocks. */
export async function blockDecoders(
  format: TexelFormat,
  blocks: Uint8Array,
  width: number,
  height: number,
): Promise<Contestant[]> {
  return [
    ...(await unityTools(format, blocks, width, height)),
    ...(await decodeDxt(format, blocks, width, height)),
    ...astcenc(format, blocks, width, height),
  ];
}

async function unityTools(
  format: TexelFormat,
  blocks: Uint8Array,
  width: number,
  height: number,
): Promise<Contestant[]> {
  const name = '@arkntools/unity-js-tools-wasm';
  const tools = await peer<UnityTools>(name);
  if (!tools) return [];
  if (familyOf(format) === 'astc') {
    const { width: blockWidth, height: blockHeight } = blockExtent(format);
    const run = (): Uint8Array => tools.decodeAstc(blocks, width, height, blockWidth, blockHeight);
    return [{ name, run, normalize: swapRedAndBlue, tolerance: ROUNDED }];
  }
  const decoder = UNITY_TOOLS[format];
  if (!decoder) return [];
  const { call, ...tolerance } = decoder;
  return [{ name, run: () => (tools[call] as Decode)(blocks, width, height), normalize: swapRedAndBlue, ...tolerance }];
}

/** BGRA as RGBA. */
function swapRedAndBlue(bgra: Uint8Array): Uint8Array {
  const rgba = bgra.slice();
  for (let i = 0; i < rgba.length; i += 4) [rgba[i], rgba[i + 2]] = [rgba[i + 2]!, rgba[i]!];
  return rgba;
}

async function decodeDxt(
  format: TexelFormat,
  blocks: Uint8Array,
  width: number,
  height: number,
): Promise<Contestant[]> {
  const dxt = DECODE_DXT[format];
  if (!dxt) return [];
  const name = 'decode-dxt';
  const module = await peer<{
    default(blocks: DataView, width: number, height: number, format: string): Uint8Array;
  }>(name);
  if (!module) return [];
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.length);
  return [{ name, run: () => module.default(view, width, height, dxt), tolerance: ROUNDED }];
}

/** Arm's own program, by the time that it prints. */
function astcenc(format: TexelFormat, blocks: Uint8Array, width: number, height: number): Contestant[] {
  if (familyOf(format) !== 'astc' || !AVX2_ASTCENC) return [];
  const command = AVX2_ASTCENC;
  const extent = blockExtent(format);
  const footprint = [extent.width, extent.height] as Footprint;
  return [
    {
      name: 'astcenc',
      run: () => decodeAstc(command, false, footprint, width, height, blocks),
      seconds: () => astcDecodeSeconds(command, footprint, width, height, blocks),
    },
  ];
}
