/** Names out of archives are hostile: what they may become in an output folder, on every system. */

/** Longest file name, in UTF-8 bytes, that leaves room for suffixes such as `~2.png` within the usual 255. */
const MAX_NAME_BYTES = 200;

/** Device names of Windows, with or without an extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"|?*\\/]/g;

/**
 * One component of a path, made safe: no separators, control characters, drive letters, reserved names, trailing dots
 * or spaces; never empty, `.` or `..`; at most {@link MAX_NAME_BYTES} long. Safe names stay as they are.
 */
export function safeName(name: string): string {
  let safe = name
    .toWellFormed()
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .replace(/[. ]+$/, (tail) => '_'.repeat(tail.length));
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (safe === '') safe = '_';
  const bytes = new TextEncoder().encode(safe);
  if (bytes.length <= MAX_NAME_BYTES) return safe;
  // The end is kept for its extension; the hash keeps different long names apart.
  const head = new TextDecoder().decode(bytes.subarray(0, MAX_NAME_BYTES - 50)).replace(/\ufffd+$/, '');
  const tail = new TextDecoder().decode(bytes.subarray(bytes.length - 30)).replace(/^\ufffd+/, '');
  return `${head}~${fnv1a(bytes).toString(16).padStart(8, '0')}~${tail}`;
}

/** A path with `/`, component by component; empty components and `.` are dropped, `..` becomes `__`. */
export function safePath(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  return parts.map(safeName).join('/') || '_';
}

function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Gives out output paths so that no two are the same, compared without case: the second gets `~2`, and so on. */
export class UniqueNames {
  readonly #taken = new Map<string, number>();

  /** A free path for `path`; a suffix goes before the extension (from the last dot of the name on). */
  claim(path: string): string {
    let candidate = path;
    for (;;) {
      const key = candidate.toLowerCase();
      const count = this.#taken.get(key);
      if (count === undefined) {
        this.#taken.set(key, 1);
        return candidate;
      }
      this.#taken.set(key, count + 1);
      candidate = withSuffix(path, `~${count + 1}`);
    }
  }
}

function withSuffix(path: string, suffix: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.lastIndexOf('.');
  return dot > slash + 1 ? path.slice(0, dot) + suffix + path.slice(dot) : path + suffix;
}
