/** What romflow knows of one game. */
export interface GameProfile {
  id: string;
  name: string;
  /** files, relative to the romfs, that hold zstd dictionaries */
  dictionaryFiles: readonly string[];
  /** files, by canonical path, that only this game has; one is enough to know it */
  signs: readonly string[];
  /** extensions, in canonical paths, of the SARC archives whose entries the game finds by their own paths */
  packExtensions: readonly string[];
  /**
   * The path by which the game asks for a file, from where it lies below a folder, or in a pack: what comes before the
   * romfs and suffixes of compression taken off. `addOn` says that the file belongs to add-on content.
   */
  canonicalPath(path: string, addOn?: boolean): string;
}
