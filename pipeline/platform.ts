import type { Deflater } from '../ts/formats/png/index.ts';

/** What jobs need of where they run. */
export interface Platform {
  /** A running SHA-256. */
  sha256(): { update(bytes: Uint8Array): void; hex(): string };
  /** zlib at `level` (1 to 9). */
  deflater(level: number): Deflater;
  /** Lets timers and signals have their turn. */
  yield(): Promise<void>;
}
