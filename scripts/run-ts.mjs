// node scripts/run-ts.mjs FILE [ARGS]: bundles a TypeScript file and runs it in this process.
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Lets a bundled module find the files beside its source. */
const keepModuleUrl = {
  name: 'import.meta.url',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', url) };
    });
  },
};

/** The node_modules that `file` finds its packages in, for the bundle to find the same. */
function nodeModules(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules'))) return join(folder, 'node_modules');
    if (folder === dirname(folder)) throw new Error(`no node_modules above ${file}`);
  }
}

/** Bundles `source`, packages left out, and gives the path of the bundle. */
async function bundleTs(source) {
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const outfile = join(nodeModules(source), '.cache/romflow', `${basename(source, '.ts')}-${digest}.mjs`);
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [keepModuleUrl],
  });
  return outfile;
}

const [node, , file, ...args] = process.argv;
if (!file || !existsSync(file)) {
  console.error(file ? `no such file: ${file}` : 'usage: node scripts/run-ts.mjs FILE [ARGS]');
  process.exit(2);
}
const source = realpathSync(resolve(file));
const bundle = await bundleTs(source);
process.argv = [node, source, ...args];
process.setSourceMapsEnabled(true);
await import(pathToFileURL(bundle).href);
