import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { GAMES } from '../../ts/games/index.ts';
import { addDictionaries } from '../walk/dictionaries.ts';
import type { Session } from '../walk/session.ts';
import { openFile } from './file-source.ts';

/**
 * The nearest folder at or above `path` that looks like the romfs of a game: it is named so, or has a known file; else
 * the one in `path`.
 */
export function findRomfs(path: string): string | undefined {
  let folder = resolve(path);
  while (folder !== dirname(folder)) {
    if (looksLikeRomfs(folder)) return folder;
    folder = dirname(folder);
  }
  const inside = join(resolve(path), 'romfs');
  return looksLikeRomfs(inside) ? inside : undefined;
}

/** Whether there is a folder at `path`. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether there is a file at `path`. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function looksLikeRomfs(folder: string): boolean {
  if (!isFolder(folder)) return false;
  return (
    /[\\/]romfs$/i.test(folder) ||
    GAMES.some((game) => game.dictionaryFiles.some((file) => existsSync(join(folder, file))))
  );
}

/** Adds the dictionaries that a game's romfs is known to hold. What cannot be read is warned of. */
export async function addRomfsDictionaries(session: Session, romfs: string): Promise<void> {
  for (const file of GAMES.flatMap((game) => game.dictionaryFiles)) {
    const path = `${romfs}/${file}`;
    if (!existsSync(path)) {
      session.dictionaries.places.push(path);
      continue;
    }
    try {
      await addDictionaries(session, openFile(path), { raw: false });
    } catch (error) {
      session.onWarning((error as Error).message);
    }
  }
}

/** The path without links, of what may not exist yet. */
export function realPath(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync(full);
  } catch {
    return full === dirname(full) ? full : join(realPath(dirname(full)), full.slice(dirname(full).length));
  }
}

/** Whether two paths are one place. */
export function isSame(a: string, b: string): boolean {
  return realPath(a) === realPath(b);
}

/** Whether `path`, which may not exist yet, lies in `folder` or is it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
