import { entryName, readSarc, type SarcEntry } from '../../ts/formats/sarc/index.ts';
import { readSarcHeader, readSarcTables, SARC_HEADER_SIZE } from '../../ts/formats/sarc/reader.ts';
import type { GameProfile } from '../../ts/games/index.ts';
import { Slice } from '../../ts/io/slice.ts';
import type { Content, Turn } from '../walk/content.ts';
import type { Session } from '../walk/session.ts';
import { walk, type Visit } from '../walk/walk.ts';
import type { StoredFile } from './layer.ts';

/** What packs are read with. */
export interface PackContext {
  game: GameProfile;
  session: Session;
  turn: Turn | undefined;
}

/** Something in a pack, or the pack itself. */
export interface PackVisit {
  /** canonical path of the file, then `/` and that of the entry, and so on */
  location: string;
  visit: Visit;
}

export interface PackWalkOptions {
  /** whether to go into the archive at a location; asked after it was visited */
  enter: (location: string) => boolean;
  /** whether to take compression off what is at a location */
  unwrap: (location: string) => boolean;
}

/** Whether the game looks for files in the archive at a canonical path. */
export function isPack(game: GameProfile, path: string): boolean {
  return game.packExtensions.some((extension) => path.endsWith(`.${extension}`));
}

/** Walks a file as {@link walk} does, with canonical paths beside the stored ones. */
export async function* walkPack(
  file: StoredFile,
  { game, session, turn }: PackContext,
  options: PackWalkOptions,
): AsyncGenerator<PackVisit, void, void> {
  const content = file.open();
  /** archives around what is walked, outermost first */
  const around: { path: string; location: string }[] = [];
  const locationOf = (path: string): string => {
    while (around.length && !path.startsWith(`${around.at(-1)!.path}/`)) around.pop();
    const outer = around.at(-1);
    if (!outer) return file.canonical;
    return `${outer.location}/${game.canonicalPath(path.slice(outer.path.length + 1), file.layer.addOn)}`;
  };
  const visits = walk(content, session, {
    ...(turn && { turn }),
    unwrap: (path) => options.unwrap(locationOf(path)),
    enter: ({ path }) => {
      const location = locationOf(path);
      const entering = options.enter(location);
      if (entering) around.push({ path, location });
      return entering;
    },
  });
  for await (const visit of visits) yield { location: locationOf(visit.path), visit };
}

/** A pack's table: canonical paths of what it holds. */
export interface PackTable {
  location: string;
  members: string[];
}

/**
 * Reads the tables of a pack and of the packs inside, and of their data no more than it takes to come to those. What is
 * damaged goes to `onDamage`; what was read until then stays.
 */
export async function readPackTables(
  file: StoredFile,
  context: PackContext,
  onDamage: (error: unknown) => void,
): Promise<PackTable[]> {
  const { game } = context;
  const tables: PackTable[] = [];
  const toEnter = new Set<string>();
  const visits = walkPack(file, context, {
    enter: (location) => toEnter.has(location),
    unwrap: (location) => isPack(game, location),
  });
  for await (const { location, visit } of visits) {
    if (visit.kind === 'failure') {
      onDamage(visit.error);
      continue;
    }
    if (visit.type.id !== 'sarc' || !isPack(game, location)) continue;
    try {
      const members = readTable(visit.content).map((entry) =>
        game.canonicalPath(entryName(entry).replace(/^\/+/, ''), file.layer.addOn),
      );
      tables.push({ location, members });
      if (members.some((member) => isPack(game, member))) toEnter.add(location);
    } catch (error) {
      onDamage(error);
    }
  }
  return tables;
}

/** The entries of a SARC; of a stream no more is read than what comes before the data. */
function readTable(content: Content): SarcEntry[] {
  if (content.random) return readSarc(content.random).entries;
  const front = (size: number): Slice => new Slice(content.path, content.head(size), 0, { format: 'SARC' });
  const { dataOffset } = readSarcHeader(front(SARC_HEADER_SIZE));
  return readSarcTables(front(dataOffset)).entries;
}
