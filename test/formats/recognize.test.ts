import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FILE_TYPES, TEXT_TYPES } from '../../ts/formats/filetypes.ts';
import { recognize, type FileType } from '../../ts/formats/recognize.ts';
import { CORPUS, HAS_CORPUS, readCorpus, readTable } from '../support/corpus.ts';
import { random, randomBytes } from '../support/random.ts';

type Field = [offset: number, ...values: (string | number[])[]];

/** A header of 0x100 zero bytes with text and bytes at offsets. */
function header(...fields: Field[]): Uint8Array {
  const bytes = new Uint8Array(0x100);
  for (const [offset, ...values] of fields) {
    let at = offset;
    for (const value of values) {
      const part = typeof value === 'string' ? [...value].map((c) => c.charCodeAt(0)) : value;
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes;
}

const LE = [0xff, 0xfe];
const BE = [0xfe, 0xff];
/** nn::util::BinaryFileHeader in little endian. */
const binary = (magic: string, micro: number, minor: number, major: number): Field[] => [
  [0, magic.padEnd(8, magic === 'FRES' || magic === 'FSHA' || magic === 'VFXB' ? ' ' : '\0')],
  [8, [micro, minor, major, 0]],
  [0xc, LE],
];
const sound = (magic: string): Field[] => [[0, magic, LE, [0x40, 0], [0, 1, 2, 0]]];
const phive = (type: number, reserve: number): Field[] => [
  [0, 'Phive\0', [reserve, 0], LE, [type, 4], [0x30, 0, 0, 0]],
  [0x30, [0, 0, 1, 0], 'TAG0', [0x40, 0, 0, 0x10], 'SDKV20220100'],
];

/** Name, header, expected: what is written there by hand out of the facts. */
const HEADERS: [string, Uint8Array, Partial<FileType>][] = [
  [
    'zstd',
    header([0, [0x28, 0xb5, 0x2f, 0xfd, 0x61, 3, 0x38, 0x55]]),
    { id: 'zstd', detail: 'content size 22072, window 22072, dictionary 3' },
  ],
  [
    'zstd with a window',
    header([0, [0x28, 0xb5, 0x2f, 0xfd, 0, 0x59]]),
    { id: 'zstd', detail: 'content size unknown, window 2359296' },
  ],
  [
    'zstd, four bytes of size',
    header([0, [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x88, 0, 6, 0]]),
    { id: 'zstd', detail: 'content size 393352, window 393352' },
  ],
  [
    'zstd, eight bytes of size',
    header([0, [0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 1, 0, 0, 0]]),
    { id: 'zstd', detail: 'content size 4294967296, window 4294967296' },
  ],
  [
    'zstd after a skippable frame',
    header([0, [0x5e, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9, 0x28, 0xb5, 0x2f, 0xfd, 0x20, 7]]),
    { id: 'zstd', detail: 'content size 7, window 7' },
  ],
  [
    'Yaz0',
    header([0, 'Yaz0', [0, 2, 0x90, 0xb0, 0, 0, 0x20, 0]]),
    { id: 'yaz0', detail: 'decompressed size 168112, alignment 8192' },
  ],
  [
    'MCPK',
    header([0, 'MCPK', [1, 1, 0, 0], [0x6c, 0, 0, 0]]),
    { id: 'mcpk', kind: 'compression', version: '0.1.1', detail: 'decompressed size at most 12288' },
  ],
  ['gzip', new Uint8Array(gzipSync('text')), { id: 'gzip', kind: 'compression' }],
  ['zlib', new Uint8Array(deflateSync('some text, some text')), { id: 'zlib', kind: 'compression' }],
  ['BYAML', header([0, 'YB', [7, 0]]), { id: 'byml', version: 'v7' }],
  ['BYAML, big endian', header([0, 'BY', [0, 2]]), { id: 'byml', version: 'v2, big endian' }],
  [
    'AAMP v2',
    header([0, 'AAMP', [2, 0, 0, 0, 3, 0, 0, 0]], [0x14, [4, 0, 0, 0]], [0x30, 'xml']),
    { id: 'aamp', version: 'v2', detail: 'xml' },
  ],
  [
    'AAMP v1',
    header([0, 'AAMP', [1, 0, 0, 0, 1, 0, 0, 0]], [0x14, [8, 0, 0, 0], 'aglcube']),
    { id: 'aamp', version: 'v1', detail: 'aglcube' },
  ],
  [
    'AAMP v1, big endian',
    header([0, 'PMAA', [0, 0, 0, 1]], [0x14, [0, 0, 0, 7], 'aglblm']),
    { id: 'aamp', version: 'v1, big endian', detail: 'aglblm' },
  ],
  [
    'SARC',
    header([0, 'SARC', [0x14, 0], LE], [0x10, [0, 1]], [0x14, 'SFAT', [12, 0, 3, 0]]),
    { id: 'sarc', version: '1.0', detail: '3 files' },
  ],
  [
    'SARC, big endian',
    header([0, 'SARC', [0, 0x14], BE], [0x10, [1, 0]], [0x14, 'SFAT', [0, 12, 0, 3]]),
    { id: 'sarc', version: '1.0, big endian', detail: '3 files' },
  ],
  ['FRES 5.0.3', header(...binary('FRES', 3, 0, 5)), { id: 'bfres', version: '5.0.3', platform: 'Switch' }],
  ['FRES 10.2.0', header(...binary('FRES', 0, 2, 10)), { id: 'bfres', version: '10.2.0', platform: 'Switch' }],
  [
    'FRES of the Wii U',
    header([0, 'FRES', [3, 5, 0, 3], BE]),
    { id: 'bfres', version: '3.5.0.3, big endian', platform: 'Wii U' },
  ],
  ['BNTX', header(...binary('BNTX', 0, 1, 4), [0x20, 'NX  ']), { id: 'bntx', version: '4.1.0', platform: 'Switch' }],
  [
    'BNTX at 0x50',
    header([0x50, 'BNTX\0\0\0\0', [0, 0, 4, 0], LE], [0x70, 'NX  ']),
    { id: 'bntx', version: '4.0.0', platform: 'Switch' },
  ],
  ['VFXB', header(...binary('VFXB', 0, 4, 0x14)), { id: 'vfxb', version: '20.4.0' }],
  [
    'BFEVFL',
    header([0, 'BFEVFL\0\0', [0, 3, 0, 0], LE], [0x20, [1, 0, 0, 0]]),
    { id: 'bfevfl', version: '0.3.0', detail: '1 flowchart, 0 timelines' },
  ],
  [
    'BFEVTM',
    header([0, 'BFEVFL\0\0', [0, 3, 0, 0], LE], [0x20, [0, 0, 1, 0]]),
    { id: 'bfevtm', version: '0.3.0', detail: '0 flowcharts, 1 timeline' },
  ],
  [
    'XLNK',
    header([0, 'XLNK', [0, 1, 0, 0, 0x24, 0, 0, 0]], [0x3c, [5]]),
    { id: 'xlnk', version: 'v36', detail: '5 users' },
  ],
  ['BPHSH', header(...phive(0, 1)), { id: 'bphsh', version: 'Havok 2022.1.0' }],
  ['BPHNM', header(...phive(1, 1)), { id: 'bphnm', version: 'Havok 2022.1.0' }],
  ['BPHSC with another byte at 6', header(...phive(2, 2)), { id: 'bphsc', version: 'Havok 2022.1.0' }],
  ['BPHCL', header(...phive(3, 1)), { id: 'bphcl', version: 'Havok 2022.1.0' }],
  [
    'Havok tagfile',
    header([0, [0, 0, 1, 0], 'TAG0', [0x40, 0, 0, 0x10], 'SDKV20210100']),
    { id: 'hktag', version: 'Havok 2021.1.0' },
  ],
  [
    'Havok packfile of the Switch',
    header(
      [0, [0x57, 0xe0, 0xe0, 0x57, 0x10, 0xc0, 0xc0, 0x10]],
      [0xc, [11, 0, 0, 0], [8, 1, 0, 1]],
      [0x28, 'hk_2014.2.0-r1', [0, 0xff]],
    ),
    { id: 'hkpack', version: 'Havok 2014.2.0-r1', platform: 'Switch', detail: 'packfile v11, 8-byte pointers' },
  ],
  [
    'TXTG',
    header([0, [0x50, 0, 0x11, 0], '6PK0', [0, 2, 0, 1, 1, 0, 9, 2]]),
    { id: 'txtg', version: 'v17', detail: '512 x 256, 1 layer, 9 mips' },
  ],
  [
    'BARS 1.1',
    header([0, 'BARS', [0, 1, 0, 0], LE, [1, 1], [4, 0, 0, 0]]),
    { id: 'bars', version: '1.1', detail: '4 assets' },
  ],
  [
    'BARS 1.2',
    header([0, 'BARS', [0, 1, 0, 0], LE, [2, 1], [4, 0, 0, 0]]),
    { id: 'bars', version: '1.2', detail: '4 assets' },
  ],
  ['AMTA 4', header([0, 'AMTA', LE, [0, 4]]), { id: 'amta', version: '4.0' }],
  ['AMTA 5', header([0, 'AMTA', LE, [0, 5]]), { id: 'amta', version: '5.0' }],
  [
    'BWAV',
    header([0, 'BWAV', LE, [1, 0], [1, 2, 3, 4], [1, 0, 2, 0], [1, 0]]),
    { id: 'bwav', version: 'v1', detail: 'DSP-ADPCM, 2 channels, prefetch' },
  ],
  [
    'BWAV, big endian',
    header([0, 'BWAV', BE, [0, 1], [1, 2, 3, 4], [0, 0, 0, 1], [0, 2]]),
    { id: 'bwav', version: 'v1, big endian', detail: 'Opus, 1 channel' },
  ],
  ['FWAV', header(...sound('FWAV')), { id: 'bfwav', version: '2.1.0' }],
  ['FSTP', header(...sound('FSTP')), { id: 'bfstp', version: '2.1.0' }],
  ['FSTM, big endian', header([0, 'FSTM', BE, [0, 0x40], [0, 3, 1, 0]]), { id: 'bfstm', version: '3.1.0, big endian' }],
  ['MSBT', header([0, 'MsgStdBn', LE, [0, 0, 1, 3]]), { id: 'msbt', version: 'v3', detail: 'UTF-16' }],
  [
    'MSBP, big endian',
    header([0, 'MsgPrjBn', BE, [0, 0, 0, 3]]),
    { id: 'msbp', version: 'v3, big endian', detail: 'UTF-8' },
  ],
  [
    'BCSV',
    header([0, [2, 0, 0, 0, 8, 0, 0, 0, 3, 0, 1, 1], 'VSCB', [0x84, 0x4e]]),
    { id: 'bcsv', version: 'v20100', detail: '2 rows, 3 columns' },
  ],
  ['RSTB', header([0, 'RSTB', [14, 0, 0, 0, 1, 0, 0, 0]]), { id: 'rstb', version: 'v1', detail: '15 entries' }],
  [
    'RSTB, big endian',
    header([0, 'RSTB', [0, 0, 0, 14, 0, 0, 0, 1]]),
    { id: 'rstb', version: 'v1, big endian', detail: '15 entries' },
  ],
  [
    'RESTBL',
    header([0, 'RESTBL', [1, 0, 0, 0, 0xa0, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0]]),
    { id: 'restbl', version: 'v1', detail: '7 entries' },
  ],
  ['RSTC', header([0, 'RSTC', [5, 0, 0, 0, 1, 0, 0, 0]]), { id: 'rstc', detail: '6 entries' }],
  ['BAEV', header([0, 'BFFH'], [0x20, [0x80]], [0x88, [0, 1, 2, 0]]), { id: 'baev', version: '2.1.0' }],
  ['BFTTF', header([0, [0xd9, 0x9b, 0x87, 0x1a]]), { id: 'bfttf' }],
  ['BFTTF, second magic', header([0, [0x36, 0xf8, 0x1a, 0x1e]]), { id: 'bfttf' }],
  ['BFTTF, third magic', header([0, [0xf3, 0x68, 0xde, 0xc1]]), { id: 'bfttf' }],
  ['FSHA', header(...binary('FSHA', 0, 1, 7)), { id: 'bfsha', version: '7.1.0' }],
  ['BNSH', header(...binary('BNSH', 12, 1, 2)), { id: 'bnsh', version: '2.1.12' }],
  ['KCL', header([0, [2, 2, 0, 0, 0x38, 0, 0, 0]]), { id: 'kcl', version: '2.2' }],
  ['KCL, big endian', header([0, [2, 2, 0, 0, 0, 0, 0, 0x38]]), { id: 'kcl', version: '2.2, big endian' }],
  ['zstd dictionary', header([0, [0x37, 0xa4, 0x30, 0xec, 2, 0, 0, 0]]), { id: 'zsdic', detail: 'dictionary 2' }],
  ['AINB', header([0, 'AIB ', [7, 4]]), { id: 'ainb', version: '0x407' }],
  ['ASB', header([0, 'ASB ', [0x1b, 4]]), { id: 'asb', version: '0x41b' }],
  ['FLYT', header([0, 'FLYT', LE, [0x14, 0], [0, 0, 0, 9]]), { id: 'bflyt', version: '9.0.0' }],
  ['FLAN', header([0, 'FLAN', LE, [0x14, 0], [0, 0, 6, 8]]), { id: 'bflan', version: '8.6.0' }],
  ['FFNT', header([0, 'FFNT', LE, [0x14, 0], [0, 0, 1, 4]]), { id: 'bffnt', version: '4.1.0' }],
  ['FFNT, big endian', header([0, 'FFNT', BE, [0, 0x14], [3, 0, 0, 0]]), { id: 'bffnt', version: '3.0.0, big endian' }],
  ['PNG', header([0, [0x89], 'PNG', [13, 10, 26, 10]]), { id: 'png' }],
  ['JPEG', header([0, [0xff, 0xd8, 0xff, 0xe0]]), { id: 'jpg' }],
  ['WebM', header([0, [0x1a, 0x45, 0xdf, 0xa3]]), { id: 'webm', kind: 'video' }],
  ['MP4', header([4, 'ftyp']), { id: 'mp4' }],
  ['WAV', header([0, 'RIFF', [0, 0, 0, 0], 'WAVE']), { id: 'wav' }],
  ['Ogg', header([0, 'OggS']), { id: 'ogg' }],
  ['TrueType', header([0, [0, 1, 0, 0, 0, 12, 0, 128]]), { id: 'ttf' }],
  ['OpenType', header([0, 'OTTO']), { id: 'otf' }],
  // Second priority
  ['FSAR', header(...sound('FSAR')), { id: 'bfsar', version: '2.1.0' }],
  ['sharcb', header([0, 'BAHS', [9, 0, 0, 0]]), { id: 'sharcb', version: 'v9' }],
  ['sharcb, big endian', header([0, 'SHAB', [0, 0, 0, 8]]), { id: 'sharcb', version: 'v8, big endian' }],
  [
    'Gfx2',
    header([0, 'Gfx2', [0, 0, 0, 0x20, 0, 0, 0, 7, 0, 0, 0, 1]]),
    { id: 'gtx', description: 'Wii U texture or shader', version: '7.1, big endian', platform: 'Wii U' },
  ],
  ['PrOD', header([0, 'PrOD', [1, 0, 0, 0]]), { id: 'prod', version: 'v1, big endian' }],
  ['AGST', header([0, 'AGST', LE, [9, 0]]), { id: 'bagst', version: 'v9' }],
  ['FCPX', header([0, 'FCPX', LE, [0x14, 0], [0, 0, 3, 9]]), { id: 'bfcpx', version: '9.3.0' }],
  ['NcEngine texture', header([0, 'TEXTNONE', [4]]), { id: 'nc-texture', version: 'v4' }],
  [
    'NcEngine mesh of the older layout',
    header([0, 'MESHNONE', [0, 1]]),
    { id: 'nc-mesh', detail: 'older layout, asset id 256' },
  ],
];

describe('headers made by hand', () => {
  test.each(HEADERS)('%s', (_, bytes, expected) => {
    expect(recognize(bytes, { size: bytes.length })).toMatchObject({ certainty: 'magic', ...expected });
    expect(recognize(bytes, { size: bytes.length }).version).toBe(expected.version);
  });

  test('the name does not matter where there is a magic', () => {
    for (const [, bytes, expected] of HEADERS) {
      for (const name of ['a.txt', 'a.bin', 'Pack/a.pack.zs', 'a.quad', 'a.png']) {
        expect(recognize(bytes, { size: bytes.length, name })).toMatchObject(expected);
      }
    }
  });

  test('a header cut short gives what it is or nothing, never a wrong version', () => {
    for (const [, bytes, expected] of HEADERS) {
      for (let length = 0; length < bytes.length; length++) {
        const found = recognize(bytes.subarray(0, length), { size: bytes.length });
        if (found.certainty !== 'magic') continue;
        expect([expected.id, 'phive', 'bfevfl', 'riff']).toContain(found.id);
        if (found.version !== undefined) expect(found.version).toBe(expected.version);
      }
    }
  });
});

test('footers', () => {
  const tail = (...fields: Field[]): Uint8Array => header(...fields).subarray(0, 0x40);
  const options = (bytes: Uint8Array) => ({ size: 100_000, tail: bytes });
  const head = randomBytes(64, 1);
  expect(recognize(head, options(tail([0x38, 'nisasyst'])))).toMatchObject({
    id: 'nisasyst',
    kind: 'encrypted',
    description: 'encrypted (Splatoon 2)',
  });
  expect(recognize(head, options(tail([0x18, 'FLIM', LE, [0x14, 0], [0, 0, 2, 7]])))).toMatchObject({
    id: 'bflim',
    version: '7.2.0',
  });
  expect(recognize(head, options(tail([0x39, 'XET'])))).toMatchObject({ id: 'nutexb' });
  const whole = header([0xd8, 'FLIM', BE, [0, 0x14], [2, 2, 0, 0]]);
  expect(recognize(whole, { size: whole.length })).toMatchObject({ id: 'bflim', version: '2.2.0, big endian' });
});

test('zlib only where the rest inflates', () => {
  const random64k = randomBytes(1 << 16, 3);
  for (const level of [0, 1, 6, 9]) {
    const bytes = new Uint8Array(deflateSync(random64k, { level }));
    expect(recognize(bytes.subarray(0, 4096), { size: bytes.length }).id).toBe('zlib');
  }
  const text = new Uint8Array(deflateSync('To be or not to be. '.repeat(1000)));
  expect(recognize(text, { size: text.length }).id).toBe('zlib');
  expect(recognize(text.subarray(0, 20), { size: 20 }).id).not.toBe('zlib');
  let wrong = 0;
  for (let seed = 0; seed < 200; seed++) {
    const bytes = randomBytes(4096, seed);
    bytes.set([0x78, 0x9c]);
    if (recognize(bytes, { size: 4096 }).id === 'zlib') wrong++;
  }
  expect(wrong).toBe(0);
  expect(recognize(new TextEncoder().encode('x^2 + y^2 = r^2, the circle'), { size: 27 }).id).toBe('text');
  expect(recognize(new Uint8Array(deflateRawSync('raw')), { size: 8 }).id).not.toBe('zlib');
});

describe('no magic', () => {
  const of = (name: string, bytes: Uint8Array, size = bytes.length) => recognize(bytes, { size, name });
  test('structure with the extension', () => {
    const rumble = header([0, [4, 0, 0, 0, 3, 0, 200, 0], [0xf8 - 4, 0, 0, 0]]);
    expect(of('a.bnvib', rumble)).toMatchObject({ id: 'bnvib', certainty: 'probably' });
    expect(of('a.bnvib', header([0, [5]])).id).toBe('unknown');
    expect(of('x.hght', randomBytes(4096, 9), 256 * 256 * 2)).toMatchObject({ id: 'hght', certainty: 'probably' });
    expect(of('x.hght', randomBytes(4096, 9), 256 * 256 * 2 - 2).id).toBe('unknown');
    expect(of('a.rsizetable', header([0, [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]]).subarray(0, 16)).id).toBe('rsizetable');
    expect(of('a.rsizetable', header([0, [3, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]]).subarray(0, 16)).id).toBe('unknown');
    const table = header([0, [2, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0]]);
    expect(of('a.bcsv', table, 12 + 8 + 16)).toMatchObject({ id: 'bcsv', certainty: 'probably' });
    expect(of('a.bcsv', table, 99).id).toBe('unknown');
  });
  test('extension alone', () => {
    expect(of('Cave/000288.quad.zs', randomBytes(64, 4))).toMatchObject({ id: 'quad', certainty: 'by name' });
    expect(of('a.schunk', randomBytes(64, 4))).toMatchObject({ id: 'chunk', certainty: 'by name' });
    expect(of('a.bfres', randomBytes(64, 4))).toMatchObject({ id: 'unknown', certainty: 'unknown' });
    expect(of('a.sarc', randomBytes(64, 4)).id).toBe('unknown');
  });
  test('text', () => {
    const text = (content: string): Uint8Array => new TextEncoder().encode(content);
    expect(of('a.json', text('{"a": 1}'))).toMatchObject({ id: 'json', certainty: 'probably', kind: 'text' });
    expect(of('noname', text('[1, 2]')).id).toBe('json');
    expect(of('a.txt', text('plain'))).toMatchObject({ id: 'text', kind: 'text' });
    expect(of('a.yml', text('a: 1\n')).id).toBe('yaml');
    expect(of('a.txt', text('SARC is an archive format of Nintendo.')).id).toBe('text');
    expect(of('a.txt', text('BY and by, packages come in DAT files.')).id).toBe('text');
    expect(of('a.msbt', text('日本語'.repeat(2000)).subarray(0, 4096), 18_000).id).toBe('text');
    expect(of('empty.txt', text('')).id).toBe('unknown');
  });
});

test('hostile bytes never throw', () => {
  for (let seed = 0; seed < 3000; seed++) {
    const next = random(seed);
    const bytes = randomBytes(next() % 300, seed);
    recognize(bytes, {
      size: next(),
      tail: randomBytes(next() % 0x41, seed + 1),
      name: ['a.nvt', 'a.wbr', 'a.extm', 'a.bhtmp'][seed & 3]!,
    });
  }
  const ids = new Set([...FILE_TYPES, ...TEXT_TYPES].map(({ id }) => id));
  for (const id of ['unknown', 'bphsh', 'bphnm', 'bphsc', 'bphcl', 'bfevtm']) ids.add(id);
  for (const entry of FILE_TYPES) {
    if (entry.magic === undefined) continue;
    for (let seed = 0; seed < 200; seed++) {
      const bytes = randomBytes(0x200, seed);
      const magic = typeof entry.magic === 'string' ? [...entry.magic].map((c) => c.charCodeAt(0)) : entry.magic;
      bytes.set(magic, (entry.start ?? 0) + (entry.at ?? 0));
      expect(ids).toContain(recognize(bytes, { size: 0x200, tail: bytes.subarray(0x1c0) }).id);
    }
  }
});

/** What a manifest says of a file, as an id and a version; the order matters. */
const CLAIMS: [what: RegExp, path: RegExp, id: string, version?: RegExp][] = [
  [/./, /bad\.magic\.zst$/, 'unknown'],
  [/./, /negative_magic\.astc$/, 'unknown'],
  [/golden input for compressors/, /\/http$/, 'xml'],
  [/golden input for compressors/, /huffman-compressed-larger$/, 'zstd'],
  [/golden input for compressors/, /large-literal-and-match-lengths$/, 'unknown'],
  [/golden input for compressors/, /PR-3517-block-splitter-corruption-test$/, 'text'],
  [/zstd dictionary/, /./, 'zsdic'],
  [/ZsDic\.pack\.zs|actor pack, zstd|^zstd|zstd golden/, /./, 'zstd'],
  [/./, /\.zst$/, 'zstd'],
  [/FRES-NX 8\.0\.0/, /./, 'bfres', /^8\.0\.0$/],
  [/Yaz0|SZS/, /./, 'yaz0'],
  [/YAML/, /\.yml$/, 'yaml'],
  [/BYML.* v10/, /./, 'byml', /^v10$/],
  [/BYML v(\d+)/, /./, 'byml', /^v\d+$/],
  [/BYML/, /./, 'byml', /^v\d+$/],
  [/SARC/, /-BE\.sarc$/, 'sarc', /^1\.0, big endian$/],
  [/SARC/, /./, 'sarc', /^1\.0$/],
  [/RSTB size/, /\.s\w+$/, 'yaz0'],
  [/RSTB size/, /\.hkrb$/, 'hkpack', /^Havok 2014\.2\.0-r1, big endian$/],
  [/RSTB size/, /\.b\w+$/, 'aamp', /^v2$/],
  [/asb v0x417/, /./, 'asb', /^0x417$/],
  [/ainb v0x407/, /./, 'ainb', /^0x407$/],
  [/./, /syn_(40\d).*\.ainb$/, 'ainb', /^0x40[478]$/],
  [/./, /syn_417.*\.asb$/, 'asb', /^0x417$/],
  [/./, /\.baev$/, 'baev', /^1\.0\.0$/],
  [/./, /_be(_\w+)?\.bwav$/, 'bwav', /^v1, big endian$/],
  [/synthetic BWAV/, /\.bwav$/, 'bwav', /^v1$/],
  [/NX Opus/, /./, 'nx-opus'],
  [/./, /\.wav$/, 'wav'],
  [/./, /\.s3\.\w+\.bphsh$/, 'bphsh', /^Havok 2021\.1\.0$/],
  [/./, /\.totk\.\w+\.bphsh$/, 'bphsh', /^Havok 2022\.1\.0$/],
  [/./, /\.nsopt\.\w+\.bphsh$/, 'bphsh', /^Havok 2023\.2\.0$/],
  [/BFLAN 8\.6\/9\.0/, /./, 'bflan', /^(8\.6|9\.0)\.0$/],
  [/BFLAN 9\.0/, /./, 'bflan', /^9\.0\.0$/],
  [/BFLYT 9\.0/, /./, 'bflyt', /^9\.0\.0$/],
  [/BFFNT 3\.0 BE/, /./, 'bffnt', /^3\.0\.0, big endian$/],
  [/BFFNT 4\.1\/4\.0 LE/, /./, 'bffnt', /^4\.[01]\.0$/],
  [/./, /\.expected\.bflan$/, 'bflan'],
  [/./, /\.expected\.bflyt$/, 'bflyt', /^9\.0\.0$/],
  [/BNTX/, /\.bntx$/, 'bntx', /^4\.[01]\.0$/],
  [/TXTG/, /./, 'txtg', /^v17$/],
  [/./, /\.astc$/, 'astc'],
  [/./, /\.dds$/, 'dds'],
  [/./, /\.png$/, 'png'],
  [/./, /\.json$/, 'json'],
  [/./, /\.tsv$/, 'tsv'],
  [/./, /\.obj$/, 'obj'],
  [/./, /\.txt$/, 'text'],
  [/./, /\.bin$/, 'bin'],
];

const NCENGINE: Record<string, [string, string | undefined]> = {
  cubemap: ['nc-cubemap', 'v4'],
  texture: ['nc-texture', 'v4'],
  concave: ['nc-concave-collider', 'v4'],
  hull: ['nc-hull-collider', 'v4'],
  mesh: ['nc-mesh', 'v4'],
  animation: ['nc-skeletal-animation', 'v4'],
  shader: ['nc-shader-text', undefined],
};

describe.skipIf(!HAS_CORPUS)('corpus', () => {
  const look = (path: string): FileType => {
    const bytes = readCorpus(path);
    return recognize(bytes.subarray(0, 4096), { size: bytes.length, name: path, tail: bytes.subarray(-0x40) });
  };

  test.each(['ainb', 'archives', 'audio', 'models', 'physics', 'textures', 'ui'])('%s', (folder) => {
    let checked = 0;
    for (const { path, what } of readTable(`${folder}/MANIFEST.tsv`)) {
      // Some files are left out of the corpus for their size.
      if (!existsSync(`${CORPUS}/${folder}/${path}`)) continue;
      const claim = CLAIMS.find(([whatPattern, pathPattern]) => whatPattern.test(what!) && pathPattern.test(path!));
      expect(claim, `${path}: ${what}`).toBeDefined();
      const found = look(`${folder}/${path}`);
      expect(found.id, path).toBe(claim![2]);
      const version = claim![3];
      if (version) expect(found.version, path).toMatch(version);
      const byml = /BYML v(\d+) (LE|BE)/.exec(what!);
      if (byml && found.id === 'byml')
        expect(found.version).toBe(`v${byml[1]}${byml[2] === 'BE' ? ', big endian' : ''}`);
      checked++;
    }
    expect(checked).toBeGreaterThan(5);
  });

  test('ncengine', () => {
    const paths = readFileSync(`${CORPUS}/ncengine/MANIFEST.tsv`, 'utf8').trimEnd().split('\n');
    for (const line of paths) {
      const path = line.split('\t')[0]!;
      const [id, version] = NCENGINE[path.split('-')[0]!]!;
      expect(look(`ncengine/${path}`)).toMatchObject({ id, ...(version ? { version } : {}) });
    }
  });

  test('details', () => {
    const at = (path: string) => look(`archives/${path}`).detail;
    expect(at('MaxLastBreath+TOTK-mods/PlayerCamera.fov70.pack.zs')).toBe(
      'content size 22072, window 22072, dictionary 3',
    );
    expect(at('LordBubblesDev+restbl/dic/zsdic')).toBe('content size 393352, window 393352');
    expect(at('synthetic/zstd/dict70000.doc0.zst')).toMatch(/dictionary 70000$/);
    expect(at('synthetic/zstd/stream.nofcs.zst')).toBe('content size unknown, window 2097152');
    expect(at('synthetic/zstd/fcs.65791.zst')).toMatch(/^content size 65791,/);
    expect(at('Amethyst-szs+smo-lunakit/LunaKit/StageData/DevBossKnuckleStageMap.szs')).toBe('decompressed size 18700');
    expect(look('textures/txtg/TexturedCube.txtg').detail).toBe('512 x 256, 1 layer, 9 mips');
  });
});
