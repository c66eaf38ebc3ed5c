import type { Value } from './connection.ts'

/** Returns what an UPDATE assigns for the fields of a patch: `column = ?` for each, and the values. */
export function assignments<Patch extends object>(
  columns: Readonly<Record<keyof Patch, string>>,
  patch: Patch,
): { readonly sets: readonly string[]; readonly values: readonly Value[] } {
  const changed = (Object.keys(columns) as (keyof Patch)[]).filter(
    (field) => patch[field] !== undefined,
  )
  return {
    sets: changed.map((field) => `${columns[field]} = ?`),
    values: changed.map((field) => valueOf(patch[field])),
  }
}

/** Booleans are numbers, objects JSON. */
function valueOf(value: unknown): Value {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
}
