import { randomBc7Blocks } from '../../scripts/sample/bc-encode.ts';
import { FORMATS } from '../../scripts/sample/formats.ts';
import { BC6H_MODES } from '../../test/support/bc-blocks.ts';
import { swizzle } from '../../test/support/block-linear.ts';
import { random, randomBytes } from '../../test/support/random.ts';
import { createKernels, ELEMENT_SIZE, type TexelFormat } from '../../ts/kernels/index.ts';
import { race, type Bench, type Row } from './measure.ts';
import { bricks } from './pictures.ts';

const EXTENT = 1024;
/** More than caches hold. */
const FUSED_EXTENT = 4096;

/** How often each BC7 mode comes, 0 to 7, in parts. */
const BC7_SHARES = [1, 3, 1, 3, 2, 2, 6, 2];

const BYTES = { output: 'RGBA8', texelSize: 4, decode: 'decode' } as const;
const HALVES = { output: 'RGBA16F', texelSize: 8, decode: 'decodeHalf' } as const;

const INPUTS: { kernel: string; format: TexelFormat; input: string; blocks(): Uint8Array }[] = [
  ...(
    [
      ['bc1', 'bc1', 'BC1_UNORM'],
      ['bc2', 'bc2', 'BC2_UNORM'],
      ['bc3', 'bc3', 'BC3_UNORM'],
      ['bc4', 'bc4-unorm', 'BC4_UNORM'],
      ['bc5', 'bc5-unorm', 'BC5_UNORM'],
    ] as const
  ).map(([kernel, format, encoder]) => ({
    kernel,
    format,
    input: 'bricks with noise',
    blocks: () => FORMATS[encoder].encode(bricks()),
  })),
  {
    kernel: 'bc6h',
    format: 'bc6h-uf16',
    input: 'random unsigned blocks of all fourteen modes',
    blocks: () => randomBc6hBlocks(blockCount(EXTENT)),
  },
  {
    kernel: 'bc7',
    format: 'bc7',
    input: `random blocks of modes 0 to 7 in parts ${BC7_SHARES.join(':')}`,
    blocks: () => bc7Blocks(EXTENT),
  },
];

function blockCount(extent: number): number {
  return (extent / 4) ** 2;
}

function bc7Blocks(extent: number): Uint8Array {
  return randomBc7Blocks(blockCount(extent), BC7_SHARES, random(7));
}

/** Random blocks whose modes come as often as each other. */
function randomBc6hBlocks(count: number): Uint8Array {
  const blocks = randomBytes(16 * count, 6);
  const next = random(66);
  for (let i = 0; i < blocks.length; i += 16) {
    const mode = BC6H_MODES[next() % BC6H_MODES.length]!;
    blocks[i] = (blocks[i]! & (mode < 2 ? 0xfc : 0xe0)) | mode;
  }
  return blocks;
}

/** Block decoders, blocks and pixels in kernel memory; `bc7-fused` deswizzles on the way. */
export async function* benchBc(bench: Bench): AsyncGenerator<Row[], void, void> {
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  for (const { kernel, format, input, blocks } of INPUTS) {
    if (!bench.wanted(kernel)) continue;
    const data = blocks();
    const source = wasm.alloc(data.length);
    source.bytes.set(data);
    for (const { output, texelSize, decode } of kernel === 'bc6h' ? [BYTES, HALVES] : [BYTES]) {
      const target = wasm.alloc(texelSize * EXTENT * EXTENT);
      const tsTarget = new Uint8Array(texelSize * EXTENT * EXTENT);
      yield race(bench, {
        kernel,
        input: `${EXTENT} x ${EXTENT}, ${input}`,
        output,
        unit: 'Mpx/s',
        amount: EXTENT ** 2 / 1e6,
        contestants: [
          { name: 'wasm', run: () => wasm.bc[decode](format, source.bytes, EXTENT, EXTENT, target.bytes) },
          { name: 'ts', run: () => ts.bc[decode](format, data, EXTENT, EXTENT, tsTarget) },
          ...(output === 'RGBA8' ? ((await bench.outside?.blockDecoders(format, data, EXTENT, EXTENT)) ?? []) : []),
        ],
      });
      target.free();
    }
    source.free();
  }
  if (bench.wanted('bc7-fused')) yield benchFused(bench);
}

/** Deswizzling and decoding in one pass, and in two. */
async function benchFused(bench: Bench): Promise<Row[]> {
  const wasm = createKernels();
  const [format, extent, rows] = ['bc7', FUSED_EXTENT, FUSED_EXTENT / 4] as const;
  const tiling = { blockHeightLog2: 4, blockDepthLog2: 0, pitch: 0 };
  const size = ELEMENT_SIZE[format];
  const data = swizzle(bc7Blocks(extent), rows * size, rows, 1, tiling);
  const [surface, linear, target] = [wasm.alloc(data.length), wasm.alloc(data.length), wasm.alloc(4 * extent ** 2)];
  surface.bytes.set(data);
  return race(bench, {
    kernel: 'bc7-fused',
    input: `${extent} x ${extent} in blocks of 16 GOBs, as bc7`,
    output: 'RGBA8',
    unit: 'Mpx/s',
    amount: extent ** 2 / 1e6,
    contestants: [
      {
        name: 'wasm',
        run: () => wasm.tegra.decodeRows(format, surface.bytes, 0, extent, extent, tiling, 0, 0, rows, target.bytes),
      },
      {
        name: 'wasm, two passes',
        run: () => {
          wasm.tegra.deswizzle(surface.bytes, 0, size, rows, rows, tiling, 0, 0, rows, linear.bytes);
          return wasm.bc.decode(format, linear.bytes, extent, extent, target.bytes);
        },
      },
    ],
  });
}
