import type { Content, Turn } from './content.ts';
import type { Session } from './session.ts';
import { isContainer, walk } from './walk.ts';

const DICTIONARY_MAGIC = [0x37, 0xa4, 0x30, 0xec];

/**
 * Adds the zstd dictionaries in a file: the file itself, or what it holds as an archive. `raw` takes a file of another
 * kind as raw content. Throws a RomflowError when the file cannot be read.
 */
export async function addDictionaries(
  session: Session,
  content: Content,
  { raw, turn }: { raw: boolean; turn?: Turn },
): Promise<void> {
  session.dictionaries.places.push(content.path);
  for await (const visit of walk(content, session, turn && { turn })) {
    if (visit.kind === 'failure') throw visit.error;
    if (isContainer(visit)) continue;
    const head = visit.content.head(4);
    const isDictionary = DICTIONARY_MAGIC.every((byte, i) => head[i] === byte);
    if (!isDictionary && !(raw && visit.depth === 0)) continue;
    if (!isDictionary) session.onWarning(`${visit.path}: no zstd dictionary by its magic, taken as raw content`);
    const source = visit.content.keep();
    session.dictionaries.add(session.kernels, visit.path, source.read(0, source.size));
  }
}
