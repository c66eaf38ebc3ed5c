import type { Value } from './connection.ts'

/**
 * Returns a condition that each word of a query occurs literally in one of the columns; always true for an empty query.
 */
export function fits(
  query: string,
  columns: readonly string[],
): { readonly sql: string; readonly values: readonly Value[] } {
  const words = query.split(/\s+/).filter((word) => word !== '')
  const one = `(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`
  return {
    sql: words.length === 0 ? '1' : words.map(() => one).join(' AND '),
    values: words.flatMap((word) => {
      const like = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
      return columns.map(() => like)
    }),
  }
}
