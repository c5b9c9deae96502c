import type { GameProfile } from '../../ts/games/index.ts';
import { counted, RomflowError } from '../../ts/io/errors.ts';
import type { Source } from '../../ts/io/source.ts';
import { foldCase } from '../output/names.ts';
import type { Content, Turn } from '../walk/content.ts';
import type { Session } from '../walk/session.ts';
import { beginnings, type StoredFile } from './layer.ts';
import { walkPack, type PackContext } from './pack.ts';

/** Files by canonical path, wherever they lie: what a dump and an overlay have in common. */
export abstract class PackedFiles implements PackContext {
  readonly game: GameProfile;
  readonly session: Session;
  readonly turn: Turn | undefined;

  constructor({ game, session, turn }: PackContext) {
    this.game = game;
    this.session = session;
    this.turn = turn;
  }

  /** Canonical paths of the files that lie in no pack, sorted. */
  abstract files(): string[];

  /** The file with a canonical path, if it lies in no pack. */
  abstract stored(path: string): StoredFile | undefined;

  /**
   * Where the packs are that hold a path: canonical paths, of packs in packs with `/` into the outer one. The first is
   * the one that {@link open} reads from.
   */
  abstract packsHolding(path: string): Promise<string[]>;

  /** Whether there is a file with a path, of its own or in a pack. */
  async has(path: string): Promise<boolean> {
    if (this.stored(path)) return true;
    return (await this.#find(path, () => Promise.resolve(true))) ?? false;
  }

  /**
   * What a file holds, compression around it taken off, in memory. A file of its own comes before one in a pack;
   * `Pack/A.pack/Model/B.bfres` means the one in that pack. Throws a RomflowError, `not-found` when there is none.
   */
  async open(path: string): Promise<Source> {
    const source = await this.#find(path, async (content) => {
      const { maxSize } = this.session.limits;
      if ((content.size ?? 0) > maxSize) {
        throw new RomflowError('limit', `is larger than ${counted(maxSize, 'byte')}`, { path: content.path });
      }
      await content.gather(this.turn ?? (() => undefined));
      return content.keep();
    });
    if (source) return source;
    const alike = this.files().find((file) => foldCase(file) === foldCase(path));
    throw new RomflowError('not-found', `there is no such file${alike ? `; ${alike} is spelt in another case` : ''}`, {
      path,
    });
  }

  /** The stored file that `path` is, or leads into. */
  protected container(path: string): StoredFile | undefined {
    const whole = this.stored(path);
    if (whole) return whole;
    for (const beginning of beginnings(path)) {
      const file = this.stored(beginning);
      if (file) return file;
    }
    return undefined;
  }

  async #find<T>(path: string, use: (content: Content) => Promise<T>): Promise<T | undefined> {
    let target = path;
    let file = this.container(path);
    if (!file) {
      const [pack] = await this.packsHolding(path);
      if (pack === undefined) return undefined;
      target = `${pack}/${path}`;
      file = this.container(pack)!;
    }
    const leadsInto = (location: string): boolean => target.startsWith(`${location}/`);
    const visits = walkPack(file, this, {
      enter: leadsInto,
      unwrap: (location) => location === target || leadsInto(location),
    });
    for await (const { location, visit } of visits) {
      if (visit.kind === 'failure') {
        if (location === target || leadsInto(location)) throw visit.error;
      } else if (location === target) {
        return await use(visit.content);
      }
    }
    return undefined;
  }
}
