import picomatch from 'picomatch';

/**
 * Whether a path is wanted by globs: by one of those without `!`, if there are any, and by none of the others. A glob
 * without a slash is about the last part of a path.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const matchers = (patterns: string[]): ((path: string) => boolean)[] =>
    patterns.map((glob) => picomatch(glob, { dot: true, basename: !glob.includes('/') }));
  const wanted = matchers(globs.filter((glob) => !glob.startsWith('!')));
  const unwanted = matchers(globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)));
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}
