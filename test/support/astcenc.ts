import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { astcBlock, astcFile, type Footprint } from './astc-blocks.ts';
import { concat } from './concat.ts';

// Versions of Arm's astcenc differ by one here and there. What is right is 5.6.0; the SSE 4.1 build of 4.7.0 from npm
// agrees with it in linear mode (its AVX2 build has another error colour), Debian's 4.2.0 in sRGB. From 4.7 to 5.1 the
// alpha of sRGB was another.

function runs(command: string): boolean {
  return spawnSync(command, ['-version']).status === 0;
}

function npmBinary(instructions: string): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = dirname(createRequire(import.meta.url).resolve('@gpu-tex-enc/astc/package.json'));
  const path = join(folder, `bin/linux-x64/astcenc-${instructions}`);
  return runs(path) ? path : undefined;
}

function debianBinary(): string | undefined {
  const { status, stdout } = spawnSync('astcenc', ['-version'], { encoding: 'utf8' });
  return status === 0 && /astcenc v(4\.2|5\.[2-9])\./.test(stdout) ? 'astcenc' : undefined;
}

/** A void extent of four different channels. */
const FOUR_CHANNELS = astcBlock([
  [0xdfc, 12],
  [2 ** 52 - 1, 52],
  [0x1000, 16],
  [0x2000, 16],
  [0x4000, 16],
  [0x8000, 16],
]);

/** The program whose linear mode is exact, which encodes, too; undefined where it cannot be run. */
export const LINEAR_ASTCENC = npmBinary('sse4.1');
/** The program whose sRGB mode is exact; undefined where it is not installed. */
export const SRGB_ASTCENC = debianBinary();
/** The program that is fastest; undefined where it cannot be run. */
export const AVX2_ASTCENC = npmBinary('avx2');

/** What it prints. */
function run(command: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Runs `use` with a folder that is then removed. */
function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'romflow-astc-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** RGBA8 of `width` x `height` texels in blocks. */
export function decodeAstc(
  command: string,
  srgb: boolean,
  footprint: Footprint,
  width: number,
  height: number,
  blocks: Uint8Array,
): Uint8Array {
  // It leaves out channels that a picture has no use for, so a row of blocks that has all is put below.
  const last = Array.from({ length: Math.ceil(width / footprint[0]) }, () => FOUR_CHANNELS);
  const fileHeight = (Math.ceil(height / footprint[1]) + 1) * footprint[1];
  return inFolder((folder) => {
    const [input, output] = [join(folder, 'in.astc'), join(folder, 'out.dds')];
    writeFileSync(input, astcFile(footprint, width, fileHeight, concat(blocks, ...last)));
    run(command, [srgb ? '-ds' : '-dl', input, output, '-silent']);
    const dds = new Uint8Array(readFileSync(output));
    const header = new DataView(dds.buffer).getUint32(84, true) === 0x30315844 ? 148 : 128; // DX10
    const size = 4 * width * fileHeight;
    if (dds.length !== header + size) throw new Error(`${dds.length} bytes of DDS for ${size} of texels`);
    return dds.subarray(header, header + 4 * width * height);
  });
}

/** The seconds that decoding takes in one thread, without files and start-up, as the program prints them. */
export function astcDecodeSeconds(
  command: string,
  footprint: Footprint,
  width: number,
  height: number,
  blocks: Uint8Array,
): number {
  return inFolder((folder) => {
    const [input, output] = [join(folder, 'in.astc'), join(folder, 'out.dds')];
    writeFileSync(input, astcFile(footprint, width, height, blocks));
    const printed = run(command, ['-dl', input, output, '-j', '1']);
    const seconds = Number(/Decoding time:\s+([\d.]+) s/.exec(printed)?.[1]);
    if (!seconds) throw new Error(`${command} does not tell its time: ${printed}`);
    return seconds;
  });
}

/** The blocks of a picture, encoded. */
export function encodeAstc(
  command: string,
  { width, height, rgba }: { width: number; height: number; rgba: Uint8Array },
  footprint: string,
  quality: '-fast' | '-medium',
  srgb = false,
): Uint8Array {
  return inFolder((folder) => {
    const [input, output] = [join(folder, 'in.tga'), join(folder, 'out.astc')];
    writeFileSync(input, tga(width, height, rgba));
    run(command, [srgb ? '-cs' : '-cl', input, output, footprint, quality, '-silent']);
    return new Uint8Array(readFileSync(output)).subarray(16);
  });
}

/** A picture as BGRA from top to bottom. */
function tga(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const file = new Uint8Array(18 + rgba.length);
  const view = new DataView(file.buffer);
  file[2] = 2; // true colour
  view.setUint16(12, width, true);
  view.setUint16(14, height, true);
  file[16] = 32; // bits
  file[17] = 0x28; // eight of them alpha, top first
  for (let i = 0; i < rgba.length; i += 4) {
    file.set([rgba[i + 2]!, rgba[i + 1]!, rgba[i]!, rgba[i + 3]!], 18 + i);
  }
  return file;
}
