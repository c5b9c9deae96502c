import { RomflowError } from '../../ts/io/errors.ts';
import { Reporter } from './reporter.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

/**
 * Runs a command: Ctrl-C aborts it, whatever it throws becomes one line, and the exit code is set: 0 done, 1 something
 * failed, 2 bad usage, 130 interrupted.
 */
export async function runCommand(
  options: { json?: boolean; quiet?: boolean; debug?: boolean },
  command: (reporter: Reporter, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const reporter = new Reporter(options);
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const output = watchOutput(() => {
    reporter.mute();
    controller.abort();
  });
  try {
    await command(reporter, controller.signal);
  } catch (error) {
    reporter.fatal(error);
    if (error instanceof RomflowError && error.code === 'usage') process.exitCode = EXIT_USAGE;
  } finally {
    reporter.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  if (reporter.failed) process.exitCode ??= reporter.interrupted ? EXIT_INTERRUPTED : EXIT_FAILED;
  process.exitCode = output.exitCode ?? process.exitCode ?? 0;
}

/**
 * Whoever reads our output may go away (`| head`): that ends a command quietly. A full disk is an error. Either way the
 * command still clears up after itself.
 */
function watchOutput(ended: () => void): { exitCode: number | undefined } {
  const state: { exitCode: number | undefined } = { exitCode: undefined };
  // Messages that nobody reads end nothing.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (state.exitCode !== undefined) return;
    state.exitCode = error.code === 'EPIPE' ? 0 : EXIT_FAILED;
    // The command may be over by now.
    process.exitCode = state.exitCode;
    if (state.exitCode) process.stderr.write(`romflow: standard output cannot be written: ${error.message}\n`);
    ended();
  });
  return state;
}
