/**
 * npm run fuzz -- [--kernel K] [--format F] [--target T] [--minutes N | --count N] [--seed S] [--only N] [--json]:
 * mutates inputs of every kernel and format and looks for what must not be. Prints a line per target; a finding is
 * told on standard error, and its input is written to out/fuzz/.
 */
import { parseArgs } from 'node:util';
import { fuzz } from './engine.ts';
import { TARGETS } from './targets.ts';

const DEFAULT_COUNT = 20_000;

const { values } = parseArgs({
  options: {
    kernel: { type: 'string' },
    format: { type: 'string' },
    target: { type: 'string' },
    minutes: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

function usage(message: string): never {
  console.error(`fuzz: ${message}`);
  process.exit(2);
}

function whole(name: 'seed' | 'count' | 'only'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) usage(`--${name} is ${text}: a whole number of at most 9 digits is needed`);
  return Number(text);
}

const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
if (minutes !== undefined && !(minutes > 0)) usage(`--minutes is ${values.minutes}: a number above 0 is needed`);

const { kernel, format, target } = values;
const targets = TARGETS.filter(
  (one) =>
    (kernel === undefined && format === undefined && target === undefined) ||
    (kernel !== undefined && one.kernel?.startsWith(kernel)) ||
    (format !== undefined && one.format === format) ||
    one.name === target,
);
if (!targets.length) usage(`no such target (there are ${TARGETS.map((one) => one.name).join(', ')})`);

const only = whole('only');
if (only !== undefined && targets.length !== 1) usage('--only needs the --target that it is of');
const seconds = minutes === undefined ? undefined : (60 * minutes) / targets.length;
const count = whole('count') ?? (minutes === undefined ? DEFAULT_COUNT : 999_999_999);

for (const one of targets) {
  const result = await fuzz(one, { seed: whole('seed')!, count, only, ...(seconds && { seconds }) });
  const { target: name, mutations, outcomes } = result;
  const rate = Math.round(mutations / result.seconds);
  if (only !== undefined) console.log(`input: out/fuzz/${name}-${values.seed}-${only}.bin`);
  if (values.json) console.log(JSON.stringify(result));
  else console.log(`${name.padEnd(28)} ${mutations} mutations, ${outcomes} outcomes, ${rate}/s`);
  for (const finding of result.findings) console.error(finding);
  if (result.findings.length) process.exitCode = 1;
}
