/** Writes the sample dump to the folder given. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sampleDump } from './sample/dump.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: make-sample FOLDER');
for (const [path, bytes] of sampleDump()) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
