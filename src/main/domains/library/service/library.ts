import type { EntryPage, ItemPage } from '../../../../shared/contract/library.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type {
  FolderKind,
  ItemFolder,
  ItemKind,
  ItemSummary,
  ListFacets,
  SearchReply,
} from '../../../../shared/model/library.ts'
import type { EntrySearchReply } from '../../../../shared/model/library-entry.ts'
import { AppError } from '../../../errors.ts'
import { displayTitle } from '../../../platform/text/display-title.ts'
import type { EntryQuery } from '../store/library-entries-rows.ts'
import type { EntrySearchQuery } from '../store/search-entries.ts'
import type { Context } from '../../../context.ts'

/** All saved items: lists, searches, renames, moves to Trash and restores them. */
export interface Library {
  list(query: ParsedOf<'library.list'>): ItemPage
  /** Everything that is saved, items and other entries. */
  entries(query: { [K in keyof EntryQuery]: EntryQuery[K] | undefined }): EntryPage
  tags(): readonly { readonly tag: string; readonly items: number }[]
  organize(change: ParsedOf<'library.organize'>): void
  facets(kind: FolderKind): ListFacets
  saveFolder(folder: ParsedOf<'library.saveFolder'>): ItemFolder
  removeFolder(id: string): readonly string[]
  /** The row of any item. Throws NOT_FOUND. */
  summary(id: string): ItemSummary
  rename(id: string, title: string): ItemSummary
  remove(ids: readonly string[]): Promise<void>
  restore(ids: readonly string[]): void
  /** Deletes permanently, including files. */
  purge(ids: readonly string[]): Promise<void>
  /** Searches the texts of items created within these times and with this tag and star. */
  search(query: {
    query: string
    kinds?: readonly ItemKind[] | undefined
    from?: number | undefined
    to?: number | undefined
    tag?: string | undefined
    starred?: true | undefined
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
export interface LibraryDeps extends Pick<Context, 'store' | 'files' | 'clock' | 'ids'> {
  onChange(ids: readonly string[]): void
  /** Called when stars, folders or tags changed, or which items have them. */
  onOrganized(): void
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
  /** Reports items whose stars, folders and tags, or whose number in the lists, may have changed. */
  const changed = (ids: readonly string[]): void => {
    // Without items, any may have changed.
    if (ids.length > 0) deps.onChange(ids)
    deps.onOrganized()
  }
  const purge = async (ids: readonly string[]): Promise<void> => {
    const unused = await removed(ids, () => store.items.purge(ids))
    for (const mediaId of unused) await files.remove(mediaId)
    await deps.afterPurge(ids)
    changed(ids)
  }
  const need = (id: string): ItemSummary => {
    const summary = store.items.summary(id)
    if (!summary) throw new AppError('NOT_FOUND', 'Item not found')
    return summary
  }
  return {
    list: (query) => store.items.list(definite(query)),
    summary: need,
    rename(id, title) {
      store.items.rename(id, displayTitle(title), clock())
      deps.onChange([id])
      return need(id)
    },
    async remove(ids) {
      await removed(ids, () => store.items.remove(ids, clock()))
      changed(ids)
    },
    restore(ids) {
      store.items.restore(ids, clock())
      deps.onRestored(ids)
      changed(ids)
    },
    purge,
    entries: (query) => store.entries.list(definite(query)),
    tags: () => store.entries.tags(),
    organize(change) {
      store.entries.organize(change)
      changed(change.ids)
    },
    facets: (kind) => store.entries.facets(kind),
    saveFolder({ id, kind, name }) {
      const saved = store.entries.saveFolder({ id: id ?? deps.ids(), kind, name, at: clock() })
      deps.onOrganized()
      return saved
    },
    removeFolder(id) {
      const itemIds = store.entries.removeFolder(id)
      // Without IDs, lists load again: one event for each of thousands takes longer.
      deps.onChange(itemIds.length > 500 ? [] : itemIds)
      deps.onOrganized()
      return itemIds
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
