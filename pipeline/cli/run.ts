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
  endWithStandardOutput();
  try {
    await command(reporter, controller.signal);
    if (reporter.failed) process.exitCode ??= EXIT_FAILED;
  } catch (error) {
    reporter.error(error);
    const code = error instanceof RomflowError ? error.code : undefined;
    process.exitCode = code === 'usage' ? EXIT_USAGE : code === 'aborted' ? EXIT_INTERRUPTED : EXIT_FAILED;
  } finally {
    reporter.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Whoever reads our output may go away (`| head`): that is no error. A full disk is. */
function endWithStandardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`romflow: standard output cannot be written: ${error.message}\n`);
    process.exit(EXIT_FAILED);
  });
}
