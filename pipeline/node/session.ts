import { openFile } from './file-source.ts';
import { addRomfsDictionaries } from './romfs.ts';
import type { Turn } from '../walk/content.ts';
import { addDictionaries } from '../walk/dictionaries.ts';
import { Session, type SessionOptions } from '../walk/session.ts';

/** What a session is made of, with files by their names; can be posted to workers, but for the functions. */
export interface NodeSessionOptions extends Omit<SessionOptions, 'findDictionaries'> {
  /** files with zstd dictionaries */
  dictionaries?: string[];
  /** folders of unmodified games, whose dictionaries are used */
  romfs?: string[];
}

/** Makes a session; opens the dictionaries that were named. Throws a RomflowError when one cannot be read. */
export async function createSession(
  { dictionaries = [], romfs = [], ...options }: NodeSessionOptions = {},
  turn?: Turn,
): Promise<Session> {
  const session = new Session({
    ...options,
    findDictionaries: async (asking) => {
      for (const folder of romfs) await addRomfsDictionaries(asking, folder);
    },
  });
  for (const file of dictionaries) {
    await addDictionaries(session, openFile(file), { raw: true, ...(turn && { turn }) });
  }
  session.hasGivenDictionaries = dictionaries.length > 0;
  return session;
}
