import type { Command } from 'commander';
import { oneLine } from '../../ts/io/errors.ts';
import { list, type ListedFile, type ListedTexture } from '../jobs/list.ts';
import { wholeNumber, withCommonOptions, type CommonOptions } from './options.ts';
import { count, type Reporter } from './reporter.ts';
import { runCommand } from './run.ts';
import { withWork } from './work.ts';

interface LsOptions extends CommonOptions {
  depth?: number;
}

export function addLs(program: Command): void {
  const command = program
    .command('ls')
    .description('say what files are: format, version, size, and the entries of archives')
    .argument('<path...>', 'files, folders, paths into archives, or - for standard input')
    .option(
      '--depth <n>',
      'how deep to look into archives; 0: not at all (default: all the way)',
      wholeNumber(0, 1000),
    );
  withCommonOptions(command).action((paths: string[], options: LsOptions) =>
    runCommand(options, (reporter, signal) => ls(paths, options, reporter, signal)),
  );
}

async function ls(paths: string[], options: LsOptions, reporter: Reporter, signal: AbortSignal): Promise<void> {
  const { depth } = options;
  await withWork(paths, options, reporter, signal, async ({ inputs, settings }) => {
    for await (const event of list(inputs, { ...settings, ...(depth !== undefined && { depth }) })) {
      await reporter.behind();
      switch (event.kind) {
        case 'file':
          reporter.line(jsonOf(event));
          reporter.print(textOf(event));
          break;
        case 'failure':
          reporter.failure(event);
          break;
        case 'summary': {
          const { files, entries, failed } = event;
          reporter.line({ summary: { files, entries, failed } });
          const inside = entries ? ` with ${entries} ${entries === 1 ? 'entry' : 'entries'} inside` : '';
          reporter.print(`${count(files, 'file')}${inside}${failed ? `, ${failed} failed` : ''}`);
        }
      }
    }
  });
}

function jsonOf({ path, type, layers, size, compressedSize, textures }: ListedFile): object {
  return {
    path,
    format: type.id,
    version: type.version ?? null,
    size: size ?? null,
    compressedSize,
    description: type.description,
    certainty: type.certainty,
    ...(type.platform !== undefined && { platform: type.platform }),
    ...(type.detail !== undefined && { detail: type.detail }),
    ...(layers.length && { compression: layers.map((layer) => layer.id) }),
    ...(textures && { textures }),
  };
}

const SIZE_WIDTH = 11;
const FORMAT_WIDTH = 26;

function textOf({ path, type, layers, size, textures }: ListedFile): string {
  const sure = type.certainty === 'magic' || type.certainty === 'unknown' ? '' : ` (${type.certainty})`;
  const format = [type.id, type.version, type.platform].filter((part) => part !== undefined).join(' ') + sure;
  const outside = layers.length ? `  [${layers.map((layer) => layer.id).join(' in ')}]` : '';
  const lines = [
    `${String(size ?? '?').padStart(SIZE_WIDTH)}  ${oneLine(format).padEnd(FORMAT_WIDTH)}  ${oneLine(path)}${outside}`,
  ];
  const indent = ' '.repeat(SIZE_WIDTH + FORMAT_WIDTH + 6);
  lines.push(...aligned((textures ?? []).map(textureColumns)).map((line) => indent + line));
  return lines.join('\n');
}

function textureColumns(texture: ListedTexture): string[] {
  const { name, format, dimension, width, height, depth, layers, mips, channels } = texture;
  const extent = depth > 1 ? `${width}x${height}x${depth}` : `${width}x${height}`;
  return [
    oneLine(name),
    format,
    dimension === '2D' ? extent : `${dimension} ${extent}`,
    channels,
    [...(layers > 1 ? [`${layers} layers`] : []), ...(mips > 1 ? [`${mips} mips`] : [])].join(', '),
  ];
}

/** Rows of columns as lines, each column as wide as its widest cell. */
function aligned(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}
