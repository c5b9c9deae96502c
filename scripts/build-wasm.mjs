// Compiles asm/ to one wasm module and embeds it: dist/kernels.wasm and ts/kernels/wasm.generated.ts.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import ComponentExports from './component-exports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function buildWasm() {
  await mkdir(`${root}dist`, { recursive: true });
  const { error, stderr } = await asc.main(['asm/index.ts', '--baseDir', root, '--outFile', 'dist/kernels.wasm'], {
    transforms: [ComponentExports],
  });
  const messages = Buffer.from(stderr.toBuffer()).toString();
  // A value that silently loses width (AS201) is an error here.
  if (error || /\bAS201\b|ERROR/.test(messages)) throw new Error(messages || String(error));
  if (messages) process.stderr.write(messages);
  const wasm = await readFile(`${root}dist/kernels.wasm`);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  if (imports.length) throw new Error(`the module must have no imports: ${JSON.stringify(imports)}`);
  const lines = wasm.toString('base64').replace(/.{1,100}/g, "  '$&' +\n");
  await writeFile(
    `${root}ts/kernels/wasm.generated.ts`,
    `// Made by scripts/build-wasm.mjs from asm/.\n` +
      `export const WASM_SIZE = ${wasm.length};\n` +
      `export const WASM_SHA256 = '${createHash('sha256').update(wasm).digest('hex')}';\n` +
      `export const WASM_BASE64 =\n${lines}  '';\n`,
  );
  return wasm.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(`kernels.wasm: ${await buildWasm()} bytes`);
