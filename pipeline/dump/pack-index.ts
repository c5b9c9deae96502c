import { FormatError, RomflowError } from '../../ts/io/errors.ts';
import type { StoredFile } from './layer.ts';
import { readPackTables, type PackContext } from './pack.ts';

/** Changes with what is in the text. */
const FORMAT = 'romflow pack index 1';

/** Where the text of an index is kept between runs. */
export interface IndexStore {
  /** undefined when there is none */
  load(): string | undefined;
  /** Throws a RomflowError. */
  save(text: string): void;
}

/** What was read of one file. */
interface PackRecord {
  /** of the file: another size or time is another file; empty for what is not to be kept */
  stamp: string;
  tables: { location: string; members: number[] }[];
  /** messages of what is damaged for good */
  damage: string[];
}

/** Which packs hold which paths. */
export class PackIndex {
  readonly #records: PackRecord[] = [];
  /** members by their path, numbered as they first came */
  readonly #numbers = new Map<string, number>();
  /** locations of packs, by the number of the member */
  readonly #holders: string[][] = [];

  /** Locations of the packs that hold a path, sorted. */
  packsHolding(path: string): string[] {
    const number = this.#numbers.get(path);
    return number === undefined ? [] : this.#holders[number]!.toSorted();
  }

  /** Canonical paths of everything in packs, in no order. */
  members(): Iterable<string> {
    return this.#numbers.keys();
  }

  /** Adds what was read of a file. */
  add(stamp: string, tables: Iterable<{ location: string; members: readonly string[] }>, damage: string[]): void {
    const record: PackRecord = { stamp, tables: [], damage };
    for (const { location, members } of tables) {
      const numbers = new Set(members.map((member) => this.#number(member)));
      for (const number of numbers) this.#holders[number]!.push(location);
      record.tables.push({ location, members: [...numbers] });
    }
    this.#records.push(record);
  }

  #number(member: string): number {
    let number = this.#numbers.get(member);
    if (number === undefined) {
      number = this.#holders.push([]) - 1;
      this.#numbers.set(member, number);
    }
    return number;
  }

  /** As text; `scope` says what besides the files it depends on. */
  toText(scope: string): string {
    const text: IndexText = {
      format: FORMAT,
      scope,
      members: [...this.#numbers.keys()],
      packs: this.#records
        .filter(({ stamp }) => stamp !== '')
        .map(({ stamp, tables, damage }) => [
          stamp,
          tables.map(({ location, members }) => [location, ...members]),
          damage,
        ]),
    };
    return JSON.stringify(text);
  }
}

interface IndexText {
  format: string;
  scope: string;
  members: string[];
  packs: [stamp: string, tables: [location: string, ...members: number[]][], damage: string[]][];
}

function isIndexText(value: unknown): value is IndexText {
  const { format, members, packs } = value as IndexText;
  const isText = (item: unknown): boolean => typeof item === 'string';
  const isTable = ([location, ...numbers]: unknown[]): boolean =>
    isText(location) && numbers.every((number) => Number.isInteger(number) && members[number as number] !== undefined);
  return (
    format === FORMAT &&
    members.every(isText) &&
    packs.every(([stamp, tables, damage]) => isText(stamp) && tables.every(isTable) && damage.every(isText))
  );
}

/** Records of an earlier run by their stamps; none when the text is not what it should be. */
function recordsOf(text: string | undefined, scope: string): Map<string, [tables: KnownTable[], damage: string[]]> {
  if (text === undefined) return new Map();
  try {
    const index: unknown = JSON.parse(text);
    if (!isIndexText(index) || index.scope !== scope) return new Map();
    const { members, packs } = index;
    return new Map(
      packs.map(([stamp, tables, damage]) => [
        stamp,
        [tables.map(([location, ...numbers]) => ({ location, members: numbers.map((n) => members[n]!) })), damage],
      ]),
    );
  } catch {
    return new Map();
  }
}

type KnownTable = { location: string; members: string[] };

/**
 * Makes the index of packs. What `store` has of files with the same size and time is taken from there, and `store` gets
 * the new one when anything is different. Damaged packs are warned of.
 */
export async function indexPacks(
  files: Iterable<StoredFile>,
  context: PackContext,
  store?: { store: IndexStore; scope: string },
): Promise<PackIndex> {
  const { session } = context;
  const known = recordsOf(store?.store.load(), store?.scope ?? '');
  const index = new PackIndex();
  let reused = 0;
  let read = 0;
  for (const file of files) {
    const pause = context.turn?.();
    if (pause) await pause;
    const stamp = JSON.stringify([file.layer.id, file.path, file.size, file.modified]);
    const record = known.get(stamp);
    if (record) {
      const [tables, damage] = record;
      damage.forEach((message) => session.onWarning(message));
      index.add(stamp, tables, damage);
      reused++;
      continue;
    }
    const damage: string[] = [];
    let lasting = true;
    const onDamage = (error: unknown): void => {
      if (error instanceof RomflowError && error.code === 'aborted') throw error;
      damage.push((error as Error).message);
      session.onWarning((error as Error).message);
      lasting &&= error instanceof FormatError && (error.code === 'bad-format' || error.code === 'truncated');
    };
    const tables = await readPackTables(file, context, onDamage).catch((error: unknown) => {
      onDamage(error);
      return [];
    });
    // What failed for want of a dictionary or of memory is tried again by the next run.
    index.add(lasting ? stamp : '', tables, lasting ? damage : []);
    read++;
    session.recycle();
  }
  if (store && (read > 0 || reused !== known.size)) {
    try {
      store.store.save(index.toText(store.scope));
    } catch (error) {
      session.onWarning((error as Error).message);
    }
  }
  return index;
}
