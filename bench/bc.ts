import { randomBc7Blocks } from '../scripts/sample/bc-encode.ts';
import { FORMATS } from '../scripts/sample/formats.ts';
import { BC6H_MODES } from '../test/support/bc-blocks.ts';
import { random, randomBytes } from '../test/support/random.ts';
import { swizzle } from '../test/support/block-linear.ts';
import { createKernels, ELEMENT_SIZE, type TexelFormat } from '../ts/kernels/index.ts';
import { race, type Row } from './measure.ts';
import { pictures } from './pictures.ts';

const EXTENT = 1024;
const BLOCKS = EXTENT / 4;

/** How often each BC7 mode comes, 0 to 7, in parts. */
const BC7_SHARES = [1, 3, 1, 3, 2, 2, 6, 2];

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
    input: `${EXTENT} x ${EXTENT}, bricks with noise`,
    blocks: () => FORMATS[encoder].encode(pictures()[0]!),
  })),
  {
    kernel: 'bc7',
    format: 'bc7',
    input: `${EXTENT} x ${EXTENT}, random blocks of modes 0 to 7 in parts ${BC7_SHARES.join(':')}`,
    blocks: () => randomBc7Blocks(BLOCKS * BLOCKS, BC7_SHARES, random(7)),
  },
  {
    kernel: 'bc6h',
    format: 'bc6h-uf16',
    input: `${EXTENT} x ${EXTENT}, random unsigned blocks of all fourteen modes`,
    blocks: () => randomBc6hBlocks(BLOCKS * BLOCKS),
  },
];

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
export function benchBc(wanted: (kernel: string) => boolean): Row[] {
  const wasm = createKernels();
  const ts = createKernels({ backend: 'ts' });
  const pixels = (EXTENT * EXTENT) / 1e6;
  const rows: Row[] = [];
  for (const { kernel, format, input, blocks } of INPUTS) {
    if (!wanted(kernel) && !(kernel === 'bc7' && wanted('bc7-fused'))) continue;
    const data = blocks();
    const source = wasm.alloc(data.length);
    const target = wasm.alloc(4 * EXTENT * EXTENT);
    const tsTarget = new Uint8Array(4 * EXTENT * EXTENT);
    source.bytes.set(data);
    const common = { input, output: 'RGBA8', unit: 'Mpx/s', amount: pixels } as const;
    if (wanted(kernel)) {
      rows.push(
        ...race({
          ...common,
          kernel,
          contestants: [
            { name: 'wasm', run: () => wasm.bc.decode(format, source.bytes, EXTENT, EXTENT, target.bytes) },
            { name: 'ts', run: () => ts.bc.decode(format, data, EXTENT, EXTENT, tsTarget) },
          ],
        }),
      );
    }
    if (kernel === 'bc6h' && wanted(kernel)) {
      const halves = wasm.alloc(8 * EXTENT * EXTENT);
      const tsHalves = new Uint8Array(8 * EXTENT * EXTENT);
      rows.push(
        ...race({
          ...common,
          kernel,
          output: 'RGBA16F',
          contestants: [
            { name: 'wasm', run: () => wasm.bc.decodeHalf(format, source.bytes, EXTENT, EXTENT, halves.bytes) },
            { name: 'ts', run: () => ts.bc.decodeHalf(format, data, EXTENT, EXTENT, tsHalves) },
          ],
        }),
      );
      halves.free();
    }
    if (kernel === 'bc7' && wanted('bc7-fused')) {
      const tiling = { blockHeightLog2: 4, blockDepthLog2: 0, pitch: 0 };
      const rowSize = BLOCKS * ELEMENT_SIZE[format];
      const surface = wasm.alloc(data.length);
      surface.bytes.set(swizzle(data, rowSize, BLOCKS, 1, tiling));
      rows.push(
        ...race({
          ...common,
          kernel: 'bc7-fused',
          contestants: [
            {
              name: 'wasm',
              run: () =>
                wasm.tegra.decodeRows(format, surface.bytes, 0, EXTENT, EXTENT, tiling, 0, 0, BLOCKS, target.bytes),
            },
            {
              name: 'wasm, two passes',
              run: () => {
                wasm.tegra.deswizzle(surface.bytes, 0, 16, BLOCKS, BLOCKS, tiling, 0, 0, BLOCKS, source.bytes);
                return wasm.bc.decode(format, source.bytes, EXTENT, EXTENT, target.bytes);
              },
            },
          ],
        }),
      );
      surface.free();
    }
    source.free();
    target.free();
  }
  return rows;
}
