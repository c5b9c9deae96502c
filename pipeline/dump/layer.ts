import type { Content } from '../walk/content.ts';

/** A file of a layer. */
export interface LayerFile {
  /** what it is really called, below the layer, with `/` */
  path: string;
  /** in bytes */
  size: number;
  /** when it was changed last, in whole milliseconds */
  modified: number;
  /** Opens it; to be closed. Throws a RomflowError. */
  open(): Content;
}

/** Files that belong together: a game, an update of it, add-on content, a mod. */
export interface Layer {
  /** tells it from others, such as the path of its folder */
  id: string;
  /** it is add-on content, which some games keep under a path of its own */
  addOn: boolean;
  /** All its files; `onWarning` is told of what cannot be looked at. */
  files(onWarning: (message: string) => void): Iterable<LayerFile> | AsyncIterable<LayerFile>;
}

/** A layer that files are written to. */
export interface WritableLayer extends Layer {
  /** Writes a file. Throws a RomflowError when it cannot, or may not, be. */
  write(path: string, bytes: Uint8Array): void;
  /** A file that is there now. */
  file(path: string): LayerFile;
  /** Clears up. */
  close(): void;
}

/** A file with its place among layers. */
export interface StoredFile extends LayerFile {
  layer: Layer;
  /** by which the game knows it */
  canonical: string;
}

/** The parts of a path that end before a `/`, shortest first, and the path itself. */
export function beginnings(path: string): string[] {
  const parts: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    parts.push(path.slice(0, slash));
  return [...parts, path];
}
