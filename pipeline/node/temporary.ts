import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { quietly } from './staging.ts';

/**
 * Temporary folders of runs, `tmp-PLACE-PID-START-RANDOM`: where the process is, which it is, and since when, so that no
 * other is taken for it. Containers have hosts and process ids of their own, and in each the first process has id 1.
 */
const NAME = /^tmp-([\da-f]{8})-(\d+)-(\d*)-/;
const PREFIX = 'tmp-';
const PLACE = createHash('sha256').update(`${hostname()}\0${processNamespace()}`).digest('hex').slice(0, 8);
const OURS = `${PREFIX}${PLACE}-${process.pid}-${startOf(process.pid)}-`;

/** How often a run shows that it is there, in milliseconds. */
const TOUCH_INTERVAL = 10_000;
/** A run elsewhere, whose process cannot be asked for, writes no more when it shows nothing for so long... */
const LONGEST_PAUSE = 6 * TOUCH_INTERVAL;
/** ...and never will after so long: machines may sleep, and their clocks differ. */
const LONGEST_ABSENCE = 3_600_000;

/** A name for a temporary folder of this process, which no other has or can guess. */
export function temporaryName(): string {
  return OURS + randomUUID();
}

/** Shows those elsewhere that a temporary folder is in use, until the timer is stopped; it keeps no process alive. */
export function keepTouching(folder: string): NodeJS.Timeout {
  const touch = (): void => quietly(() => utimesSync(folder, new Date(), new Date()));
  return setInterval(touch, TOUCH_INTERVAL).unref();
}

/** The temporary folders in a folder, but for this process's own: of runs that write to it, and of those that are gone. */
export function temporaryFolders(parent: string): { used: string[]; left: string[] } {
  const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX) && !name.startsWith(OURS));
  const silences = names.map((name) => silenceOf(join(parent, name), name));
  return {
    used: names.filter((_, i) => silences[i]! < LONGEST_PAUSE),
    left: names.filter((_, i) => silences[i]! > LONGEST_ABSENCE),
  };
}

/** Removes temporary folders. Never throws. */
export function removeTemporary(parent: string, names: string[]): void {
  for (const name of names) quietly(() => rmSync(join(parent, name), { recursive: true, force: true }));
}

/** For how long the run that made a folder has shown nothing: not at all while its process is seen, else for ever. */
function silenceOf(folder: string, name: string): number {
  const [, place, pid, start] = NAME.exec(name) ?? [];
  if (place === PLACE) return isRunning(Number(pid), start!) ? 0 : Infinity;
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats ? Date.now() - stats.mtimeMs : Infinity;
}

/** Whether there is a process of this id that began then, as far as that can be told. */
function isRunning(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const found = startOf(pid);
  return !start || !found || start === found;
}

/** When a process began, in ticks since the system did; empty where only the system's own tools tell. */
function startOf(pid: number): string {
  try {
    // The name of the program comes before, in parentheses, and may hold anything.
    return /.*\) (?:\S+ ){19}(\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
