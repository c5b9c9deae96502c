import { InvalidArgumentError, Option, type Command } from 'commander';
import { RomflowError } from '../../ts/io/errors.ts';
import {
  extractTextures,
  type ExtractedSurface,
  type ExtractTexturesSummary,
  type MipRange,
} from '../jobs/extract-textures.ts';
import {
  requireOutput,
  wholeNumber,
  withCommonOptions,
  withOutputOptions,
  type CommonOptions,
  type GivenOptions,
  type OutputOptions,
} from './options.ts';
import { resumedText, summaryOf, withOutput } from './output.ts';
import { count, formatSize, skippedText, type Reporter } from './reporter.ts';
import { runCommand } from './run.ts';

interface TexturesOptions extends CommonOptions, OutputOptions {
  to: 'png' | 'dds' | 'astc';
  mips?: MipRange;
  reconstructZ?: boolean;
  sidecar?: boolean;
  hdr?: boolean;
  rawChannels?: boolean;
  alpha: 'keep' | 'opaque';
  flat?: boolean;
  dedupe?: boolean;
  contactSheet?: boolean;
  dryRun?: boolean;
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
    .addOption(
      new Option('--to <kind>', 'pictures, or files with the blocks as they are stored')
        .choices(['png', 'dds', 'astc'])
        .default('png'),
    )
    .option('--mips <which>', 'mip levels: all, N or A-B (default: 0; of dds: all)', parseMips)
    .option('--reconstruct-z', 'fill the blue of normal maps that have two channels')
    .option('--sidecar', 'a JSON file beside them with what pictures cannot hold')
    .option('--hdr', 'OpenEXR of half floats beside pictures of floats (such as BC6H)')
    .option('--raw-channels', 'the stored channels, not in the order that the texture asks for (such as 111R of fonts)')
    .addOption(new Option('--alpha <how>', 'the alpha of pictures').choices(['keep', 'opaque']).default('keep'))
    .option('--flat', 'all pictures into the folder itself')
    .option('--dedupe', 'write pictures with the same pixels once')
    .option('--contact-sheet', 'thumbnails of all pictures, too, many in a PNG, with their names')
    .option('--dry-run', 'only print what would be written')
    .option(
      '--png-level <n>',
      "1: the same bytes on every machine; 2 to 9: the platform's zlib, smaller",
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
  const { to, mips, rawChannels = false, flat = false, dedupe = false, dryRun = false, pngLevel } = options;
  const { reconstructZ = false, sidecar = false, hdr = false, contactSheet = false } = options;
  const opaque = options.alpha === 'opaque';
  const ofPictures = { rawChannels, opaque, reconstructZ, hdr, dedupe, contactSheet, pngLevel: pngLevel !== 1 };
  if (to !== 'png' && Object.values(ofPictures).some(Boolean)) {
    throw new RomflowError('usage', `--to ${to} writes what is stored: options that change pictures do not go with it`);
  }
  const choices = {
    to,
    reconstructZ,
    sidecar,
    hdr,
    rawChannels,
    opaque,
    flat,
    dedupe,
    pngLevel,
    ...(mips && { mips }),
  };
  const about = { job: 'textures', settings: choices, dryRun };
  await withOutput(paths, options, about, reporter, signal, async ({ inputs, settings, output, store }) => {
    let surfaces = 0;
    const events = extractTextures(inputs, {
      ...settings,
      ...choices,
      contactSheet,
      dryRun,
      hashes: reporter.json,
      output,
      store,
    });
    for await (const event of events) {
      await reporter.behind();
      switch (event.kind) {
        case 'surface':
          reporter.line(jsonOf(event));
          if (event.resumed || (dryRun && event.duplicate)) break;
          if (dryRun) reporter.print(event.png);
          else reporter.progress(++surfaces, 'PNG', event.png);
          break;
        case 'file': {
          const { kind: _, ...line } = event;
          reporter.line(line);
          if (event.resumed || (dryRun && event.duplicate)) break;
          if (dryRun) reporter.print(event.output);
          else reporter.progress(++surfaces, 'file', event.output);
          break;
        }
        case 'sheet': {
          const { kind: _, ...line } = event;
          reporter.line(line);
          if (dryRun) reporter.print(event.sheet);
          break;
        }
        case 'failure':
          reporter.failure(event);
          break;
        case 'summary': {
          const { kind: _, duplicates, others, exrs, sheets, repeatedAlpha: _repeated, ...rest } = event;
          const more = {
            ...(dedupe && { duplicates }),
            ...(others && { others }),
            ...(exrs && { exrs }),
            ...(sheets && { sheets }),
          };
          reporter.line({ summary: { ...summaryOf(rest, options), ...more } });
          for (const line of summaryText(event, options, reporter.interrupted)) reporter.print(line);
        }
      }
    }
  });
}

function summaryText(
  summary: ExtractTexturesSummary,
  { output, alpha, dryRun, to, match }: TexturesOptions,
  interrupted: boolean,
): string[] {
  const {
    surfaces,
    others,
    exrs,
    sheets,
    textures,
    files,
    bytesOut,
    seconds,
    failed,
    skipped,
    duplicates,
    repeatedAlpha,
  } = summary;
  const made =
    to === 'png' ? count(surfaces - duplicates, 'PNG') : `${count(surfaces, 'surface')} in ${count(others, 'file')}`;
  const beside = to === 'png' ? besideText(exrs, others - exrs, sheets) : '';
  const pictures = `${made}${beside} of ${count(textures, 'texture')} in ${count(files, 'file')}`;
  const where = dryRun ? `would be in ${output}` : `${formatSize(bytesOut)} in ${output}`;
  const parts = [pictures, where, `${seconds.toFixed(1)} s`];
  if (duplicates) parts.push(`${duplicates} more the same as others`);
  parts.push(...resumedText(summary, interrupted));
  if (failed) parts.push(`${failed} failed`);
  const lines = [parts.join(', ')];
  if (!textures && match && !interrupted) lines.push('no texture matches');
  if (textures && !surfaces && !failed && !interrupted) lines.push('no texture has a mip level that was asked for');
  if (Object.keys(skipped).length) lines.push(skippedText(skipped));
  if (repeatedAlpha && alpha === 'keep' && to === 'png') {
    lines.push(`${count(repeatedAlpha, 'texture')} with an alpha that repeats a colour; --alpha opaque leaves it out`);
  }
  return lines;
}

/** Such as ` and 2 EXRs and 1 sidecar`. */
function besideText(exrs: number, sidecars: number, sheets: number): string {
  const counts = { EXR: exrs, sidecar: sidecars, 'contact sheet': sheets };
  return Object.entries(counts)
    .map(([noun, n]) => (n ? ` and ${count(n, noun)}` : ''))
    .join('');
}

function jsonOf(surface: ExtractedSurface): object {
  const { kind: _, ...line } = surface;
  return line;
}
