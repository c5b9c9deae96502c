import type { Command } from 'commander';
import { RomflowError } from '../../ts/io/errors.ts';
import { runCommand } from './run.ts';

/** What `bench.js`, which lies beside the command line, gives. */
export interface ShortBench {
  /**
   * Measures kernels, those of the list `only` or all; `print` gets a table of each race. Throws an error of usage where
   * `only` names what is no kernel.
   */
  runShortBench: (
    only: string | undefined,
    print: (table: string) => void,
  ) => Promise<{ machine: object; rows: readonly object[] }>;
}

interface BenchOptions {
  only?: string;
  json?: boolean;
}

/** Adds `bench`, which is for those who ask how fast the kernels are on their machine. */
export function addBench(program: Command): void {
  program
    .command('bench', { hidden: true })
    .description('measure the kernels on this machine: WebAssembly, plain TypeScript, and zlib of Node where it fits')
    .option('--only <kernel,...>', 'only these kernels')
    .option('--json', 'machine and rows as one JSON object on standard output, nothing else')
    .action((options: BenchOptions) =>
      runCommand(options, async (reporter, signal) => {
        // Loaded only here, since nothing else needs it.
        const { runShortBench } = (await import(new URL('./bench.js', import.meta.url).href)) as ShortBench;
        const result = await runShortBench(options.only, (table) => {
          if (signal.aborted) throw new RomflowError('aborted', 'interrupted');
          reporter.print(`${table}\n`);
        });
        reporter.line(result);
      }),
    );
}
