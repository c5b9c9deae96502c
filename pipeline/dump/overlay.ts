import { recognize } from '../../ts/formats/recognize.ts';
import { RomflowError } from '../../ts/io/errors.ts';
import { foldCase, safePath } from '../output/names.ts';
import { byCanonicalPath, type Dump } from './dump.ts';
import { beginnings, type LayerFile, type StoredFile, type WritableLayer } from './layer.ts';
import { isPack } from './pack.ts';
import { indexPacks, type PackIndex } from './pack-index.ts';
import { PackedFiles } from './packed-files.ts';

export interface WriteOptions {
  /** writes the bytes as they are, though the game's own file is compressed */
  compression?: 'none';
}

/** A mod on top of a dump: its files come before those of the dump, and it is what is written to. */
export class Overlay extends PackedFiles {
  readonly dump: Dump;
  readonly #mod: WritableLayer;
  readonly #files: Map<string, StoredFile>;
  #index: Promise<PackIndex> | undefined;
  /** how files and folders are spelt, by their folded paths */
  #spellings: Map<string, string> | undefined;

  /** Looks at what files the mod has. */
  static async open(dump: Dump, mod: WritableLayer): Promise<Overlay> {
    const files: LayerFile[] = [];
    for await (const file of mod.files(dump.session.onWarning)) files.push(file);
    return new Overlay(dump, mod, byCanonicalPath(mod, files, dump.game, dump.session.onWarning));
  }

  private constructor(dump: Dump, mod: WritableLayer, files: Map<string, StoredFile>) {
    super(dump);
    this.dump = dump;
    this.#mod = mod;
    this.#files = files;
  }

  override files(): string[] {
    return [...new Set([...this.dump.files(), ...this.#files.keys()])].toSorted();
  }

  override stored(path: string): StoredFile | undefined {
    return this.#files.get(path) ?? this.dump.stored(path);
  }

  /** Those of the mod first; packs of the dump that the mod replaces do not count. */
  override async packsHolding(path: string): Promise<string[]> {
    const index = await (this.#index ??= this.#packs());
    const others = await this.dump.packsHolding(path);
    const isReplaced = (location: string): boolean => beginnings(location).some((part) => this.#files.has(part));
    return [...index.packsHolding(path), ...others.filter((location) => !isReplaced(location))];
  }

  /**
   * Writes a file to the mod, under the name it has in the dump. Throws a RomflowError: `unsupported` for what the dump
   * keeps compressed (unless told not to compress) or in packs alone, `name` for what no file can be called, `exists`.
   */
  async write(path: string, bytes: Uint8Array, { compression }: WriteOptions = {}): Promise<void> {
    const own = this.stored(path);
    if (own && compression !== 'none') this.#checkNotCompressed(own);
    const name = own ? this.#nameOf(own) : await this.#newName(path);
    this.#mod.write(name, bytes);
    this.#files.set(path, { ...this.#mod.file(name), layer: this.#mod, canonical: path });
    for (const part of beginnings(path)) this.#spellings?.set(foldCase(part), part);
    if (isPack(this.game, path)) this.#index = undefined;
  }

  /** Clears up in the folder of the mod; to be called after the last write. */
  close(): void {
    this.#mod.close();
  }

  #packs(): Promise<PackIndex> {
    const packs = [...this.#files.keys()].filter((path) => isPack(this.game, path)).toSorted();
    return indexPacks(
      packs.map((path) => this.#files.get(path)!),
      this,
    );
  }

  #checkNotCompressed(file: StoredFile): void {
    const content = file.open();
    try {
      const type = recognize(content.head(64), { name: file.path, size: file.size });
      if (type.kind !== 'compression') return;
      throw new RomflowError('unsupported', `is compressed (${type.id}), which cannot be written yet`, {
        path: content.path,
      });
    } finally {
      content.close();
    }
  }

  /** What a file is called in the mod: as in its layer, in the folder of its canonical path if that is another one. */
  #nameOf({ path, canonical }: StoredFile): string {
    if (this.game.canonicalPath(path) === canonical) return path;
    return canonical.slice(0, canonical.lastIndexOf('/') + 1) + path.slice(path.lastIndexOf('/') + 1);
  }

  /** The name of a file that the game does not have. */
  async #newName(path: string): Promise<string> {
    const pack = this.container(path)?.canonical ?? (await this.packsHolding(path))[0];
    if (pack !== undefined) {
      throw new RomflowError('unsupported', `lies in ${pack}; packs cannot be written yet`, { path });
    }
    if (safePath(path) !== path) throw new RomflowError('name', 'no file can be called so on every system', { path });
    if (this.game.canonicalPath(path) !== path) {
      const canonical = this.game.canonicalPath(path);
      throw new RomflowError('name', `is no canonical path; ${canonical} would be`, { path });
    }
    this.#spellings ??= new Map(
      this.files().flatMap((file) => beginnings(file).map((part) => [foldCase(part), part] as const)),
    );
    if (this.#spellings.get(foldCase(path)) === path) {
      throw new RomflowError('name', 'is a folder of the game', { path });
    }
    for (const part of beginnings(path)) {
      const known = this.#spellings.get(foldCase(part)) ?? part;
      if (known !== part) throw new RomflowError('name', `is spelt ${known} in the game, in another case`, { path });
    }
    return path;
  }
}
