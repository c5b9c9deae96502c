// Installs what the lockfile says when node_modules does not hold it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from './process.mjs';

/** The packages that a lockfile names, with their versions; nothing when there is no such file. */
function packages(lockfile) {
  try {
    return JSON.parse(readFileSync(root + lockfile, 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Whether every package of the lockfile is installed in its version; optional ones depend on the platform. */
function isInstalled(folder) {
  const installed = packages(`${folder}node_modules/.package-lock.json`);
  return Object.entries(packages(`${folder}package-lock.json`)).every(
    ([path, { version, optional, peer }]) => !path || optional || peer || installed[path]?.version === version,
  );
}

/** Installs the packages of the project, or of a folder of it (with a slash at the end) that has its own. */
export function install(folder = '') {
  if (isInstalled(folder)) return;
  console.log(`installing the packages of ${folder}package-lock.json ...`);
  // npm tells its scripts where it is; by its name it may be a shell script.
  const npm = process.env.npm_execpath;
  const options = { cwd: root + folder, stdio: 'inherit' };
  const { status, error } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, 'ci'], options)
    : spawnSync('npm', ['ci'], { ...options, shell: process.platform === 'win32' });
  if (error || status) throw error ?? new Error('npm ci failed');
}
