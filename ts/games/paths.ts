const TITLE_ID = /^[0-9a-f]{16}$/i;

/**
 * Whether a title id is one of add-on content: on Switch those of a game are its own id plus 0x1000 and a number; on
 * Wii U the high word says it.
 */
function isAddOnTitle(id: string): boolean {
  return TITLE_ID.test(id) && /^(?:0005000c|01.{10}[13579bdf])/i.test(id);
}

/** Whether a folder is one of add-on content, by a title id or an `aoc` in its path. */
export function isAddOnFolder(folder: string): boolean {
  return folder.split(/[/\\]/).some((part) => part.toLowerCase() === 'aoc' || isAddOnTitle(part));
}

/** Takes off title ids and the `roots` (lower case) that a path below a folder of titles begins with. */
export function withoutRoots(path: string, roots: readonly string[]): { path: string; addOn: boolean } {
  let rest = path;
  let addOn = false;
  for (;;) {
    const first = rest.slice(0, Math.max(rest.indexOf('/'), 0));
    if (!TITLE_ID.test(first) && !roots.includes(first.toLowerCase())) return { path: rest, addOn };
    addOn ||= isAddOnTitle(first);
    rest = rest.slice(first.length + 1);
  }
}

/**
 * The canonical path where compression adds a suffix (facts archives 6.4): a final `.zs` or `.mc` goes, but terrain
 * archives are called `.ta.zs` by the game itself.
 */
export function withoutSuffix(path: string): string {
  const rooted = withoutRoots(path, ['romfs']).path;
  return rooted.endsWith('.ta.zs') ? rooted : rooted.replace(/(?<=[^/])\.(?:zs|mc)$/, '');
}
