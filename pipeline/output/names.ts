import { fnv1a } from '../../ts/kernels/reference/name-hashes.ts';

/** Names out of archives are hostile: what they may become in an output folder, on every system. */

/** Longest file name, in UTF-8 bytes, that leaves room for suffixes such as `~2.png` within the usual 255. */
const MAX_NAME_BYTES = 200;

/** Device names of Windows, with or without an extension, which it takes for such with spaces behind them too. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:\.|$)/i;
/** In characters; no system has longer ones. */
const LONGEST_PATH = 32767;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"|?*\\/]/g;

/**
 * One component of a path, made safe: no separators, control characters, drive letters, reserved names, trailing dots
 * or spaces; never empty, `.` or `..`; at most {@link MAX_NAME_BYTES} long. Safe names stay as they are.
 */
export function safeName(name: string): string {
  const safe = clean(name);
  const bytes = new TextEncoder().encode(safe);
  if (bytes.length <= MAX_NAME_BYTES) return safe;
  // The end is kept for its extension; the hash keeps different long names apart.
  const head = new TextDecoder().decode(bytes.subarray(0, MAX_NAME_BYTES - 50)).replace(/\ufffd+$/, '');
  const tail = new TextDecoder().decode(bytes.subarray(bytes.length - 30)).replace(/^\ufffd+/, '');
  return `${head}~${fnv1a(bytes).toString(16).padStart(8, '0')}~${tail}`;
}

/** A safe name of any length. */
function clean(name: string): string {
  const safe = name
    .toWellFormed()
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .replace(/[. ]+$/, (tail) => '_'.repeat(tail.length));
  return safe === '' || RESERVED.test(safe) ? `_${safe}` : safe;
}

/** The folder in an output folder that is the job's own. */
export const OWN_FOLDER = '.romflow';

/** A path with `/`, component by component; empty components are dropped, `.` becomes `_` and `..` becomes `__`. */
export function safePath(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .map(safeName);
  if (isOwn(parts[0])) parts[0] = `_${parts[0]}`;
  return parts.join('/') || '_';
}

/** Whether something is a path as this program gives them to files: names may be longer, by their suffixes. */
export function isSafePath(path: unknown): path is string {
  if (typeof path !== 'string') return false;
  const parts = path.split('/');
  return parts.every((part) => part === clean(part)) && !isOwn(parts[0]);
}

function isOwn(name: string | undefined): boolean {
  return name !== undefined && foldCase(name) === OWN_FOLDER;
}

/**
 * A path as file systems without case compare it, each by tables of its own: what any of them may take for the same is
 * the same here, such as `ß` and `SS`, all sigmas, and letters with their accents apart.
 */
export function foldCase(path: string): string {
  return path.normalize('NFD').toUpperCase().toLowerCase().toUpperCase().normalize('NFC').toLowerCase();
}

/**
 * Gives out output paths so that no two files, and no file and folder, are the same, compared without case: the second
 * gets `~2`, and so on. Folders of one name are one folder, written as they first came.
 */
export class UniqueNames {
  /** folded paths of files */
  readonly #files = new Set<string>();
  /** what a folder is called, by its folded path with the name it asked for */
  readonly #folders = new Map<string, string>();
  /** the last number that was given to a path, by its folded form */
  readonly #numbers = new Map<string, number>();

  /** A free path for a file that is to be at `path`; a number goes before the extension (from the last dot on). */
  claim(path: string): string {
    // It fails to be placed, and all the folders on the way to it would be remembered.
    if (path.length > LONGEST_PATH) return path;
    const parts = path.split('/');
    const name = parts.pop()!;
    let folder = '';
    for (const part of parts) folder = this.#folder(`${folder}${part}`);
    const claimed = this.#free(`${folder}${name}`);
    this.#files.add(foldCase(claimed));
    return claimed;
  }

  /** The folder for `path`, with a slash at the end. */
  #folder(path: string): string {
    const key = foldCase(path);
    let folder = this.#folders.get(key);
    if (folder === undefined) {
      folder = this.#files.has(key) ? this.#free(path) : path;
      this.#folders.set(key, folder);
      this.#folders.set(foldCase(folder), folder);
    }
    return `${folder}/`;
  }

  #free(path: string): string {
    const key = foldCase(path);
    let candidate = path;
    let number = this.#numbers.get(key) ?? 1;
    while (this.#files.has(foldCase(candidate)) || this.#folders.has(foldCase(candidate))) {
      candidate = withSuffix(path, `~${++number}`);
    }
    this.#numbers.set(key, number);
    return candidate;
  }
}

function withSuffix(path: string, suffix: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.lastIndexOf('.');
  return dot > slash + 1 ? path.slice(0, dot) + suffix + path.slice(dot) : path + suffix;
}
