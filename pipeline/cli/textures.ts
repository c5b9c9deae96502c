import { InvalidArgumentError, type Command } from 'commander';
import { extractTextures, type ExtractedSurface, type MipRange } from '../jobs/extract-textures.ts';
import { nodePlatform } from '../node/platform.ts';
import {
  prepare,
  requireOutput,
  wholeNumber,
  withCommonOptions,
  withFolder,
  withOutputOptions,
  type CommonOptions,
  type GivenOptions,
  type OutputOptions,
} from './common.ts';
import { count, formatSize, skippedText, type Reporter } from './reporter.ts';
import { runCommand } from './run.ts';

interface TexturesOptions extends CommonOptions, OutputOptions {
  mips?: MipRange;
  rawChannels?: boolean;
  pngLevel: number;
}

export function addTextures(program: Command): void {
  const textures = program.command('textures').enablePositionalOptions();
  defineExport(textures).description('write every texture as PNG');
  defineExport(textures.command('export')).description('the same as plain "textures"');
}

function defineExport(command: Command): Command {
  command
    .argument('<path...>', 'files, folders, paths into archives, or - for standard input')
    .option('--mips <which>', 'mip levels: all, N or A-B (default: 0)', parseMips)
    .option(
      '--raw-channels',
      'the stored channels, not in the order that the\ntexture asks for (such as 111R of fonts)',
    )
    .option(
      '--png-level <n>',
      "1: the same bytes on every machine;\n2 to 9: the platform's zlib, smaller",
      wholeNumber(1, 9),
      1,
    );
  return withCommonOptions(withOutputOptions(command)).action(
    (paths: string[], given: GivenOptions<TexturesOptions>) => {
      const options = requireOutput(given, command);
      return runCommand(options, (reporter, signal) => exportTextures(paths, options, reporter, signal));
    },
  );
}

function parseMips(text: string): MipRange {
  if (text === 'all') return { first: 0, last: Infinity };
  const [, first, last] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last ?? first) };
  if (first === undefined || range.last < range.first) throw new InvalidArgumentError('all, N or A-B is needed.');
  return range;
}

async function exportTextures(
  paths: string[],
  options: TexturesOptions,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<void> {
  const { mips, rawChannels = false, pngLevel } = options;
  const { session, inputs } = await prepare(paths, options, reporter);
  await withFolder(options, async (output) => {
    const settings = { session, output, platform: nodePlatform, rawChannels, pngLevel, hashes: reporter.json, signal };
    let surfaces = 0;
    for await (const event of extractTextures(inputs, { ...settings, ...(mips && { mips }) })) {
      switch (event.kind) {
        case 'surface':
          reporter.line(jsonOf(event));
          reporter.progress(`${++surfaces}  ${event.png}`);
          break;
        case 'failure':
          reporter.failure(event);
          break;
        case 'summary': {
          const { kind: _, ...summary } = event;
          reporter.line({ summary });
          const { files, textures, skipped, failed, bytesOut, seconds } = summary;
          reporter.print(
            [
              `${count(summary.surfaces, 'PNG')} of ${count(textures, 'texture')} in ${count(files, 'file')}`,
              `${formatSize(bytesOut)} in ${options.output}`,
              `${seconds.toFixed(1)} s`,
              ...(failed ? [`${failed} failed`] : []),
            ].join(', '),
          );
          if (Object.keys(skipped).length) reporter.print(skippedText(skipped));
        }
      }
    }
  });
}

function jsonOf(surface: ExtractedSurface): object {
  const { kind: _, ...line } = surface;
  return line;
}
