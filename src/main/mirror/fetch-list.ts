import type { ServiceTarget } from '../provider-client/types.ts'
import type { Fetch } from './mirror.ts'

/** Number of rows requested at a time. */
const pageSize = 100
/** Maximum number of pages of a list, in case a provider never ends it. */
const maxPages = 500
/** Number of rows after which no further page is requested: they are stored in one step. */
const maxRows = 20_000

/**
 * Fetches every page of a list. `whole` is false if rows were missed: the list changed while it was read, or did not
 * end. Throws the failure of a page after passing the rows received before it to `partly`.
 */
export async function everyPage<T extends { readonly id: string }>(
  size: number,
  ask: (page: number) => Promise<{ readonly rows: readonly T[]; readonly total: number }>,
  partly: (rows: readonly T[]) => void,
): Promise<{ readonly rows: readonly T[]; readonly whole: boolean }> {
  const found = new Map<string, T>()
  let total = 0
  try {
    for (let page = 1; page <= maxPages; page++) {
      const answer = await ask(page)
      const before = found.size
      for (const row of answer.rows) if (row.id !== '') found.set(row.id, row)
      total = answer.total
      // A provider that ignores pagination returns the first page again and again.
      if (found.size === before || found.size >= maxRows) break
      // Pages may be shorter than requested, and a missing total is read as the length of the page.
      if (found.size >= total && answer.rows.length < size) break
    }
  } catch (error) {
    partly([...found.values()])
    throw error
  }
  return { rows: [...found.values()], whole: found.size >= total }
}

/** Returns the number of rows to request at a time from an account. */
export const pageSizeOf = ({ limits }: Pick<ServiceTarget, 'limits'>): number =>
  Math.min(pageSize, limits.list.pageSize)

/**
 * Fetches a list into its mirror, page by page; returns what saving it returns. If a page fails, the pages before it are
 * saved, and its failure is thrown.
 */
export async function fetchList<T extends { readonly id: string }, R>(
  size: number,
  begin: () => Fetch,
  ask: (page: number) => Promise<{ readonly rows: readonly T[]; readonly total: number }>,
  save: (rows: readonly T[], options: { readonly whole: boolean; readonly fetch: Fetch }) => R,
): Promise<R> {
  const fetch = begin()
  try {
    const { rows, whole } = await everyPage(
      size,
      ask,
      (some) => void save(some, { whole: false, fetch }),
    )
    return save(rows, { whole, fetch })
  } finally {
    fetch.end()
  }
}
