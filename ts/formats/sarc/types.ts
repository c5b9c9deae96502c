/** One entry of a SARC's table. */
export interface SarcEntry {
  /** as stored; undefined when the archive has only its hash */
  name: string | undefined;
  hash: number;
  /** 1 for the first entry of a hash, 2, 3, ... for further names with the same one, 0 without a name */
  collisionIndex: number;
  /** offset of the entry's record in the source */
  recordOffset: number;
  /** offset of the data in the source */
  offset: number;
  /** in bytes */
  size: number;
}

/** The table of a SARC; the data stays where it is. */
export interface Sarc {
  littleEndian: boolean;
  /** as the header says: u16 at 0x10 */
  version: number;
  fileSize: number;
  dataOffset: number;
  hashMultiplier: number;
  /** in table order: ascending hashes */
  entries: SarcEntry[];
}
