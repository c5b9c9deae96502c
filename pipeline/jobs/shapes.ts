import { isSafePath } from '../output/names.ts';

/** What results that an earlier run kept must have, by kind: types of their fields. */
export type ResultShapes = Readonly<Record<string, Readonly<Record<string, 'string' | 'number' | 'boolean'>>>>;

/** The shapes of a type of results: every field that they cannot be without. */
export type ShapesOf<R extends { kind: string }> = { readonly [K in R['kind']]: ShapeOf<Extract<R, { kind: K }>> };
type ShapeOf<T> = { readonly [K in RequiredOf<T>]: NameOf<T[K]> };
type RequiredOf<T> = Exclude<{ [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T], 'kind'>;
type NameOf<T> = T extends string ? 'string' : T extends number ? 'number' : 'boolean';

const SKIPPED: ResultShapes = { skipped: { type: 'string' } };

/** Whether something that may come from anywhere is a result with one of the shapes, and its paths lead nowhere else. */
export function isResult(value: object, shapes: ResultShapes): boolean {
  const fields = value as Record<string, unknown>;
  const { kind, wanted, placed, sameAs } = fields;
  const all = { ...shapes, ...SKIPPED };
  if (typeof kind !== 'string' || !Object.hasOwn(all, kind)) return false;
  // Files without names are of the run that made them.
  if (Object.hasOwn(fields, 'staged')) return false;
  return (
    Object.entries(all[kind]!).every(([name, type]) => isOfType(fields[name], type)) &&
    [wanted, placed, sameAs].every((path) => path === undefined || isSafePath(path))
  );
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'number' ? Number.isSafeInteger(value) && (value as number) >= 0 : typeof value === type;
}
