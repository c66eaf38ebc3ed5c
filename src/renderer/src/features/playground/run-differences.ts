/** A place at which two values differ; what is missing on a side is undefined. */
export interface Difference {
  /** Names and places from the whole down, for example `results[0].index`; empty for the whole. */
  readonly path: string
  readonly one: unknown
  readonly other: unknown
}

/** Differences that are told; two runs that share nothing have no use for more. */
export const maxDifferences = 200

/** Where two JSON values differ, at the deepest places, {@link maxDifferences} at most; order of fields does not matter. */
export function differences(one: unknown, other: unknown): readonly Difference[] {
  const found: Difference[] = []
  walk(one, other, '', found)
  return found
}

function walk(one: unknown, other: unknown, path: string, found: Difference[]): void {
  if (found.length >= maxDifferences || Object.is(one, other)) return
  if (Array.isArray(one) && Array.isArray(other)) {
    for (let i = 0; i < Math.max(one.length, other.length); i++)
      walk(one[i], other[i], `${path}[${i}]`, found)
    return
  }
  if (isFields(one) && isFields(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
      walk(one[name], other[name], path === '' ? name : `${path}.${name}`, found)
    return
  }
  found.push({ path, one, other })
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
