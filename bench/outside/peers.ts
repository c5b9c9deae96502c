import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A package that is measured against; undefined where it is not installed, which is said once. */
export async function peer<T>(name: string): Promise<T | undefined> {
  try {
    require.resolve(name);
  } catch {
    if (!missing.has(name)) console.warn(`bench: ${name} is not installed and left out`);
    missing.add(name);
    return undefined;
  }
  return (await import(name)) as T;
}

const missing = new Set<string>();
