import { looksDeflated } from './deflate-check.ts';
import type { Head } from './head.ts';

export type FileKind =
  | 'compression'
  | 'archive'
  | 'texture'
  | 'model'
  | 'shader'
  | 'effect'
  | 'animation'
  | 'audio'
  | 'video'
  | 'font'
  | 'layout'
  | 'message'
  | 'event'
  | 'ai'
  | 'parameters'
  | 'physics'
  | 'terrain'
  | 'table'
  | 'program'
  | 'save'
  | 'text'
  | 'encrypted'
  | 'unknown';

/** What a header says beyond its magic. */
export interface HeaderFacts {
  id?: string;
  description?: string;
  version?: string;
  platform?: string;
  detail?: string;
}

/** One type of file: where its magic lies, or what else makes it known. */
export interface FileTypeEntry {
  id: string;
  description: string;
  kind: FileKind;
  platform?: string;
  /** ASCII text, or bytes */
  magic?: string | readonly number[];
  /** offset of the magic in the header, 0 when absent */
  at?: number;
  /** offset of the header in the file, 0 when absent */
  start?: number;
  /** the header lies this many bytes before the end of the file */
  footer?: number;
  /** for types without a magic: the extensions they have */
  extensions?: readonly string[];
  /** what must hold besides the magic, or besides the extension */
  check?: (head: Head) => boolean;
  /** reads the version and the like; what lies past the bytes at hand is left out */
  read?: (head: Head) => HeaderFacts;
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
const hex = (value: number): string => `0x${value.toString(16)}`;
const withOrder = (version: string, bigEndian: boolean): string => (bigEndian ? `${version}, big endian` : version);
const dotted = (value: number, ...shifts: number[]): string => shifts.map((s) => (value >>> s) & 0xff).join('.');

/** nn::util::BinaryFileHeader: u8 micro, u8 minor, u16 major at 8, byte order at 0xC. */
function binaryFile(head: Head): HeaderFacts {
  const big = head.bigEndian(0xc);
  return { version: withOrder(`${head.u16(0xa, big)}.${head.u8(9)}.${head.u8(8)}`, big) };
}

/** The header of nn::ui2d files: byte order at 4, u32 version at 8 as major, minor, u16 micro. */
function ui2d(head: Head): HeaderFacts {
  const big = head.bigEndian(4);
  const version = head.u32(8, big);
  return { version: withOrder(`${dotted(version, 24, 16)}.${version & 0xffff}`, big) };
}

/** The header of NintendoWare sound files: byte order at 4, u32 version at 8 as 0, major, minor, micro. */
function sound(head: Head): HeaderFacts {
  const big = head.bigEndian(4);
  return { version: withOrder(dotted(head.u32(8, big), 16, 8, 0), big) };
}

/** The header of aal files: byte order at 4, u16 version at 6. */
function aal(head: Head): HeaderFacts {
  const big = head.bigEndian(4);
  return { version: withOrder(`v${head.u16(6, big)}`, big) };
}

/** The header of LMS files: byte order at 8, u8 text encoding at 0xC, u8 version at 0xD. */
function messages(head: Head): HeaderFacts {
  const encoding = ['UTF-8', 'UTF-16', 'UTF-32'][head.u8(0xc)];
  return {
    version: withOrder(`v${head.u8(0xd)}`, head.bigEndian(8)),
    ...(encoding === undefined ? {} : { detail: encoding }),
  };
}

/** u32 version at 4, written in hexadecimal as the engine's documents do. */
const hexVersion = (head: Head): HeaderFacts => ({ version: hex(head.u32(4)) });

/** Year, major and minor of a Havok SDK, out of eight digits such as `20220100`. */
function havokSdk(digits: string): string | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)$/.exec(digits);
  if (!parts) return undefined;
  const [year, major, minor] = parts.slice(1).map(Number);
  return `Havok ${year}.${major}.${minor}`;
}

/** Chunks of a tagfile: TAG0 at 4, then SDKV with its eight digits at 0x10. */
function tagfile(head: Head, base = 0): HeaderFacts {
  if (!head.startsWith('TAG0', base + 4) || !head.startsWith('SDKV', base + 0xc)) return {};
  const version = havokSdk(head.text(base + 0x10, 8));
  return version === undefined ? {} : { version };
}

function packfile(head: Head): HeaderFacts {
  const pointerSize = head.u8(0x10);
  const big = head.u8(0x11) === 0;
  const sdk = /^hk_(\d[\w.-]*)/.exec(head.text(0x28, 16))?.[1];
  return {
    version: withOrder(sdk ? `Havok ${sdk}` : `v${head.u32(0xc, big)}`, big),
    platform: big ? 'Wii U' : 'Switch',
    detail: `packfile v${head.u32(0xc, big)}, ${pointerSize}-byte pointers`,
  };
}

const PHIVE_TYPES: readonly HeaderFacts[] = [
  { id: 'bphsh', description: 'Phive shape (collision)' },
  { id: 'bphnm', description: 'Phive navigation mesh' },
  { id: 'bphsc', description: 'Phive static compound' },
  { id: 'bphcl', description: 'Phive cloth' },
];

/** Phive has no version of its own: the version is that of the Havok SDK which wrote its first section. */
function phive(head: Head): HeaderFacts {
  const type = PHIVE_TYPES[head.u8(0xa)];
  return { ...(type ?? { detail: `file type ${head.u8(0xa)}` }), ...tagfile(head, head.u32(0xc)) };
}

function fres(head: Head): HeaderFacts {
  if (head.startsWith('    ', 4)) return { ...binaryFile(head), platform: 'Switch' };
  return { version: withOrder(dotted(head.u32(4, true), 24, 16, 8, 0), true), platform: 'Wii U' };
}

function bntx(head: Head): HeaderFacts {
  const target = head.text(0x20, 4).trim();
  const platform = { NX: 'Switch', Gen: 'PC' }[target] ?? target;
  return { ...binaryFile(head), ...(platform ? { platform } : {}) };
}

function aamp(big: boolean): (head: Head) => HeaderFacts {
  return (head) => {
    const version = head.u32(4, big);
    const type = head.text(version === 1 ? 0x18 : 0x30, Math.min(head.u32(0x14, big), 64));
    return { version: withOrder(`v${version}`, big), ...(type ? { detail: type } : {}) };
  };
}

function sarc(head: Head): HeaderFacts {
  const big = head.bigEndian(6);
  const version = head.u16(0x10, big);
  return { version: withOrder(dotted(version, 8, 0), big), detail: count(head.u16(0x1a, big), 'file') };
}

function bars(head: Head): HeaderFacts {
  const big = head.bigEndian(8);
  const version = head.u16(0xa, big);
  return { version: withOrder(dotted(version, 8, 0), big), detail: count(head.u32(0xc, big), 'asset') };
}

function amta(head: Head): HeaderFacts {
  const big = head.bigEndian(4);
  const version = head.u16(6, big);
  return { version: withOrder(dotted(version, 8, 0), big) };
}

function bwav(head: Head): HeaderFacts {
  const big = head.bigEndian(4);
  const codec = ['PCM16', 'DSP-ADPCM', 'Opus'][head.u16(0x10, big)] ?? `codec ${head.u16(0x10, big)}`;
  const prefetch = head.u16(0xc, big) & 1 ? ', prefetch' : '';
  return { ...aal(head), detail: `${codec}, ${count(head.u16(0xe, big), 'channel')}${prefetch}` };
}

function eventFlow(head: Head): HeaderFacts {
  const big = head.bigEndian(0xc);
  const flowcharts = head.u16(0x20, big);
  const timelines = head.u16(0x22, big);
  return {
    ...(flowcharts === 0 && timelines > 0 ? { id: 'bfevtm', description: 'event timeline' } : {}),
    ...binaryFile(head),
    detail: `${count(flowcharts, 'flowchart')}, ${count(timelines, 'timeline')}`,
  };
}

/** The version lies in the container, where the pointer at 0x20 leads. */
function baev(head: Head): HeaderFacts {
  const container = Number(head.u64(0x20));
  return { version: `${head.u16(container + 0xa)}.${head.u8(container + 9)}.${head.u8(container + 8)}` };
}

function txtg(head: Head): HeaderFacts {
  return {
    version: `v${head.u16(2)}`,
    detail: `${head.u16(8)} x ${head.u16(0xa)}, ${count(head.u16(0xc), 'layer')}, ${count(head.u8(0xe), 'mip')}`,
  };
}

function meshCodec(head: Head): HeaderFacts {
  const flags = head.u32(8);
  return {
    version: `${head.u16(6)}.${head.u8(5)}.${head.u8(4)}`,
    detail: `decompressed size at most ${(flags >>> 5) * 2 ** (flags & 0xf)}`,
  };
}

/** Counts of an RSTB fit the size of the file in its own byte order: 12 + 8 a + 132 b. */
function rstb(head: Head): HeaderFacts {
  const fits = (big: boolean): boolean => head.size === 12 + 8 * head.u32(4, big) + 132 * head.u32(8, big);
  const big = !fits(false) && fits(true);
  return { version: withOrder('v1', big), detail: count(head.u32(4, big) + head.u32(8, big), 'entry', 'entries') };
}

function restbl(head: Head): HeaderFacts {
  return { version: `v${head.u32(6)}`, detail: count(head.u32(0xe) + head.u32(0x12), 'entry', 'entries') };
}

/** Frame header of zstd, RFC 8878 section 3.1.1.1. */
function zstd(head: Head): HeaderFacts {
  let frame = 0;
  while (head.startsWith([0x2a, 0x4d, 0x18], frame + 1)) frame += 8 + head.u32(frame + 4);
  if (!head.startsWith([0x28, 0xb5, 0x2f, 0xfd], frame)) return { detail: 'skippable frame' };
  const descriptor = head.u8(frame + 4);
  const singleSegment = (descriptor & 0x20) !== 0;
  let at = frame + 5;
  let window: bigint | undefined;
  if (!singleSegment) {
    const byte = head.u8(at++);
    const base = 1n << BigInt(10 + (byte >> 3));
    window = base + (base >> 3n) * BigInt(byte & 7);
  }
  const idSize = [0, 1, 2, 4][descriptor & 3]!;
  const id = idSize === 1 ? head.u8(at) : idSize === 2 ? head.u16(at) : idSize === 4 ? head.u32(at) : 0;
  at += idSize;
  const contentField = descriptor >> 6;
  let content: bigint | undefined;
  if (contentField === 0 && singleSegment) content = BigInt(head.u8(at));
  else if (contentField === 1) content = BigInt(head.u16(at) + 256);
  else if (contentField === 2) content = BigInt(head.u32(at));
  else if (contentField === 3) content = head.u64(at);
  const facts = [`content size ${content ?? 'unknown'}`, `window ${window ?? content}`];
  if (id) facts.push(`dictionary ${id}`);
  return { detail: facts.join(', ') };
}

function yaz0(head: Head): HeaderFacts {
  const alignment = head.u32(8, true);
  return { detail: `decompressed size ${head.u32(4, true)}${alignment ? `, alignment ${alignment}` : ''}` };
}

/** u32 rows, u32 row size, u16 columns: the columns (8 bytes each) and rows fill the file after the header. */
function bcsvFits(head: Head, headerSize: number): boolean {
  return head.size === headerSize + 8 * head.u16(8) + head.u32(0) * head.u32(4);
}

/** Up to here a u64 at 8 of an NcEngine asset is a format version, above it an asset id of the older layout. */
const NC_VERSION_LIMIT = 16n;

function ncAsset(head: Head): HeaderFacts {
  const word = head.u64(8);
  return word < NC_VERSION_LIMIT ? { version: `v${word}` } : { detail: `older layout, asset id ${word}` };
}

const NC_ASSETS: readonly FileTypeEntry[] = (
  [
    ['CLIP', 'nc-audio-clip', 'audio clip', 'audio'],
    ['CONC', 'nc-concave-collider', 'concave collider', 'physics'],
    ['CUBE', 'nc-cubemap', 'cube map', 'texture'],
    ['HULL', 'nc-hull-collider', 'hull collider', 'physics'],
    ['MESH', 'nc-mesh', 'mesh', 'model'],
    ['SHAD', 'nc-shader', 'shader', 'shader'],
    ['SKEL', 'nc-skeletal-animation', 'skeletal animation', 'animation'],
    ['TEXT', 'nc-texture', 'texture', 'texture'],
  ] as const
).map(([magic, id, what, kind]) => ({
  id,
  description: `NcEngine ${what}`,
  kind,
  magic: `${magic}NONE`,
  read: ncAsset,
}));

/** A font of TrueType outlines: its search range follows from the number of its tables. */
function isTrueType(head: Head): boolean {
  const tables = head.u16(4, true);
  return tables > 0 && head.u16(6, true) === 16 * 2 ** Math.floor(Math.log2(tables));
}

/** Whether the file is a square grid of elements of this size. */
const squareGrid =
  (elementSize: number) =>
  (head: Head): boolean =>
    head.size > 0 && Number.isInteger(Math.sqrt(head.size / elementSize));

function isVibration(head: Head): boolean {
  const metadata = head.u32(0);
  if (metadata !== 4 && metadata !== 0xc && metadata !== 0x10) return false;
  return head.u16(4) === 3 && head.u16(6) === 200 && 8 + metadata + head.u32(4 + metadata) <= head.size;
}

function isHashTable(head: Head): boolean {
  if (head.size === 0 || head.size % 8 !== 0) return false;
  for (let i = 8; i + 8 <= head.bytes.length; i += 8) if (head.u32(i) <= head.u32(i - 8)) return false;
  return true;
}

function isNavigationTable(head: Head): boolean {
  const n = head.u32(4);
  const waypoints = head.size - 8 - 2 * n - 5 * n * n;
  return n > 0 && waypoints >= 0 && waypoints % 9 === 0;
}

function isWeaponBlur(head: Head): boolean {
  const names = head.u32(0);
  const first = head.u32(4);
  return names > 0 && first >= 4 + 4 * names && first + 0x40 <= head.size;
}

/**
 * Every type, in the order in which those with one place of magic are tried. To add a type, add an entry: with a magic
 * it is told by that alone, without one by its extension and, where there is a check, by its structure.
 */
export const FILE_TYPES: readonly FileTypeEntry[] = [
  // Outer compression
  { id: 'zstd', description: 'zstd', kind: 'compression', magic: [0x28, 0xb5, 0x2f, 0xfd], read: zstd },
  {
    id: 'zstd',
    description: 'zstd',
    kind: 'compression',
    magic: [0x2a, 0x4d, 0x18],
    at: 1,
    check: (head) => head.u8(0) >> 4 === 5,
    read: zstd,
  },
  { id: 'yaz0', description: 'Yaz0', kind: 'compression', magic: 'Yaz0', read: yaz0 },
  { id: 'mcpk', description: 'MeshCodec package', kind: 'compression', magic: 'MCPK', read: meshCodec },
  { id: 'gzip', description: 'gzip', kind: 'compression', magic: [0x1f, 0x8b, 8] },
  {
    id: 'zlib',
    description: 'zlib',
    kind: 'compression',
    magic: [0x78],
    check: (head) => [0x01, 0x5e, 0x9c, 0xda].includes(head.u8(1)) && looksDeflated(head.bytes, 2, head.size),
  },

  // Footers
  {
    id: 'nisasyst',
    description: 'encrypted (Splatoon 2)',
    kind: 'encrypted',
    magic: 'nisasyst',
    footer: 8,
  },
  { id: 'bflim', description: 'layout image', kind: 'texture', magic: 'FLIM', footer: 0x28, read: ui2d },
  { id: 'nutexb', description: 'Smash texture', kind: 'texture', magic: 'XET', footer: 7 },

  // Archives and tables
  { id: 'sarc', description: 'SARC archive', kind: 'archive', magic: 'SARC', read: sarc },
  { id: 'rstb', description: 'resource size table (RSTB)', kind: 'table', magic: 'RSTB', read: rstb },
  { id: 'restbl', description: 'resource size table (RESTBL)', kind: 'table', magic: 'RESTBL', read: restbl },
  {
    id: 'rstc',
    description: 'resource size table (RSTC)',
    kind: 'table',
    magic: 'RSTC',
    read: (head) => ({ detail: count(head.u32(4) + head.u32(8), 'entry', 'entries') }),
  },
  {
    id: 'zsdic',
    description: 'zstd dictionary',
    kind: 'table',
    magic: [0x37, 0xa4, 0x30, 0xec],
    read: (head) => ({ detail: `dictionary ${head.u32(4)}` }),
  },
  {
    id: 'bcsv',
    description: 'table (BCSV)',
    kind: 'table',
    magic: 'VSCB',
    at: 0xc,
    read: (head) => ({
      version: `v${head.u16(0x10)}`,
      detail: `${count(head.u32(0), 'row')}, ${count(head.u16(8), 'column')}`,
    }),
  },
  { id: 'bea', description: 'Bezel archive', kind: 'archive', magic: 'SCNE', read: binaryFile },

  // Parameters
  ...[false, true].map((big): FileTypeEntry => ({
    id: 'byml',
    description: 'BYAML',
    kind: 'parameters',
    magic: big ? 'BY' : 'YB',
    check: (head) => head.u16(2, big) > 0 && head.u16(2, big) < 0x100,
    read: (head) => ({ version: withOrder(`v${head.u16(2, big)}`, big) }),
  })),
  { id: 'aamp', description: 'parameter archive (AAMP)', kind: 'parameters', magic: 'AAMP', read: aamp(false) },
  { id: 'aamp', description: 'parameter archive (AAMP)', kind: 'parameters', magic: 'PMAA', read: aamp(true) },
  { id: 'bstar', description: 'string list', kind: 'table', magic: 'STAR' },

  // Textures, models, shaders, effects
  { id: 'bntx', description: 'texture archive (BNTX)', kind: 'texture', magic: 'BNTX', read: bntx },
  { id: 'bntx', description: 'texture archive (BNTX)', kind: 'texture', magic: 'BNTX', start: 0x50, read: bntx },
  {
    id: 'txtg',
    description: 'texture (TexToGo)',
    kind: 'texture',
    platform: 'Switch',
    magic: '6PK0',
    at: 4,
    read: txtg,
  },
  { id: 'bfres', description: 'model resources (FRES)', kind: 'model', magic: 'FRES', read: fres },
  { id: 'bfsha', description: 'shader archive (FSHA)', kind: 'shader', magic: 'FSHA', read: binaryFile },
  { id: 'bnsh', description: 'shader (BNSH)', kind: 'shader', magic: 'BNSH', read: binaryFile },
  ...(['BAHS', 'SHAB', 'AAHS', 'SHAA'] as const).map((magic): FileTypeEntry => {
    const big = magic.startsWith('SHA');
    const binary = magic.includes('B');
    return {
      id: binary ? 'sharcb' : 'sharc',
      description: `agl shader archive (${binary ? 'binary' : 'source'})`,
      kind: 'shader',
      magic,
      read: (head) => ({ version: withOrder(`v${head.u32(4, big)}`, big) }),
    };
  }),
  { id: 'vfxb', description: 'particle effects (VFXB)', kind: 'effect', magic: 'VFXB    ', read: binaryFile },
  {
    id: 'gtx',
    description: 'Wii U texture or shader',
    kind: 'texture',
    platform: 'Wii U',
    magic: 'Gfx2',
    read: (head) => ({ version: withOrder(`${head.u32(8, true)}.${head.u32(0xc, true)}`, true) }),
  },
  { id: 'xtx', description: 'NVN texture', kind: 'texture', magic: 'DFvN' },
  {
    id: 'toolbox-section',
    description: 'section exported by Switch Toolbox',
    kind: 'model',
    magic: [0x7f, 0x66, 0x6d, 0x64],
  },

  // Layouts, fonts, messages
  { id: 'bflyt', description: 'layout (FLYT)', kind: 'layout', magic: 'FLYT', read: ui2d },
  { id: 'bflan', description: 'layout animation (FLAN)', kind: 'layout', magic: 'FLAN', read: ui2d },
  { id: 'bffnt', description: 'bitmap font (FFNT)', kind: 'font', magic: 'FFNT', read: ui2d },
  { id: 'bfcpx', description: 'font complex (FCPX)', kind: 'font', magic: 'FCPX', read: ui2d },
  ...[
    [0xd9, 0x9b, 0x87, 0x1a],
    [0x36, 0xf8, 0x1a, 0x1e],
    [0xf3, 0x68, 0xde, 0xc1],
  ].map((magic): FileTypeEntry => ({
    id: 'bfttf',
    description: 'obfuscated TrueType or OpenType font',
    kind: 'font',
    magic,
  })),
  { id: 'msbt', description: 'messages (MSBT)', kind: 'message', magic: 'MsgStdBn', read: messages },
  { id: 'msbp', description: 'message project (MSBP)', kind: 'message', magic: 'MsgPrjBn', read: messages },
  { id: 'msbf', description: 'message flow chart (MSBF)', kind: 'message', magic: 'MsgFlwBn', read: messages },

  // Events, AI, animation logic
  { id: 'bfevfl', description: 'event flow', kind: 'event', magic: 'BFEVFL\0\0', read: eventFlow },
  { id: 'ainb', description: 'AI program (AINB)', kind: 'ai', magic: 'AIB ', read: hexVersion },
  { id: 'asb', description: 'animation sequence (ASB)', kind: 'animation', magic: 'ASB ', read: hexVersion },
  { id: 'exb', description: 'expressions (EXB)', kind: 'ai', magic: 'EXB ', read: hexVersion },
  { id: 'baev', description: 'animation events (BAEV)', kind: 'animation', magic: 'BFFH', read: baev },
  {
    id: 'xlnk',
    description: 'sound or effect links (XLink)',
    kind: 'effect',
    magic: 'XLNK',
    read: (head) => ({ version: `v${head.u32(8)}`, detail: count(head.u32(0x3c), 'user') }),
  },
  { id: 'slnk', description: 'sound links before XLink', kind: 'effect', magic: 'SLNK' },
  { id: 'elnk', description: 'effect links before XLink', kind: 'effect', magic: 'eflk' },
  { id: 'cutinfo', description: 'cutscene cuts', kind: 'event', magic: 'GECR' },
  { id: 'cai', description: 'autobuild construction', kind: 'ai', magic: 'CmbAct' },

  // Physics and terrain
  { id: 'phive', description: 'Phive resource', kind: 'physics', magic: 'Phive\0', read: phive },
  { id: 'hktag', description: 'Havok tagfile', kind: 'physics', magic: 'TAG0', at: 4, read: tagfile },
  {
    id: 'hkpack',
    description: 'Havok packfile',
    kind: 'physics',
    magic: [0x57, 0xe0, 0xe0, 0x57, 0x10, 0xc0, 0xc0, 0x10],
    read: packfile,
  },
  {
    id: 'kcl',
    description: 'collision (KCL)',
    kind: 'physics',
    magic: [2, 2, 0, 0],
    check: (head) => head.u32(4) === 0x38 || head.u32(4, true) === 0x38,
    read: (head) => ({ version: withOrder('2.2', head.u32(4, true) === 0x38) }),
  },
  { id: 'pbc', description: 'field collision and height tiles', kind: 'physics', magic: 'pbc\0' },
  {
    id: 'prod',
    description: 'placed instances (PrOD)',
    kind: 'terrain',
    magic: 'PrOD',
    read: (head) => ({ version: withOrder(`v${head.u8(4)}`, true) }),
  },
  { id: 'beco', description: 'area map', kind: 'terrain', magic: [0x33, 0x22, 0x11, 0] },
  { id: 'tscb', description: 'terrain scene', kind: 'terrain', magic: 'TSCB', read: hexVersion },
  { id: 'crbin', description: 'cave', kind: 'terrain', magic: 'cave017\0' },
  { id: 'vsts', description: 'volume statistics', kind: 'terrain', magic: 'VSTS' },
  { id: 'gsts', description: 'grass statistics', kind: 'terrain', magic: 'GSTS' },
  { id: 'csts', description: 'cave statistics', kind: 'terrain', magic: 'CSTS' },

  // Audio
  { id: 'bwav', description: 'audio (BWAV)', kind: 'audio', magic: 'BWAV', read: bwav },
  { id: 'bars', description: 'audio archive (BARS)', kind: 'archive', magic: 'BARS', read: bars },
  { id: 'amta', description: 'audio metadata (AMTA)', kind: 'audio', magic: 'AMTA', read: amta },
  { id: 'bfwav', description: 'wave (FWAV)', kind: 'audio', magic: 'FWAV', read: sound },
  { id: 'bfstp', description: 'stream prefetch (FSTP)', kind: 'audio', magic: 'FSTP', read: sound },
  { id: 'bfstm', description: 'stream (FSTM)', kind: 'audio', magic: 'FSTM', read: sound },
  { id: 'bfsar', description: 'sound archive (FSAR)', kind: 'audio', magic: 'FSAR', read: sound },
  { id: 'bfgrp', description: 'sound group (FGRP)', kind: 'audio', magic: 'FGRP', read: sound },
  { id: 'bfwar', description: 'wave archive (FWAR)', kind: 'audio', magic: 'FWAR', read: sound },
  { id: 'bfbnk', description: 'sound bank (FBNK)', kind: 'audio', magic: 'FBNK', read: sound },
  { id: 'bfseq', description: 'sound sequence (FSEQ)', kind: 'audio', magic: 'FSEQ', read: sound },
  { id: 'bfwsd', description: 'wave sound data (FWSD)', kind: 'audio', magic: 'FWSD', read: sound },
  { id: 'barslist', description: 'list of audio archives', kind: 'audio', magic: 'ARSL', read: aal },
  { id: 'bagst', description: 'audio group settings', kind: 'audio', magic: 'AGST', read: aal },
  { id: 'blal', description: 'looped asset list', kind: 'audio', magic: 'BLAL', read: aal },
  { id: 'baatarc', description: 'attenuation archive', kind: 'audio', magic: 'ATRA' },
  { id: 'baatn', description: 'attenuator', kind: 'audio', magic: 'AATN' },
  { id: 'baroc', description: 'roll-off curve', kind: 'audio', magic: 'AROC' },
  { id: 'bactc', description: 'custom curve', kind: 'audio', magic: 'ACTC' },
  { id: 'baudc', description: 'unit distance curve', kind: 'audio', magic: 'AUDC' },
  { id: 'baacl', description: 'audio culling', kind: 'audio', magic: 'AACL' },
  { id: 'nx-opus', description: 'NX Opus', kind: 'audio', magic: [1, 0, 0, 0x80] },

  // NcEngine
  ...NC_ASSETS,
  {
    id: 'nc-package',
    description: 'NcEngine package',
    kind: 'archive',
    magic: 'NCPK',
    read: (head) => ({ version: head.text(4, 8) }),
  },

  // Other studios
  { id: 'gfpak', description: 'archive (GFLXPACK)', kind: 'archive', magic: 'GFLXPACK' },
  { id: 'narc', description: 'archive (NARC)', kind: 'archive', magic: 'NARC' },
  { id: 'nxarc', description: 'archive (RAXN)', kind: 'archive', magic: 'RAXN' },
  { id: 'apak', description: 'archive (APAK)', kind: 'archive', magic: 'APAK' },
  { id: 'tmpk', description: 'archive (TMPK)', kind: 'archive', magic: 'TMPK' },
  { id: 'pac', description: 'archive (PAC)', kind: 'archive', magic: 'PACx' },
  { id: 'pac', description: 'archive (PAC)', kind: 'archive', magic: 'pack' },
  { id: 'pkz', description: 'archive (PKZ)', kind: 'archive', magic: 'pkz' },
  { id: 'dat', description: 'archive (DAT)', kind: 'archive', magic: 'DAT' },
  { id: 'efc', description: 'Smash effect table', kind: 'effect', magic: 'EFCF' },
  { id: 'efc', description: 'Smash effect table', kind: 'effect', magic: 'EFCC' },
  { id: 'eff', description: 'Smash effects', kind: 'effect', magic: 'EFFN' },
  {
    id: 'lua',
    description: 'compiled Lua',
    kind: 'program',
    magic: [0x1b, 0x4c, 0x75, 0x61],
    read: (head) => ({ version: `${head.u8(4) >> 4}.${head.u8(4) & 15}` }),
  },
  { id: 'save', description: 'save of Tears of the Kingdom', kind: 'save', magic: [4, 3, 2, 1] },

  // Plain files
  { id: 'png', description: 'PNG image', kind: 'texture', magic: [0x89, 0x50, 0x4e, 0x47] },
  { id: 'jpg', description: 'JPEG image', kind: 'texture', magic: [0xff, 0xd8, 0xff] },
  { id: 'dds', description: 'DirectDraw surface', kind: 'texture', magic: 'DDS ' },
  { id: 'astc', description: 'ASTC image', kind: 'texture', magic: [0x13, 0xab, 0xa1, 0x5c] },
  { id: 'webm', description: 'WebM video', kind: 'video', magic: [0x1a, 0x45, 0xdf, 0xa3] },
  { id: 'mp4', description: 'MP4 video', kind: 'video', magic: 'ftyp', at: 4 },
  {
    id: 'wav',
    description: 'WAV audio',
    kind: 'audio',
    magic: 'RIFF',
    check: (head) => head.startsWith('WAVE', 8),
  },
  { id: 'riff', description: 'RIFF file', kind: 'audio', magic: 'RIFF' },
  { id: 'ogg', description: 'Ogg audio', kind: 'audio', magic: 'OggS' },
  { id: 'ttf', description: 'TrueType font', kind: 'font', magic: [0, 1, 0, 0], check: isTrueType },
  { id: 'otf', description: 'OpenType font', kind: 'font', magic: 'OTTO' },
  { id: 'zip', description: 'zip archive', kind: 'archive', magic: [0x50, 0x4b, 3, 4] },
  { id: '7z', description: '7-Zip archive', kind: 'archive', magic: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { id: 'nso', description: 'executable (NSO)', kind: 'program', platform: 'Switch', magic: 'NSO0' },
  { id: 'nro', description: 'homebrew executable (NRO)', kind: 'program', platform: 'Switch', magic: 'NRO0', at: 0x10 },
  { id: 'npdm', description: 'program metadata (NPDM)', kind: 'program', platform: 'Switch', magic: 'META' },
  { id: 'ips', description: 'executable patch (IPS)', kind: 'program', magic: 'IPS32' },
  { id: 'ips', description: 'executable patch (IPS)', kind: 'program', magic: 'PATCH' },

  // No magic: the extension and the structure
  {
    id: 'bcsv',
    description: 'table (BCSV)',
    kind: 'table',
    extensions: ['bcsv'],
    check: (head) => bcsvFits(head, 0xc),
  },
  { id: 'bnvib', description: 'HD rumble', kind: 'effect', extensions: ['bnvib'], check: isVibration },
  {
    id: 'rsizetable',
    description: 'resource size table without a header',
    kind: 'table',
    extensions: ['rsizetable'],
    check: isHashTable,
  },
  { id: 'hght', description: 'terrain heights', kind: 'terrain', extensions: ['hght'], check: squareGrid(2) },
  { id: 'mate', description: 'terrain materials', kind: 'terrain', extensions: ['mate'], check: squareGrid(4) },
  {
    id: 'extm',
    description: 'terrain water, grass or bake data',
    kind: 'terrain',
    extensions: ['extm'],
    check: (head) => [2, 4, 8].some((elementSize) => squareGrid(elementSize)(head)),
  },
  {
    id: 'bhtmp',
    description: 'heights of the map screen',
    kind: 'terrain',
    extensions: ['bhtmp'],
    check: (head) => head.size === 0x10 + 8 * head.u32(0) * head.u32(4),
  },
  {
    id: 'blwp',
    description: 'forest and tree data',
    kind: 'terrain',
    extensions: ['blwp'],
    check: (head) => head.u32(4) > 0 && head.u32(4) < head.size,
  },
  { id: 'wbr', description: 'weapon blur', kind: 'effect', extensions: ['wbr'], check: isWeaponBlur },
  { id: 'nvt', description: 'navigation table', kind: 'physics', extensions: ['nvt'], check: isNavigationTable },

  // No magic: the extension alone
  { id: 'vibs', description: 'archive of HD rumble', kind: 'archive', extensions: ['vibs'] },
  { id: 'chunk', description: 'cave mesh', kind: 'terrain', extensions: ['chunk'] },
  { id: 'quad', description: 'cave quads', kind: 'terrain', extensions: ['quad'] },
  { id: 'bcul', description: 'culling data', kind: 'terrain', extensions: ['bcul'] },
  { id: 'dpi', description: 'destructible pieces', kind: 'physics', extensions: ['dpi'] },
  { id: 'bushvt', description: 'shader table', kind: 'shader', extensions: ['bushvt'] },
  { id: 'figi', description: 'figures', kind: 'table', extensions: ['figi'] },
  { id: 'skybin', description: 'sky', kind: 'terrain', extensions: ['skybin'] },
  { id: 'bphyp', description: 'Phive data (bphyp)', kind: 'physics', extensions: ['bphyp'] },
  { id: 'bpvsts', description: 'Phive volume statistics', kind: 'physics', extensions: ['bpvsts'] },
  { id: 'bphhb', description: 'Phive helper bones', kind: 'physics', extensions: ['bphhb'] },
  { id: 'raw', description: 'raw data', kind: 'unknown', extensions: ['raw'] },
  { id: 'bin', description: 'data without a common format', kind: 'unknown', extensions: ['bin'] },
  { id: 'nacp', description: 'application properties (NACP)', kind: 'program', extensions: ['nacp'] },
  { id: 'nus3audio', description: 'Smash audio', kind: 'audio', extensions: ['nus3audio'] },
  {
    id: 'toolbox-section',
    description: 'section exported by Switch Toolbox',
    kind: 'model',
    extensions: ['bfmdl', 'bfmat', 'bftex', 'bfska'],
  },
];

/** Types of plain text: told by the text itself, and named by the extension. */
export const TEXT_TYPES: readonly (Pick<FileTypeEntry, 'id' | 'description' | 'extensions'> & { starts?: RegExp })[] = [
  { id: 'json', description: 'JSON', extensions: ['json'], starts: /^\s*[[{]/ },
  { id: 'xml', description: 'XML', extensions: ['xml'], starts: /^<\?xml/ },
  { id: 'yaml', description: 'YAML', extensions: ['yml', 'yaml'] },
  { id: 'csv', description: 'comma-separated table', extensions: ['csv'] },
  { id: 'tsv', description: 'tab-separated table', extensions: ['tsv'] },
  { id: 'html', description: 'HTML', extensions: ['html', 'htm'], starts: /^<!doctype html/i },
  { id: 'glsl', description: 'shader source', extensions: ['glsl', 'bgsh'] },
  { id: 'pchtxt', description: 'executable patch (text)', extensions: ['pchtxt'] },
  { id: 'rcl', description: 'resource size table changes', extensions: ['rcl'] },
  { id: 'obj', description: 'Wavefront OBJ model', extensions: ['obj'] },
  { id: 'mtl', description: 'Wavefront OBJ materials', extensions: ['mtl'] },
  { id: 'nc-shader-text', description: 'NcEngine shader list (text without a header)', extensions: ['nca'] },
  { id: 'text', description: 'text', extensions: ['txt', 'ini', 'md', 'log'] },
];
