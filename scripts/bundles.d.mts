import type { BuildOptions } from 'esbuild';

export const NODE_ENTRIES: Record<string, string>;
export const BROWSER_ENTRIES: Record<string, string>;
export function nodeBundles(entryPoints?: Record<string, string>): BuildOptions;
export function browserBundles(entryPoints?: Record<string, string>): BuildOptions;
