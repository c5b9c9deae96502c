// npm start: builds romflow, makes the sample dump and extracts its textures.
import { build } from './build.mjs';
import { install } from './install.mjs';
import { node, script } from './process.mjs';

const SAMPLE = 'out/sample';
const TEXTURES = 'out/textures';

await script(async () => {
  install();
  await build();
  const status =
    node('scripts/run-ts.mjs', 'scripts/make-sample.ts', SAMPLE) ||
    node('dist/cli.js', 'textures', SAMPLE, '-o', TEXTURES, '--overwrite', '--contact-sheet');
  if (status) return status;
  console.log(`\nThe textures of the sample dump (${SAMPLE}/) are in ${TEXTURES}/, all on contact-sheet.png there.`);
  console.log('For a dump of your own: npx romflow textures PATH -o FOLDER');
  return 0;
});
