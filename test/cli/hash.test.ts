import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeSarc } from '../../scripts/sample/sarc.ts';
import { CLI, filesBelow, romflow, temporaryFolder } from '../support/cli.ts';
import { randomBytes } from '../support/random.ts';
import { jsonLines, put, putDump } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

const crc = (data: Uint8Array | string): string => crc32(data).toString(16).padStart(8, '0');
const done = (stdout: string): object => ({ status: 0, stdout, stderr: '' });

describe('hash of texts', () => {
  it.each(['wasm', 'ts'])('published values of every algorithm: %s', (backend) => {
    const hash = (...args: string[]): object => romflow(['hash', ...args, '--backend', backend]);
    expect(hash('crc32', '123456789', '')).toEqual(done('cbf43926  123456789\n00000000  \n'));
    expect(hash('murmur3', 'test')).toEqual(done('ba6bd213  test\n'));
    expect(hash('murmur3', '--seed', '0x9747b28c', 'Hello, world!')).toEqual(done('24884cba  Hello, world!\n'));
    expect(hash('sarc', 'Test1.txt')).toEqual(done('029a7e7b  Test1.txt\n'));
    expect(hash('xxh64', 'abc', 'a')).toEqual(done('44bc2cf5ad770999  abc\nd24ec4f1a98c6e5b  a\n'));
    expect(hash('fnv1a', 'foobar')).toEqual(done('bf9cf968  foobar\n'));
  });

  it('takes their UTF-8; --seed is the multiplier of sarc', () => {
    // -61 * 0x65 - 87, modulo 2^32
    expect(romflow(['hash', 'sarc', 'é'])).toEqual(done('ffffe798  é\n'));
    expect(romflow(['hash', 'crc32', 'é'])).toEqual(done(`${crc('é')}  é\n`));
    // 97 * 1000 + 98
    expect(romflow(['hash', 'sarc', '--seed', '1000', 'ab'])).toEqual(done('00017b4a  ab\n'));
  });

  it('--json has a line for each, and a summary', () => {
    expect(jsonLines(romflow(['hash', 'crc32', '--json', '123456789', '"\n']).stdout)).toEqual([
      { text: '123456789', hash: 'cbf43926' },
      { text: '"\n', hash: crc('"\n') },
      { summary: { hashed: 2, failed: 0 } },
    ]);
  });

  it('--quiet prints nothing', () => expect(romflow(['hash', 'crc32', '--quiet', 'x'])).toEqual(done('')));
});

describe('hash --lines', () => {
  const hashInput = (input: string | Uint8Array, ...args: string[]): object =>
    romflow(['hash', 'fnv1a', '--lines', '-', ...args], { input: Buffer.from(input) });

  it('hashes lines of a file and of standard input', () => {
    const file = put(folder, 'names.txt', 'a\nfoobar\n');
    const expected = done('e40c292c  a\nbf9cf968  foobar\n');
    expect(romflow(['hash', 'fnv1a', '--lines', file])).toEqual(expected);
    expect(hashInput('a\nfoobar\n')).toEqual(expected);
  });

  it('takes off line ends and a byte order mark, and nothing else', () => {
    expect(hashInput('a\r\n\r\n\nfoobar')).toEqual(done('e40c292c  a\n811c9dc5  \n811c9dc5  \nbf9cf968  foobar\n'));
    expect(hashInput('\ufeffa\na')).toEqual(done('e40c292c  a\ne40c292c  a\n'));
    const line = `${crc(' a\r ')}   a\r \n`;
    expect(romflow(['hash', 'crc32', '--lines', '-'], { input: Buffer.from(' a\r ') })).toEqual(done(line));
    expect(hashInput('')).toEqual(done(''));
  });

  it('hashes bytes that are no UTF-8 as they are', () => {
    const args = [CLI, 'hash', 'crc32', '--lines', '-'];
    const { stdout } = spawnSync(process.execPath, args, { input: Buffer.of(0xff, 0xe9, 0x0a) });
    expect(stdout).toEqual(
      Buffer.concat([Buffer.from(`${crc(Buffer.of(0xff, 0xe9))}  `), Buffer.of(0xff, 0xe9, 0x0a)]),
    );
  });

  it('lines of many and of odd lengths, over the borders of chunks', () => {
    const lines = Array.from({ length: 4000 }, (_, i) => `${i}/${'x'.repeat((i * 7919) % 1500)}`);
    lines.push('y'.repeat(3_000_000), 'last');
    const text = lines.join('\r\n');
    expect(text.length).toBeGreaterThan(5_000_000);
    const expected = done(lines.map((line) => `${crc(line)}  ${line}\n`).join(''));
    expect(romflow(['hash', 'crc32', '--lines', put(folder, 'lines.txt', text)])).toEqual(expected);
    expect(romflow(['hash', 'crc32', '--lines', '-'], { input: Buffer.from(text) })).toEqual(expected);
  });

  it('--json', () => {
    const input = Buffer.from('123456789\n\n');
    expect(jsonLines(romflow(['hash', 'crc32', '--json', '--lines', '-'], { input }).stdout)).toEqual([
      { text: '123456789', hash: 'cbf43926' },
      { text: '', hash: '00000000' },
      { summary: { hashed: 2, failed: 0 } },
    ]);
  });

  it('a file that is not there is one line, exit 1', () => {
    const file = join(folder, 'nope');
    const expected = { status: 1, stdout: '', stderr: `romflow: ${file}: no such file or folder\n` };
    expect(romflow(['hash', 'crc32', '--lines', file])).toEqual(expected);
    expect(romflow(['hash', 'crc32', '--lines', folder]).stderr).toBe(`romflow: ${folder}: is a folder\n`);
    const [failure, summary] = jsonLines(romflow(['hash', 'crc32', '--json', '--lines', file]).stdout);
    expect(failure).toMatchObject({ file, error: { code: 'input' } });
    expect(summary).toEqual({ summary: { hashed: 0, failed: 1 } });
  });

  it.skipIf(process.platform === 'win32')('a closed pipe ends quietly', () => {
    const file = put(folder, 'lines.txt', 'some/path/or/other.bin\n'.repeat(200_000));
    const command = `"${process.execPath}" "${CLI}" hash crc32 --lines "${file}" | head -n 1`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, `${crc('some/path/or/other.bin')}  some/path/or/other.bin\n`, '']);
  });

  it.skipIf(process.platform === 'win32')('Ctrl-C ends the wait for standard input, exit 130', async () => {
    const job = spawn(process.execPath, [CLI, 'hash', 'crc32', '--lines', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    job.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = once(job, 'close');
    // Its first lines show that it listens.
    job.stdin.write('123456789\n');
    expect(String(await once(job.stdout, 'data'))).toBe('cbf43926  123456789\n');
    job.kill('SIGINT');
    expect([(await ended)[0], stderr]).toEqual([130, 'romflow: interrupted\n']);
  });
});

describe('hash --file', () => {
  it.each(['wasm', 'ts'])('hashes whole files: %s', (backend) => {
    const bytes = randomBytes(700_001, 7);
    const files = [put(folder, 'a.bin', bytes), put(folder, 'empty', '')];
    const hash = (algorithm: string): object => romflow(['hash', algorithm, '--backend', backend, '--file', ...files]);
    expect(hash('crc32')).toEqual(done(`${crc(bytes)}  ${files[0]}\n00000000  ${files[1]}\n`));
    // xxhsum -H1 of the same bytes
    expect(hash('xxh64')).toEqual(done(`7f21297ae7931794  ${files[0]}\nef46db3751d8e999  ${files[1]}\n`));
  });

  it('walks folders, and goes into archives', () => {
    const archive = put(folder, 'A/x.sarc', writeSarc([{ name: 'B/c.txt', data: Buffer.from('foobar') }]));
    const other = put(folder, 'other.bin', 'a');
    const paths = [join(folder, 'A'), `${archive}/B/c.txt`, other];
    const { length: size } = readFileSync(archive);
    expect(jsonLines(romflow(['hash', 'crc32', '--json', '--file', ...paths]).stdout)).toEqual([
      { path: archive, size, hash: crc(readFileSync(archive)) },
      { path: `${archive}/B/c.txt`, size: 6, hash: crc('foobar') },
      { path: other, size: 1, hash: crc('a') },
      { summary: { files: 3, hashed: 3, failed: 0, bytesIn: 2 * size + 1, seconds: expect.any(Number) as number } },
    ]);
  });

  it.each(['crc32', 'fnv1a'])('takes files as they lie there, compressed or not: %s', (algorithm) => {
    const pack = join(putDump(folder), 'Pack/Title.pack.zs');
    // Without --recursive entries are written as they lie in the archive.
    expect(romflow(['extract', pack, '-o', join(folder, 'out')]).status).toBe(0);
    const extracted = filesBelow(join(folder, 'out'));
    expect(extracted.length).toBeGreaterThan(1);
    const hashesOf = (paths: string[]): string[] =>
      romflow(['hash', algorithm, '--file', ...paths])
        .stdout.replace(/ .*/g, '')
        .split('\n');
    const inside = extracted.map((path) => `${dirname(pack)}/${path}`);
    expect(hashesOf(inside)).toEqual(hashesOf(extracted.map((path) => join(folder, 'out', path))));
    const whole = romflow(['hash', 'crc32', '--file', pack]).stdout;
    expect(whole).toBe(`${crc(readFileSync(pack))}  ${pack}\n`);
  });

  it('--match keeps what matches', () => {
    for (const name of ['a.bin', 'b.txt', 'C/d.bin']) put(folder, `in/${name}`, name);
    const { stdout } = romflow(['hash', 'crc32', '--file', join(folder, 'in'), '--match', '*.bin']);
    expect(stdout).toBe(['C/d.bin', 'a.bin'].map((name) => `${crc(name)}  ${join(folder, 'in', name)}\n`).join(''));
  });

  it('standard input is called stdin', () => {
    const input = Buffer.from('123456789');
    expect(romflow(['hash', 'crc32', '--file', '-'], { input })).toEqual(done('cbf43926  stdin\n'));
  });

  it('goes on after a file that cannot be read, exit 1', () => {
    const file = put(folder, 'a', '123456789');
    mkdirSync(join(folder, 'empty'));
    const missing = join(folder, 'nope');
    expect(romflow(['hash', 'crc32', '--file', missing, join(folder, 'empty'), file])).toEqual({
      status: 1,
      stdout: `cbf43926  ${file}\n`,
      stderr: `romflow: ${missing}: no such file or folder\n`,
    });
  });
});
