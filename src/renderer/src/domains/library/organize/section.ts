import { computed, markRaw, ref, shallowReactive, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { FolderKind, ItemFolder, ListFacets } from '../../../../../shared/model/library.ts'
import type { ListStore } from '../../../kit/list-rows.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useUndo } from '../../../kit/use-undo.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { fitsQuery, type ListQuery } from '../entries/item-list.ts'

/** What a section needs of its items. */
export interface OrganizedItem {
  readonly id: string
  readonly title: string
  readonly starred: boolean
  readonly folderId: string | null
  readonly tags: readonly string[]
}

/** A list of a section: that of items without a folder, or of an open folder. */
interface SectionList<Item> extends ListStore {
  readonly items: readonly Item[]
  /** Whether there are no more pages. */
  readonly whole: boolean
  more(): Promise<unknown>
}

/** What a section shows: everything, with folders as rows, or the items with a star, in a folder or with a tag. */
interface SectionFilter {
  readonly by: 'all' | 'starred' | 'folder' | 'tag'
  /** ID of the folder, or the tag. */
  readonly value: string
}

/** Filter that shows everything. */
const everything: SectionFilter = { by: 'all', value: '' }

/** What of its items `library.organize` changes. */
export type Change = Omit<RequestOf<'library.organize'>, 'ids' | 'others'>

/** Maximum number of items of one request. */
const maxAtOnce = 500
/** Milliseconds without changes before folders, stars and tags are loaded again. */
const quietMs = 150

/** Calls `work` with at most as many rows as a request accepts; stops at the first failure. */
export async function inParts<Row, T>(
  rows: readonly Row[],
  work: (some: Row[]) => Promise<Reply<T>>,
): Promise<Failure | null> {
  for (let at = 0; at < rows.length; at += maxAtOnce) {
    const reply = await work(rows.slice(at, at + maxAtOnce))
    if (!reply.ok) return reply.error
  }
  return null
}

/** Rows of a list that get the same change. */
interface ChangedRows<Row> {
  readonly rows: readonly Row[]
  readonly change: Change
}

/** Returns the changes that give rows the tags back that they have now, once some were added and removed. */
export function tagsBefore<Row extends { readonly tags: readonly string[] }>(
  rows: readonly Row[],
  { addTags = [], removeTags = [] }: Change,
): readonly ChangedRows<Row>[] {
  const has = (tag: string) => (row: Row) => row.tags.includes(tag)
  const added = addTags.map((tag) => ({
    rows: rows.filter((row) => !has(tag)(row)),
    change: { removeTags: [tag] },
  }))
  const removed = removeTags.map((tag) => ({
    rows: rows.filter(has(tag)),
    change: { addTags: [tag] },
  }))
  return [...added, ...removed].filter((one) => one.rows.length > 0)
}

/**
 * Creates the store of a section: its items without a folder, those of the open folders, what they can be filtered by, and
 * the actions of their rows. `lists` creates a list with a filter that may change, and ends one.
 */
export function createSection<Item extends OrganizedItem, List extends SectionList<Item>>(
  client: Client,
  kind: FolderKind,
  lists: { create(query: () => ListQuery): List; end(list: List): void },
) {
  const toasts = useToasts()
  const offerUndo = useUndo()
  const facets = shallowRef<ListFacets>({ folders: [], starred: false, tags: [] })
  const filter = ref(everything)
  /** Whether folders are no rows of the list, since another filter applies to it. */
  const flat = ref(false)
  /** Failure of the last action. */
  const failure = shallowRef<Failure | null>(null)
  const open = shallowReactive(new Map<string, List>())
  let isRequested = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const hasFolders = computed(
    () => facets.value.folders.length > 0 && filter.value.by === 'all' && !flat.value,
  )
  const query = (): ListQuery => {
    const { by, value } = filter.value
    if (by === 'starred') return { starred: true }
    if (by === 'folder') return { folderId: value }
    if (by === 'tag') return { tag: value }
    return hasFolders.value ? { folderId: null } : {}
  }
  const list = lists.create(query)

  function close(folderId: string): void {
    const closed = open.get(folderId)
    if (closed) lists.end(closed)
    open.delete(folderId)
  }
  /** Opens or folds a folder. */
  async function toggle(folderId: string): Promise<void> {
    if (open.has(folderId)) return close(folderId)
    const opened = lists.create(() => ({ folderId }))
    open.set(folderId, opened)
    await opened.load()
    failure.value = opened.failure
  }
  async function loadFacets(): Promise<void> {
    isRequested = true
    const reply = await client.request('library.facets', { kind })
    // Without its folders, the list shows their items.
    if (!reply.ok) return
    const had = hasFolders.value
    facets.value = reply.data
    const isThere = (id: string): boolean => reply.data.folders.some((folder) => folder.id === id)
    for (const id of open.keys()) if (!isThere(id)) close(id)
    if (filter.value.by === 'folder' && !isThere(filter.value.value)) await setFilter(everything)
    else if (had !== hasFolders.value && list.state !== 'idle') await list.load()
  }
  async function load(): Promise<void> {
    await loadFacets()
    await Promise.all([list, ...open.values()].map((each) => each.load()))
  }
  async function setFilter(next: SectionFilter): Promise<void> {
    filter.value = next
    await list.load()
  }
  /** Shows the items of all folders in one list. */
  async function setFlat(next: boolean): Promise<void> {
    flat.value = next
    await list.load()
  }

  /** Stars, moves or tags items. Returns whether that succeeded. */
  async function organize(ids: readonly string[], change: Change): Promise<boolean> {
    failure.value = await inParts(ids, (some) =>
      client.request('library.organize', { ids: some, ...change }),
    )
    return failure.value === null
  }
  /** Organizes items, with a toast that offers to apply the changes that undo it. */
  async function organizeWithUndo(
    key: string,
    items: readonly Item[],
    change: Change,
    before: readonly ChangedRows<Item>[],
  ): Promise<void> {
    if (before.length === 0 || !(await organize(idsOf(items), change))) return
    noticeAbout(idsOf(items))
    offerUndo(key, idsOf(items), async () => {
      for (const { rows, change: back } of before) if (!(await organize(idsOf(rows), back))) return
    })
  }
  /** What the last notice is about: the next one takes its place, so that one Undo is offered at a time. */
  let noticed: readonly string[] = []
  function noticeAbout(what: readonly string[]): void {
    toasts.settle(noticed)
    noticed = what
  }
  /** Moves items to a folder, or out of theirs (null); a toast offers undo. */
  function move(items: readonly Item[], folderId: string | null): Promise<void> {
    const moved = items.filter((item) => item.folderId !== folderId)
    const folderIds = new Set(moved.map((item) => item.folderId))
    const before = [...folderIds].map((id) => ({
      rows: moved.filter((item) => item.folderId === id),
      change: { folderId: id },
    }))
    return organizeWithUndo('organize.moved', moved, { folderId }, before)
  }
  /** Adds and removes tags of items; a toast offers undo. */
  const tag = (items: readonly Item[], change: Change): Promise<void> =>
    organizeWithUndo('organize.tagged', items, change, tagsBefore(items, change))
  async function rename(id: string, title: string): Promise<void> {
    const reply = await client.request('library.rename', { id, title })
    failure.value = reply.ok ? null : reply.error
  }
  /** Creates or renames a folder; null if that failed. */
  async function saveFolder(name: string, id?: string): Promise<ItemFolder | null> {
    const folder = { kind, name, ...(id !== undefined && { id }) }
    const reply = await client.request('library.saveFolder', folder)
    failure.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }
  /** Deletes a folder; its items stay, in none. A toast offers undo. */
  async function removeFolder({ id, name }: ItemFolder): Promise<void> {
    const reply = await client.request('library.removeFolder', { id })
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return
    const { itemIds } = reply.data
    const undo = async (): Promise<void> => {
      const again = await saveFolder(name)
      if (again) await organize(itemIds, { folderId: again.id })
    }
    noticeAbout([name])
    toasts.show('organize.folderDeleted', {
      values: { name },
      about: [name],
      action: { key: 'app.undo', run: () => void undo() },
    })
  }
  /** Returns the IDs of all items of a folder. */
  async function contents(folderId: string): Promise<readonly string[]> {
    const ids: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const reply = await client.request('library.list', {
        kinds: [kind],
        folderId,
        limit: 200,
        ...(cursor !== undefined && { cursor }),
      })
      failure.value = reply.ok ? null : reply.error
      if (!reply.ok) return []
      ids.push(...reply.data.items.map((item) => item.id))
      cursor = reply.data.next
    }
    return ids
  }

  client.onReopen(() => {
    if (isRequested) void load()
  })
  client.onEvent((event) => {
    const isAny = event.type === 'library.changed' && event.itemIds.length === 0
    if (!isRequested || !(isAny || event.type === 'library.organized')) return
    // A burst of changes causes one request.
    clearTimeout(timer)
    timer = setTimeout(() => void loadFacets(), quietMs)
  })

  /** Items outside of folder rows. Until those of another filter are loaded, the list contains those of the last one. */
  const rest = computed<readonly Item[]>(() =>
    list.items.filter((item) => fitsQuery(item, query())),
  )
  const items = computed<readonly Item[]>(() => {
    const filed = hasFolders.value
      ? facets.value.folders.flatMap(({ id }) => open.get(id)?.items ?? [])
      : []
    return [...filed, ...rest.value]
  })
  // Getters instead of refs: stores would unwrap refs of a generic type.
  return markRaw({
    kind,
    list,
    open,
    get facets() {
      return facets.value
    },
    get filter() {
      return filter.value
    },
    get failure() {
      return failure.value
    },
    get flat() {
      return flat.value
    },
    /** Whether folders are rows of the list. */
    get hasFolders() {
      return hasFolders.value
    },
    get rest() {
      return rest.value
    },
    /** All loaded items in the order of the rows. */
    get items() {
      return items.value
    },
    /** Whether the section has no items at all. */
    get empty(): boolean {
      return (
        list.state === 'ready' &&
        list.items.length === 0 &&
        filter.value.by === 'all' &&
        facets.value.folders.every((folder) => folder.items === 0)
      )
    },
    /** Shows why an action failed; null hides it. */
    fail: (why: Failure | null): void => void (failure.value = why),
    folderName: (id: string | null): string =>
      facets.value.folders.find((folder) => folder.id === id)?.name ?? '',
    load,
    toggle,
    setFilter,
    setFlat,
    organize,
    move,
    tag,
    rename,
    saveFolder,
    removeFolder,
    contents,
  })
}

const idsOf = (items: readonly OrganizedItem[]): string[] => items.map(({ id }) => id)

/** Store of a section. */
export type Section<Item extends OrganizedItem> = ReturnType<
  typeof createSection<Item, SectionList<Item>>
>
