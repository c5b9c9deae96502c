import type { Command } from 'commander';
import { extract } from '../jobs/extract.ts';
import {
  requireOutput,
  withCommonOptions,
  withOutputOptions,
  type CommonOptions,
  type GivenOptions,
  type OutputOptions,
} from './options.ts';
import { resumedText, summaryOf, withOutput } from './output.ts';
import { count, formatSize, skippedText, type Reporter } from './reporter.ts';
import { runCommand } from './run.ts';

interface ExtractCommandOptions extends CommonOptions, OutputOptions {
  recursive?: boolean;
}

export function addExtract(program: Command): void {
  const command = program
    .command('extract')
    .description('unpack archives and compression')
    .argument('<path...>', 'files, folders, paths into archives, or - for standard input')
    .option('--recursive', 'unpack what is inside archives too');
  withCommonOptions(withOutputOptions(command)).action(
    (paths: string[], given: GivenOptions<ExtractCommandOptions>) => {
      const options = requireOutput(given, command);
      return runCommand(options, (reporter, signal) => run(paths, options, reporter, signal));
    },
  );
}

async function run(
  paths: string[],
  options: ExtractCommandOptions,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<void> {
  const { recursive = false } = options;
  const about = { job: 'extract', settings: { recursive } };
  await withOutput(paths, options, about, reporter, signal, async ({ inputs, settings, output, store }) => {
    let written = 0;
    const events = extract(inputs, { ...settings, output, store, recursive, hashes: reporter.json });
    for await (const event of events) {
      await reporter.behind();
      switch (event.kind) {
        case 'file': {
          const { kind: _, ...line } = event;
          reporter.line(line);
          if (!event.resumed) reporter.progress(++written, 'file', event.output);
          break;
        }
        case 'failure':
          reporter.failure(event);
          break;
        case 'summary': {
          const { kind: _, ...summary } = event;
          reporter.line({ summary: summaryOf(summary, options) });
          const { files, extracted, skipped, failed, bytesOut } = summary;
          const parts = [`${count(extracted, 'file')} out of ${files}`, `${formatSize(bytesOut)} in ${options.output}`];
          reporter.print(
            [...parts, ...resumedText(event, reporter.interrupted), ...(failed ? [`${failed} failed`] : [])].join(', '),
          );
          if (Object.keys(skipped).length) reporter.print(skippedText(skipped));
        }
      }
    }
  });
}
