import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the project, with a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs Node with `args` in the project's folder, on this terminal; gives the exit code. */
export function node(...args) {
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

/** Runs `main` and turns what it throws into a line on standard error and exit code 1. */
export async function script(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(process.env.DEBUG ? error : error.message);
    process.exitCode = 1;
  }
}
