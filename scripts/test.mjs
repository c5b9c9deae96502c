// npm test [-- FILTERS AND OPTIONS OF VITEST]: builds and runs the tests; the results also go to dist/.cache/tests.json.
import { rmSync } from 'node:fs';
import { build } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { install } from './install.mjs';
import { node, root, script } from './process.mjs';

const REPORT = 'dist/.cache/tests.json';

await script(async () => {
  install();
  await build();
  rmSync(root + REPORT, { force: true });
  const status = node(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...process.argv.slice(2),
  );
  if (!findChromium()) console.log('The browser tests did NOT run: no Chromium was found (CHROMIUM can name one).');
  return status;
});
