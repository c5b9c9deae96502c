// npm run check: lint, format and types. Needs a build, for the generated sources.
import { build } from './build.mjs';
import { install } from './install.mjs';
import { node, script } from './process.mjs';

const CHECKS = [
  ['oxlint', 'node_modules/oxlint/bin/oxlint'],
  ['oxfmt', 'node_modules/oxfmt/bin/oxfmt', '--check'],
  ['tsc', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
  ['tsc (asm)', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'asm'],
];

await script(async () => {
  install();
  await build();
  const failed = CHECKS.filter(([, ...args]) => node(...args)).map(([name]) => name);
  if (failed.length) throw new Error(`failed: ${failed.join(', ')}`);
});
