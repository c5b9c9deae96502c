/** What romflow knows of one game. */
export interface GameProfile {
  id: string;
  name: string;
  /** files, relative to the romfs, that hold zstd dictionaries */
  dictionaryFiles: readonly string[];
}
