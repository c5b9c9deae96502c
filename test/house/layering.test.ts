import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildFailure, type BuildOptions, type BuildResult } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { BROWSER_ENTRIES, browserBundles } from '../../scripts/bundles.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The layers, lowest first; each may import itself and those before it. */
const LAYERS = ['asm', 'ts', 'pipeline'];

/** Packages that the shims bring into the browser bundles. */
const BROWSER_PACKAGES =
  /^(base64-js|buffer|events|ieee754|inherits|readable-stream|safe-buffer|stream-browserify|string_decoder|util-deprecate)$/;

/** What Node has in every module and browsers have not. */
const NODE_GLOBALS = ['process', 'Buffer', 'setImmediate', '__dirname', '__filename'];

/** What of a browser bundle only Node has; empty when all is well. `input` is as for esbuild. */
async function nodeOnly(input: BuildOptions): Promise<{ problems: string[]; inputs: string[] }> {
  const options = { ...browserBundles({}), ...input, write: false, logLevel: 'silent', metafile: true } as const;
  // esbuild replaces only names that nothing in the bundle defines.
  const define = { ...options.define, ...Object.fromEntries(NODE_GLOBALS.map((name) => [name, `FREE_${name}`])) };
  let result: BuildResult<typeof options>;
  try {
    result = await build({ ...options, define });
  } catch (error) {
    // esbuild itself cannot resolve Node's modules for browsers.
    return { problems: (error as BuildFailure).errors.map(({ text }) => text), inputs: [] };
  }
  const outputs = Object.values(result.metafile.outputs);
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const external = outputs
    .flatMap(({ imports }) => imports)
    .filter((edge) => edge.external)
    .map(({ path }) => `external ${path}`);
  const packages = inputs
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
    .filter((name) => name !== undefined && !BROWSER_PACKAGES.test(name))
    .map((name) => `package ${name}`);
  const globals = result.outputFiles
    .flatMap(({ text }) => [...text.matchAll(/\bFREE_(\w+)/g)])
    .map(([, name]) => `global ${name}`);
  return { problems: [...new Set([...external, ...packages, ...globals])], inputs };
}

/** The module specifiers in a source text: imports and exports from, dynamic imports, and workers by URL. */
function specifiers(text: string): string[] {
  const pattern =
    /(?:^|[;\s}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+)['"]/g;
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** Imports of `path` that point out of its layer and the layers below. */
function wrongWay(path: string, text: string): string[] {
  const layer = LAYERS.indexOf(path.split('/', 1)[0] ?? '');
  return specifiers(text)
    .filter((specifier) => {
      if (specifier.startsWith('.')) {
        const target = posix.join(posix.dirname(path), specifier).split('/', 1)[0] ?? '';
        return !LAYERS.slice(0, layer + 1).includes(target);
      }
      // Below the pipeline there is neither Node nor a package.
      return layer < 2 && (isBuiltin(specifier) || !specifier.startsWith('.'));
    })
    .map((specifier) => `${path} imports ${specifier}`);
}

function sources(layer: string): string[] {
  return readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(layer, path.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/'));
}

describe('browser entries', () => {
  it.each(Object.entries(BROWSER_ENTRIES))('%s reaches nothing that only Node has', async (name, path) => {
    const { problems, inputs } = await nodeOnly({ entryPoints: { [name]: path } });
    expect(problems).toEqual([]);
    expect(inputs).toContain(path);
  });

  it('the formats and kernels need no shim of Node', async () => {
    const { inputs } = await nodeOnly({ entryPoints: { index: 'ts/index.ts', component: 'ts/component/index.ts' } });
    expect(inputs.filter((path) => !path.startsWith('ts/'))).toEqual([]);
  });

  it.each([
    ["import { readFileSync } from 'node:fs'; readFileSync('x');", 'node:fs'],
    ["export const fs = import('node:fs').catch(() => undefined);", 'node:fs'],
    ["export { Worker } from 'worker_threads';", 'worker_threads'],
    ["export { Command } from 'commander';", 'node:'],
    ["export const bytes = Buffer.from('x');", 'global Buffer'],
    ['export const { platform } = process;', 'global process'],
  ])('would be refused: %s', async (contents, problem) => {
    const { problems } = await nodeOnly({ stdin: { contents, resolveDir: root } });
    expect(problems.join('\n')).toContain(problem);
  });
});

describe('imports', () => {
  it.each(LAYERS)('of %s point down', (layer) => {
    const paths = sources(layer);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.flatMap((path) => wrongWay(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  it.each([
    ['ts/io/reader.ts', "import { x } from '../../pipeline/index.ts';"],
    ['ts/io/reader.ts', "import type { x } from '../../test/support/random.ts';"],
    ['ts/io/reader.ts', "import {\n  x,\n} from 'node:fs';"],
    ['ts/io/reader.ts', "export * from '#stream';"],
    ['ts/io/reader.ts', "const { x } = await import('../../pipeline/index.ts');"],
    ['asm/hash/crc32.ts', "import '../../ts/index';"],
    ['asm/hash/crc32.ts', "export { x } from '../../ts/index';"],
    ['pipeline/index.ts', "import { x } from '../scripts/bundles.mjs';"],
    ['pipeline/index.ts', "new Worker(new URL('../test/worker.ts', import.meta.url));"],
  ])('would be refused: %s with %s', (path, text) => {
    expect(wrongWay(path, text)).toHaveLength(1);
  });

  it('are allowed downwards', () => {
    expect(
      wrongWay('pipeline/stages/a.ts', "import { x } from '../../ts/index.ts';\nimport fs from 'node:fs';"),
    ).toEqual([]);
    expect(wrongWay('ts/formats/a.ts', "import { x } from '../io/reader.ts';")).toEqual([]);
  });
});
