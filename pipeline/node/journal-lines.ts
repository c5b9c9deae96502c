import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Longest line that is written or read, in bytes: many times what names of real files come to. */
export const LONGEST_LINE = 64 * 1024;
const CHUNK_SIZE = 1024 * 1024;
const NEWLINE = 10;
const SUM = /,"sum":"[\da-f]{8}"\}$/;
const SUM_LENGTH = ',"sum":"00000000"}'.length;

/** A line of a file, and where it is. */
export interface Line {
  text: string;
  start: number;
  /** behind the newline */
  end: number;
}

/** A record as JSON that ends with its own checksum; undefined when no line is that long. */
export function lineOf(record: object): string | undefined {
  const json = JSON.stringify(record);
  const line = `${json.slice(0, -1)},"sum":"${sumOf(json)}"}`;
  return Buffer.byteLength(line) > LONGEST_LINE ? undefined : line;
}

/** The record in a line; undefined when it is none, or was damaged. */
export function recordOf(text: string): unknown {
  if (!SUM.test(text.slice(-SUM_LENGTH))) return undefined;
  const json = `${text.slice(0, -SUM_LENGTH)}}`;
  if (!text.endsWith(`"${sumOf(json)}"}`)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function sumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

/** The lines of an open file from one place to another, but for those that are too long or have no end. */
export function* linesOf(file: number, from = 0, to = Infinity): Generator<Line, void, void> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_SIZE, to - from));
  let offset = from;
  let filled = 0;
  let isTooLong = false;
  for (;;) {
    const wanted = Math.min(buffer.length, to - offset) - filled;
    const count = wanted > 0 ? readSync(file, buffer, filled, wanted, offset + filled) : 0;
    if (count === 0) return;
    filled += count;
    let at = 0;
    for (;;) {
      const newline = buffer.subarray(0, filled).indexOf(NEWLINE, at);
      if (newline < 0) break;
      const fits = !isTooLong && newline - at <= LONGEST_LINE;
      if (fits) yield { text: buffer.toString('utf8', at, newline), start: offset + at, end: offset + newline + 1 };
      isTooLong = false;
      at = newline + 1;
    }
    if (filled - at > LONGEST_LINE) {
      isTooLong = true;
      at = filled;
    }
    buffer.copyWithin(0, at, filled);
    offset += at;
    filled -= at;
  }
}
