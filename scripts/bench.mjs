// npm run bench [-- --json OUT.json --only KERNEL,...]: builds and measures; see bench/README.md.
import { build } from './build.mjs';
import { install } from './install.mjs';
import { node, script } from './process.mjs';

await script(async () => {
  install();
  install('bench/');
  await build();
  return node('scripts/run-ts.mjs', 'bench/main.ts', ...process.argv.slice(2));
});
