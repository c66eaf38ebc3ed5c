import type { EntryPage, ItemPage } from '../../../../shared/contract/library.ts'
import type { ItemKind, ItemSummary, SearchReply } from '../../../../shared/model/library.ts'
import type { EntrySearchReply } from '../../../../shared/model/library-entry.ts'
import { AppError } from '../../../errors.ts'
import { displayTitle } from '../../../platform/text/display-title.ts'
import type { EntryStore } from '../store/library-entries.ts'
import type { EntryQuery } from '../store/library-entries-rows.ts'
import type { EntrySearchQuery } from '../store/search-entries.ts'
import type { Context } from '../../../context.ts'

/** All saved items: lists, searches, renames, moves to Trash and restores them. */
export interface Library {
  list(query: {
    kinds?: readonly ItemKind[] | undefined
    bin: boolean
    cursor?: string | undefined
    limit: number
  }): ItemPage
  /** Everything that is saved, items and other entries. */
  entries(query: { [K in keyof EntryQuery]: EntryQuery[K] | undefined }): EntryPage
  tags(): readonly { readonly tag: string; readonly items: number }[]
  tag(change: Omit<Parameters<EntryStore['tag']>[0], 'at'>): void
  /** The row of any item. Throws NOT_FOUND. */
  summary(id: string): ItemSummary
  rename(id: string, title: string): ItemSummary
  remove(ids: readonly string[]): Promise<void>
  restore(ids: readonly string[]): void
  /** Deletes permanently, including files. */
  purge(ids: readonly string[]): Promise<void>
  /** Searches the texts of items created within these times and with this tag. */
  search(query: {
    query: string
    kinds?: readonly ItemKind[] | undefined
    from?: number | undefined
    to?: number | undefined
    tag?: string | undefined
    limit: number
  }): Promise<SearchReply>
  /** Searches saved entries other than items. */
  searchEntries(query: {
    [K in keyof EntrySearchQuery]: EntrySearchQuery[K] | undefined
  }): Promise<EntrySearchReply>
  /** Deletes what has been in Trash for more than 30 days. */
  emptyOldBin(): Promise<void>
}

/** Dependencies of the library. */
export interface LibraryDeps extends Pick<Context, 'store' | 'files' | 'clock'> {
  onChange(ids: readonly string[]): void
  /** Stops the work on items that are about to be removed. */
  beforeRemove(ids: readonly string[]): Promise<void>
  /** Called when items were restored from Trash. */
  onRestored(ids: readonly string[]): void
  /** Called when items were deleted permanently: their data outside media is deleted too. */
  afterPurge(ids: readonly string[]): Promise<void>
}

/** Days an item stays in Trash. */
const binDays = 30

/** Creates the library over store and files. */
export function createLibrary(deps: LibraryDeps): Library {
  const { store, clock, files } = deps
  /** Stops the work on items and removes them. If they cannot be removed, the work on those outside Trash continues. */
  const removed = async <T>(ids: readonly string[], remove: () => T): Promise<T> => {
    try {
      await deps.beforeRemove(ids)
      return remove()
    } catch (error) {
      deps.onRestored(ids.filter((id) => store.items.summary(id)?.deletedAt === null))
      throw error
    }
  }
  const purge = async (ids: readonly string[]): Promise<void> => {
    const unused = await removed(ids, () => store.items.purge(ids))
    for (const mediaId of unused) await files.remove(mediaId)
    await deps.afterPurge(ids)
    deps.onChange(ids)
  }
  const need = (id: string): ItemSummary => {
    const summary = store.items.summary(id)
    if (!summary) throw new AppError('NOT_FOUND', 'Item not found')
    return summary
  }
  return {
    list: ({ kinds, bin, cursor, limit }) =>
      store.items.list({
        bin,
        limit,
        ...(kinds && { kinds }),
        ...(cursor !== undefined && { cursor }),
      }),
    summary: need,
    rename(id, title) {
      store.items.rename(id, displayTitle(title), clock())
      deps.onChange([id])
      return need(id)
    },
    async remove(ids) {
      await removed(ids, () => store.items.remove(ids, clock()))
      deps.onChange(ids)
    },
    restore(ids) {
      store.items.restore(ids, clock())
      deps.onRestored(ids)
      deps.onChange(ids)
    },
    purge,
    entries: (query) => store.entries.list(definite(query)),
    tags: () => store.entries.tags(),
    tag(change) {
      store.entries.tag({ ...change, at: clock() })
      deps.onChange(change.ids)
    },
    search: (query) => store.search.search(definite(query)),
    searchEntries: (query) => store.search.entries(definite(query)),
    async emptyOldBin() {
      const old = store.items.binnedBefore(clock() - binDays * 86_400_000)
      if (old.length > 0) await purge(old)
    },
  }
}

/** Removes fields with the value undefined. */
const definite = <T extends object>(query: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
