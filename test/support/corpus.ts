import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the test corpus: `ROMFLOW_CORPUS`, or `../shared/corpus` beside the project. */
export const CORPUS =
  process.env['ROMFLOW_CORPUS'] ??
  fileURLToPath(new URL('../../../shared/corpus/', import.meta.url)).replace(/\/$/, '');

/** Whether the corpus is there; tests that need it are skipped, and say so, when not. */
export const HAS_CORPUS = existsSync(CORPUS);

/** Rows of a tab-separated table with a header line, as objects. */
export function readTable(path: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(`${CORPUS}/${path}`, 'utf8').trimEnd().split('\n');
  const names = header.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
}

export function readCorpus(path: string): Uint8Array {
  return new Uint8Array(readFileSync(`${CORPUS}/${path}`));
}
