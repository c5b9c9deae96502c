// npm run fuzz [-- OPTIONS]: builds and fuzzes; fuzz/main.ts says with which options.
import { build } from './build.mjs';
import { install } from './install.mjs';
import { node, script } from './process.mjs';

await script(async () => {
  install();
  await build();
  return node('scripts/run-ts.mjs', 'fuzz/main.ts', ...process.argv.slice(2));
});
