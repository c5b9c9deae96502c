import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import type { Source } from '../../ts/io/source.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What a source holds, as text. */
export const text = (source: Source): string => new TextDecoder().decode(source.read(0, source.size));

/** A SARC of files by name; strings are text. */
export function pack(files: Record<string, string | Uint8Array>): Uint8Array {
  return writeSarc(
    Object.entries(files).map(([name, data]) => ({ name, data: typeof data === 'string' ? bytes(data) : data })),
  );
}

/** Writes files, by path, below a folder, and gives the folder. */
export function tree(folder: string, files: Record<string, string | Uint8Array>): string {
  mkdirSync(folder, { recursive: true });
  for (const [path, data] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data);
  }
  return folder;
}
