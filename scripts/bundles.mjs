// What esbuild makes of the sources: entry points by the name of their bundle in dist/, and the options.
// The layering test bundles the same browser entries.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const define = { ROMFLOW_VERSION: JSON.stringify(version) };

/** Bundles for Node. `index` and `component/kernels` run anywhere. */
export const NODE_ENTRIES = {
  index: 'ts/index.ts',
  'component/kernels': 'ts/component/index.ts',
  pipeline: 'pipeline/node.ts',
  cli: 'pipeline/cli/main.ts',
  worker: 'pipeline/node/worker.ts',
  bench: 'bench/short.ts',
};

/** Their counterparts for browsers, which share chunks (and so classes and the embedded wasm) with each other. */
export const BROWSER_ENTRIES = {
  'index.browser': 'ts/index.ts',
  'component/kernels.browser': 'ts/component/index.ts',
  'pipeline.browser': 'pipeline/index.ts',
};

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  // Beside the entries, so that what lies beside an entry is found from its chunks in the same way.
  chunkNames: 'chunk-[hash]',
  metafile: true,
  define,
  logLevel: 'warning',
};

/** @returns {import('esbuild').BuildOptions} */
export function nodeBundles(entryPoints = NODE_ENTRIES) {
  return { ...common, entryPoints, platform: 'node', packages: 'external' };
}

/** Gives the stream packages, and nothing else, a `process`: our own sources must do without Node's globals. */
const streamProcess = {
  name: 'process for streams',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/(readable-stream|stream-browserify)\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: `const process = require(${JSON.stringify(`${root}scripts/shims/process.cjs`)});\n${text}` };
    });
  },
};

/** @returns {import('esbuild').BuildOptions} */
export function browserBundles(entryPoints = BROWSER_ENTRIES) {
  return {
    ...common,
    entryPoints,
    platform: 'browser',
    alias: { stream: 'stream-browserify', 'node:stream': 'stream-browserify', 'node:buffer': 'buffer' },
    define: { ...define, global: 'globalThis' },
    plugins: [streamProcess],
  };
}
