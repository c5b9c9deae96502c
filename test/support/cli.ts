import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

/** The built command line; `npm test` builds it first. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs romflow to its end. */
export function romflow(args: string[], options: { input?: Uint8Array; cwd?: string } = {}): Finished {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  });
  return { status, stdout, stderr };
}

/** Starts romflow and leaves it running. */
export function startRomflow(args: string[]): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'romflow-test-'));
  folders.push(folder);
  return folder;
}

/** Relative paths of all files below a folder but for journals, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/^\.romflow[\\/]\w+\.jsonl$/.test(path))
    .toSorted();
}
