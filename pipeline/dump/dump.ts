import { GAMES, type GameProfile } from '../../ts/games/index.ts';
import { counted, RomflowError } from '../../ts/io/errors.ts';
import type { Turn } from '../walk/content.ts';
import { addDictionaries } from '../walk/dictionaries.ts';
import { Session, type SessionOptions } from '../walk/session.ts';
import type { Layer, LayerFile, StoredFile } from './layer.ts';
import { isPack } from './pack.ts';
import { indexPacks, type IndexStore, type PackIndex } from './pack-index.ts';
import { PackedFiles } from './packed-files.ts';

export interface DumpOptions extends Pick<SessionOptions, 'backend' | 'limits' | 'onWarning'> {
  /** the game, then its updates and add-on content: later ones hide earlier ones */
  layers: readonly Layer[];
  /** id of the game; default `auto`: by the files it has */
  game?: string;
  /** keeps the index of packs between runs */
  store?: IndexStore;
  /** gives others a turn while packs are read */
  turn?: Turn;
}

/** A game as one thing: its files, and those of its updates and add-on content, by canonical path. */
export class Dump extends PackedFiles {
  readonly layers: readonly Layer[];
  readonly #files: ReadonlyMap<string, StoredFile>;
  readonly #store: IndexStore | undefined;
  #sorted: string[] | undefined;
  #index: Promise<PackIndex> | undefined;

  /** Looks at what files there are; packs are read when they are asked about. Throws a RomflowError. */
  static async open(options: DumpOptions): Promise<Dump> {
    const { layers, game: id = 'auto' } = options;
    const warn = options.onWarning ?? (() => {});
    const found: [Layer, LayerFile[]][] = [];
    for (const layer of layers) {
      const files: LayerFile[] = [];
      for await (const file of layer.files(warn)) files.push(file);
      found.push([layer, files]);
    }
    const game = id === 'auto' ? recognizeGame(found) : GAMES.find((known) => known.id === id);
    if (!game) {
      const ids = GAMES.map((known) => known.id).join(', ');
      throw new RomflowError('usage', `there is no game "${id}"; there are auto, ${ids}`);
    }
    const files = new Map<string, StoredFile>();
    for (const [layer, layerFiles] of found) {
      for (const [path, file] of byCanonicalPath(layer, layerFiles, game, warn)) files.set(path, file);
    }
    return new Dump(options, game, files);
  }

  private constructor(options: DumpOptions, game: GameProfile, files: ReadonlyMap<string, StoredFile>) {
    const { backend, limits, onWarning, turn } = options;
    const session = new Session({
      ...(backend && { backend }),
      ...(limits && { limits }),
      ...(onWarning && { onWarning }),
      findDictionaries: (asking) => this.addDictionaries(asking),
    });
    super({ game, session, turn });
    this.layers = options.layers;
    this.#files = files;
    this.#store = options.store;
  }

  override files(): string[] {
    return (this.#sorted ??= [...this.#files.keys()].toSorted());
  }

  override stored(path: string): StoredFile | undefined {
    return this.#files.get(path);
  }

  override async packsHolding(path: string): Promise<string[]> {
    return (await this.#packs()).packsHolding(path);
  }

  /** Canonical paths of everything that lies in packs, sorted. */
  async members(): Promise<string[]> {
    return [...(await this.#packs()).members()].toSorted();
  }

  /** Adds the zstd dictionaries that the dump holds to a session. What cannot be read is warned of. */
  async addDictionaries(session: Session): Promise<void> {
    for (const game of GAMES) {
      for (const path of game.dictionaryFiles) {
        const file = this.#files.get(this.game.canonicalPath(path));
        if (!file) {
          session.dictionaries.places.push(...this.layers.map(({ id }) => `${id}/${path}`));
          continue;
        }
        try {
          await addDictionaries(session, file.open(), { raw: false });
        } catch (error) {
          session.onWarning((error as Error).message);
        }
      }
    }
  }

  /** The index, made the first time; once more after an error. */
  #packs(): Promise<PackIndex> {
    const make = async (): Promise<PackIndex> => {
      const packs = this.files().filter((path) => isPack(this.game, path));
      const scope = JSON.stringify([this.game.id, this.layers.map(({ id, addOn }) => [id, addOn])]);
      return indexPacks(
        packs.map((path) => this.#files.get(path)!),
        this,
        this.#store && { store: this.#store, scope },
      );
    };
    return (this.#index ??= make().catch((error: unknown) => {
      this.#index = undefined;
      throw error;
    }));
  }
}

function recognizeGame(found: readonly [Layer, LayerFile[]][]): GameProfile {
  const hasSign = (game: GameProfile): boolean =>
    game.signs.length > 0 &&
    found.some(([{ addOn }, files]) => files.some(({ path }) => game.signs.includes(game.canonicalPath(path, addOn))));
  return GAMES.find(hasSign) ?? GAMES.at(-1)!;
}

/** The files of a layer. Of two with one canonical path the later is taken, which is warned of. */
export function byCanonicalPath(
  layer: Layer,
  files: Iterable<LayerFile>,
  game: GameProfile,
  warn: (message: string) => void,
): Map<string, StoredFile> {
  const found = new Map<string, StoredFile>();
  let hidden = 0;
  let example = '';
  for (const file of files) {
    const canonical = game.canonicalPath(file.path, layer.addOn);
    const other = found.get(canonical);
    if (other && hidden++ === 0) example = `${file.path} hides ${other.path}`;
    found.set(canonical, { ...file, layer, canonical });
  }
  if (hidden) warn(`${layer.id}: ${counted(hidden, 'file')} with the canonical path of another: ${example}`);
  return found;
}
