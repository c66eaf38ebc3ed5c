import type { Value } from './connection.ts'

/** A condition that each word of a query is in one of the columns, letter by letter; always true for an empty query. */
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
