// Builds everything into dist/. A step whose inputs have not changed since it last succeeded is skipped.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { node, root, script } from './process.mjs';

const STATE = `${root}dist/.cache/build.json`;

/** Steps in order: `inputs` and `outputs` are files or folders. Every step also depends on the lockfile. */
const STEPS = [
  {
    name: 'wasm',
    inputs: ['asm', 'asconfig.json', 'scripts/build-wasm.mjs', 'scripts/component-exports.mjs'],
    outputs: ['dist/kernels.wasm', 'ts/kernels/wasm.generated.ts'],
    run: async () => (await import('./build-wasm.mjs')).buildWasm(),
  },
  {
    name: 'component',
    inputs: ['dist/kernels.wasm', 'asm/wit', 'scripts/build-component.mjs'],
    outputs: ['dist/kernels.component.wasm', 'ts/component/generated/kernels.js'],
    run: async () => (await import('./build-component.mjs')).buildComponent(),
  },
  {
    name: 'bundles',
    inputs: [
      'ts',
      'pipeline',
      'bench/short.ts',
      'bench/kernels',
      'scripts/sample',
      'test/support',
      'package.json',
      'scripts/build.mjs',
      'scripts/bundles.mjs',
      'scripts/shims',
    ],
    outputs: [
      'dist/index.js',
      'dist/pipeline.js',
      'dist/pipeline.browser.js',
      'dist/cli.js',
      'dist/worker.js',
      'dist/bench.js',
      'dist/component/kernels.js',
    ],
    run: bundle,
  },
  {
    name: 'types',
    inputs: ['ts', 'pipeline', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'],
    outputs: ['dist/types/ts/index.d.ts', 'dist/types/pipeline/node.d.ts'],
    run: declarations,
  },
];

/** Runs the steps that are out of date. */
export async function build() {
  const state = existsSync(STATE) ? JSON.parse(await readFile(STATE, 'utf8')) : {};
  await mkdir(`${root}dist/.cache`, { recursive: true });
  for (const { name, inputs, outputs, run } of STEPS) {
    const hash = createHash('sha256');
    for (const input of [...inputs, 'package-lock.json']) await hashTree(hash, input);
    const digest = hash.digest('hex');
    if (state[name] === digest && outputs.every((path) => existsSync(root + path))) continue;
    const started = performance.now();
    await run();
    state[name] = digest;
    await writeFile(STATE, JSON.stringify(state, null, 2));
    console.log(`built ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}

async function hashTree(hash, path) {
  const info = await stat(root + path).catch(() => undefined);
  if (info?.isDirectory()) {
    for (const name of (await readdir(root + path)).toSorted()) await hashTree(hash, `${path}/${name}`);
  } else {
    hash.update(`${path}\0`).update(info ? await readFile(root + path) : 'missing');
  }
}

async function bundle() {
  const [{ build: esbuild }, bundles] = await Promise.all([import('esbuild'), import('./bundles.mjs')]);
  const entries = [...Object.values(bundles.NODE_ENTRIES), ...Object.values(bundles.BROWSER_ENTRIES)];
  const missing = new Set(entries.filter((path) => !existsSync(root + path)));
  if (missing.size) throw new Error(`entry points are missing: ${[...missing].join(', ')} (see scripts/bundles.mjs)`);
  for (const name of await readdir(`${root}dist`)) if (/^chunk-.*\.js$/.test(name)) await rm(`${root}dist/${name}`);
  await esbuild(bundles.nodeBundles());
  const { metafile } = await esbuild(bundles.browserBundles());
  await writeFile(`${root}dist/THIRD-PARTY-LICENSES.txt`, await licenses(Object.keys(metafile.inputs)));

  const cli = await readFile(`${root}dist/cli.js`, 'utf8');
  if (!cli.startsWith('#!')) await writeFile(`${root}dist/cli.js`, `#!/usr/bin/env node\n${cli}`);
  await chmod(`${root}dist/cli.js`, 0o755);
}

/** The licenses of the packages that the browser bundles hold. */
async function licenses(inputs) {
  const packages = new Set(inputs.map((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean));
  const texts = await Promise.all(
    [...packages].toSorted().map(async (path) => {
      const { name, version, license } = JSON.parse(await readFile(`${root}${path}/package.json`, 'utf8'));
      const file = (await readdir(root + path)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? (await readFile(`${root}${path}/${file}`, 'utf8')).trim() : `License: ${license}`;
      return `${name} ${version}\n\n${text}\n`;
    }),
  );
  return `The browser bundles of romflow contain these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

async function declarations() {
  await rm(`${root}dist/types`, { recursive: true, force: true });
  if (node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')) {
    throw new Error('tsc could not write the declarations');
  }
  // tsc does not copy declarations that are sources themselves.
  await cp(`${root}ts/component/generated`, `${root}dist/types/ts/component/generated`, {
    recursive: true,
    filter: (path) => !path.endsWith('.js'),
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await script(build);
