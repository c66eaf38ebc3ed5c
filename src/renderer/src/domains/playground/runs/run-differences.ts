/** A path at which two values differ; a value missing on one side is undefined. */
export interface Difference {
  /** Names and indexes from the root down, for example `results[0].index`; empty for the root. */
  readonly path: string
  readonly one: unknown
  readonly other: unknown
}

/** Maximum number of reported differences; more are of no use for two runs that have nothing in common. */
export const maxDifferences = 200

/** Returns the deepest paths where two JSON values differ, {@link maxDifferences} at most; field order does not matter. */
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
