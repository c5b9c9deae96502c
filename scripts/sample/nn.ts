import { alignUp } from './swizzle.ts';

const utf8 = new TextEncoder();

/** A file being written: bytes at known places, and where its pointers lie. */
export class FileImage {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** places of the 64-bit pointers that are not null, by what they point into */
  readonly pointers: { position: number; target: number }[] = [];

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  u8(at: number, value: number): void {
    this.#view.setUint8(at, value);
  }

  u16(at: number, value: number): void {
    this.#view.setUint16(at, value, true);
  }

  u32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  f32(at: number, value: number): void {
    this.#view.setFloat32(at, value, true);
  }

  ascii(at: number, text: string): void {
    for (let i = 0; i < text.length; i++) this.u8(at + i, text.charCodeAt(i));
  }

  set(at: number, bytes: ArrayLike<number>): void {
    this.bytes.set(bytes, at);
  }

  pointer(at: number, target: number): void {
    this.#view.setBigUint64(at, BigInt(target), true);
    if (target !== 0) this.pointers.push({ position: at, target });
  }

  /** nn::util::BinaryFileHeader: its size, 0x20 bytes, is where the file's own fields start. */
  header(fields: {
    magic: string;
    version: readonly [major: number, minor: number, micro: number];
    addressSize: number;
    nameOffset: number;
    firstBlock: number;
    relocationTable: number;
    fileSize: number;
  }): void {
    const [major, minor, micro] = fields.version;
    this.ascii(0x00, fields.magic);
    this.u8(0x08, micro);
    this.u8(0x09, minor);
    this.u16(0x0a, major);
    this.u16(0x0c, 0xfeff);
    this.u8(0x0e, 12); // alignment 4096
    this.u8(0x0f, fields.addressSize);
    this.u32(0x10, fields.nameOffset);
    this.u16(0x14, 0); // not relocated
    this.u16(0x16, fields.firstBlock);
    this.u32(0x18, fields.relocationTable);
    this.u32(0x1c, fields.fileSize);
  }
}

/** The strings of a `_STR` block: each with its length before it and NUL after it, at even places. */
export class StringPool {
  readonly #at: number;
  readonly #offsets = new Map<string, number>();
  /** where the last string ends */
  readonly end: number;

  /** Lays out `strings` (each once) in a block at `at`; the empty string always comes first. */
  constructor(at: number, strings: readonly string[]) {
    this.#at = at;
    let end = at + 0x14;
    for (const text of new Set(['', ...strings])) {
      this.#offsets.set(text, end);
      end = alignUp(end + 2 + utf8.encode(text).length + 1, 2);
    }
    this.end = end;
  }

  /** Where the length of `text` lies: what pointers to strings point to. */
  offset(text: string): number {
    const offset = this.#offsets.get(text);
    if (offset === undefined) throw new RangeError(`not in the string pool: ${text}`);
    return offset;
  }

  /** How many strings, the empty one included. */
  get count(): number {
    return this.#offsets.size;
  }

  /** Writes the strings; the block's header is different in each format. */
  write(image: FileImage, count: number): void {
    image.ascii(this.#at, '_STR');
    image.u32(this.#at + 0x10, count);
    for (const [text, offset] of this.#offsets) {
      const bytes = utf8.encode(text);
      image.u16(offset, bytes.length);
      image.set(offset + 2, bytes);
    }
  }
}

interface DicNode {
  name: Uint8Array;
  text: string;
  /** the bit this node asks about; -1 in the root */
  bit: number;
  children: [number, number];
}

/** Bit `i` of a name, counted from the lowest bit of its last byte. */
const bitOf = (name: Uint8Array, i: number): 0 | 1 =>
  (((name[name.length - 1 - (i >> 3)] ?? 0) >> (i & 7)) & 1) as 0 | 1;

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const bits = 8 * Math.max(a.length, b.length);
  for (let i = 0; i < bits; i++) if (bitOf(a, i) !== bitOf(b, i)) return i;
  throw new RangeError(`two entries of a dictionary are called ${new TextDecoder().decode(a)}`);
}

/** The PATRICIA tree of nn::util::ResDic: node 0 is the root, node i + 1 belongs to name i. */
function buildDic(names: readonly string[]): DicNode[] {
  const nodes: DicNode[] = [{ name: new Uint8Array(0), text: '', bit: -1, children: [0, 0] }];
  // Goes down while the bits grow, and stays below `limit`; gives the last node and the link taken from it.
  const descend = (name: Uint8Array, limit: number): { node: number; side: 0 | 1 } => {
    let [node, side]: [number, 0 | 1] = [0, 0];
    for (;;) {
      const next: number = nodes[node]!.children[side];
      if (nodes[next]!.bit <= nodes[node]!.bit || nodes[next]!.bit >= limit) return { node, side };
      [node, side] = [next, bitOf(name, nodes[next]!.bit)];
    }
  };
  for (const text of names) {
    const name = utf8.encode(text);
    const leaf = descend(name, Infinity);
    const bit = firstDifference(name, nodes[nodes[leaf.node]!.children[leaf.side]]!.name);
    const parent = descend(name, bit);
    const below = nodes[parent.node]!.children[parent.side];
    const self = nodes.length;
    nodes.push({ name, text, bit, children: bitOf(name, bit) ? [below, self] : [self, below] });
    nodes[parent.node]!.children[parent.side] = self;
  }
  return nodes;
}

export const dicSize = (count: number): number => 8 + 16 * (count + 1);

/** Writes a ResDic; `magic` is `_DIC` in BNTX and nothing in BFRES. */
export function writeDic(
  image: FileImage,
  at: number,
  magic: string,
  names: readonly string[],
  pool: StringPool,
): void {
  image.ascii(at, magic);
  image.u32(at + 4, names.length);
  buildDic(names).forEach((node, i) => {
    const o = at + 8 + 16 * i;
    image.u32(o, node.bit >>> 0);
    image.u16(o + 4, node.children[0]);
    image.u16(o + 6, node.children[1]);
    image.pointer(o + 8, pool.offset(node.text));
  });
}

export interface RelocationSection {
  position: number;
  size: number;
  entries: readonly RelocationEntry[];
}

/** `groups` groups of `pointers` pointers each, with `gap` pointers between one group and the next. */
export interface RelocationEntry {
  position: number;
  groups: number;
  pointers: number;
  gap: number;
}

/**
 * Entries for pointers at these places, as Nintendo's tools pack them: runs of neighbours, each joined by the next runs
 * of the same length that follow it at an even distance.
 */
export function relocationEntries(positions: readonly number[]): RelocationEntry[] {
  const runs: { position: number; length: number; taken: boolean }[] = [];
  for (const position of [...positions].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.length < 255 && last.position + 8 * last.length === position) last.length++;
    else runs.push({ position, length: 1, taken: false });
  }
  const entries: RelocationEntry[] = [];
  runs.forEach((run, i) => {
    if (run.taken) return;
    const entry: RelocationEntry = { position: run.position, groups: 1, pointers: run.length, gap: 0 };
    const free = (r: (typeof runs)[number]): boolean => !r.taken && r.length === run.length;
    const second = runs.slice(i + 1).find(free);
    const gap = second ? (second.position - run.position) / 8 - run.length : 256;
    if (gap < 256) {
      entry.gap = gap;
      const stride = 8 * (run.length + gap);
      for (;;) {
        const next = runs.find((r) => free(r) && r.position === run.position + stride * entry.groups);
        if (!next) break;
        next.taken = true;
        entry.groups++;
      }
    }
    entries.push(entry);
  });
  return entries;
}

export function relocationTableSize(sections: readonly RelocationSection[]): number {
  return 0x10 + 24 * sections.length + 8 * sections.reduce((sum, { entries }) => sum + entries.length, 0);
}

export function writeRelocationTable(image: FileImage, at: number, sections: readonly RelocationSection[]): void {
  image.ascii(at, '_RLT');
  image.u32(at + 0x4, at);
  image.u32(at + 0x8, sections.length);
  let index = 0;
  let o = at + 0x10 + 24 * sections.length;
  sections.forEach(({ position, size, entries }, i) => {
    const s = at + 0x10 + 24 * i;
    image.u32(s + 0x08, position);
    image.u32(s + 0x0c, size);
    image.u32(s + 0x10, index);
    image.u32(s + 0x14, entries.length);
    index += entries.length;
    for (const entry of entries) {
      image.u32(o, entry.position);
      image.u16(o + 4, entry.groups);
      image.u8(o + 6, entry.pointers);
      image.u8(o + 7, entry.gap);
      o += 8;
    }
  });
}
