// An asc transform that gives the exports of asm/component.ts the names that the canonical ABI asks for:
// `hash$crc32` becomes `romflow:kernels/hash@0.1.0#crc32`, and `post$bc$decode` the `cabi_post_` of `bc#decode`.
import { readFileSync } from 'node:fs';
import { Transform } from 'assemblyscript/transform';

const WIT = new URL('../asm/wit/kernels.wit', import.meta.url);

/** Every function of the WIT: `interface$function_name` (as AssemblyScript can spell it) to its canonical name. */
function witFunctions() {
  const text = readFileSync(WIT, 'utf8').replace(/\/\/.*/g, '');
  const [, name, version] = /^package ([\w:-]+)@([\w.]+);/m.exec(text);
  const functions = new Map();
  for (const [, face, body] of text.matchAll(/^interface ([\w-]+) \{(.*?)^\}/gms)) {
    for (const [, func] of body.matchAll(/^ +([\w-]+): func\(/gm)) {
      functions.set(`${face}$${func}`.replaceAll('-', '_'), `${name}/${face}@${version}#${func}`);
    }
  }
  return functions;
}

export default class ComponentExports extends Transform {
  /** Runs on the binaryen module before it is optimised. */
  afterCompile(module) {
    const functions = witFunctions();
    const exports = [];
    for (let i = 0; i < module.getNumExports(); i++) {
      exports.push(this.binaryen.getExportInfo(module.getExportByIndex(i)));
    }
    for (const { name, value } of exports.filter((e) => e.name.includes('$'))) {
      const post = name.startsWith('post$');
      const witName = functions.get(post ? name.slice('post$'.length) : name);
      if (!witName) throw new Error(`asm/component.ts exports ${name}, which is no function of kernels.wit`);
      module.removeExport(name);
      module.addFunctionExport(value, post ? `cabi_post_${witName}` : witName);
    }
    const missing = [...functions.keys()].filter((name) => !exports.some((e) => e.name === name));
    if (missing.length) throw new Error(`asm/component.ts lacks functions of kernels.wit: ${missing.join(', ')}`);
  }
}
