// Makes the WebAssembly component out of dist/kernels.wasm: dist/kernels.component.wasm for any component host, and
// ts/component/generated/ (jco's JavaScript for it, and the types of the WIT) for `romflow/component`.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { componentEmbed, componentNew, transpile, types } from '@bytecodealliance/jco';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = `${root}ts/component/generated/`;

async function write(path, bytes) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

export async function buildComponent() {
  const wit = `${root}asm/wit/kernels.wit`;
  const binary = await readFile(`${root}dist/kernels.wasm`);
  const embedded = await componentEmbed({ binary, witSource: await readFile(wit, 'utf8'), world: 'kernels' });
  const component = await componentNew(embedded, []);
  await write(`${root}dist/kernels.component.wasm`, component);
  await rm(generated, { recursive: true, force: true });

  const instantiation = { tag: 'sync' }; // no fetch, no node:fs: the caller hands in the compiled core module
  const { files } = await transpile(component, { name: 'kernels', instantiation, nodejsCompat: false });
  const entries = Object.fromEntries(Array.isArray(files) ? files : Object.entries(files));
  const cores = Object.keys(entries).filter((name) => name.endsWith('.wasm'));
  if (cores.length !== 1) throw new Error(`the component should hold one core module, not ${cores.join(', ')}`);
  await write(`${generated}kernels.js`, entries['kernels.js']);

  // The types of the WIT itself, which keep its comments; those of the transpiled component do not.
  const declarations = await types(wit, { name: 'kernels', worldName: 'kernels', instantiation });
  for (const [name, bytes] of Object.entries(declarations)) await write(generated + name, bytes);
  return component.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`kernels.component.wasm: ${await buildComponent()} bytes`);
}
