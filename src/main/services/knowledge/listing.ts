import type { Api, ServiceTarget } from '../../api/types.ts'
import type { Clock } from '../../deps.ts'
import type { ListedBase } from '../../store/knowledge-types.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** Dependencies for fetching lists. */
export interface ListingDeps {
  readonly store: Pick<Store, 'knowledge' | 'writable'>
  readonly api: { readonly knowledge: Pick<Api['knowledge'], 'list'> }
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
}

/** Number of rows requested at a time. */
export const pageSize = 100
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

/**
 * Fetches all knowledge bases of an account into the mirror; returns IDs that are no longer listed. Saves pages before a
 * failure.
 */
export async function fetchBases(
  { store, api, clock }: Omit<ListingDeps, 'accounts'>,
  target: ServiceTarget,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { accountId } = target
  const size = Math.min(pageSize, target.limits.list.pageSize)
  const fetch = store.knowledge.bases.fetch()
  const keep = (rows: readonly ListedBase[], whole: boolean): readonly string[] =>
    store.writable ? store.knowledge.bases.keepAll(accountId, rows, clock(), { whole, fetch }) : []
  try {
    const { rows, whole } = await everyPage(
      size,
      async (page) => {
        const { value } = await api.knowledge.list(
          target,
          { page, size },
          { ...(signal && { signal }) },
        )
        return { rows: value.bases.map(listedBase), total: value.total }
      },
      (some) => void keep(some, false),
    )
    return keep(rows, whole)
  } finally {
    fetch.end()
  }
}

/** Converts a knowledge base of the client to the form of the mirror. */
export const listedBase = ({
  documentSize: documents,
  length: tokens,
  wordNum: words,
  ...base
}: Awaited<ReturnType<Api['knowledge']['get']>>['value']): ListedBase => ({
  ...base,
  documents,
  tokens,
  words,
})
