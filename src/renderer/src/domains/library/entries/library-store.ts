import { defineStore } from 'pinia'
import { reactive, shallowRef } from 'vue'
import type { FolderKind, ItemKind, ItemSummary } from '../../../../../shared/model/library.ts'
import type { LibraryEntry, OtherKind } from '../../../../../shared/model/library-entry.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useUndo } from '../../../kit/use-undo.ts'
import {
  createSection,
  inParts,
  tagsBefore,
  type Change,
  type Section,
} from '../organize/section.ts'
import { createItemList } from './item-list.ts'

/** All items, and Trash. */
export const useLibrary = defineStore('library', () => {
  const client = useClient()
  const toasts = useToasts()
  const offerUndo = useUndo()
  const listOf = (of: Parameters<typeof createItemList>[1]) => reactive(createItemList(client, of))
  const live = listOf({ bin: false })
  const bin = listOf({ bin: true })
  const lists = { live: [live], bin: [bin] }
  /** Items next to the main area of each section. */
  const sections = new Map<FolderKind, Section<ItemSummary>>()
  const section = (kind: FolderKind): Section<ItemSummary> => {
    const known = sections.get(kind)
    if (known) return known
    const made = createSection<ItemSummary, typeof live>(client, kind, {
      create(query) {
        const list = listOf({ bin: false, kinds: [kind], query })
        lists.live.push(list)
        return list
      },
      end: (list) => void (lists.live = lists.live.filter((one) => one !== list)),
    })
    sections.set(kind, made)
    return made
  }
  /** Lists of Trash: of one kind or any. */
  const trashed = new Map<ItemKind, typeof bin>()
  const trash = (kind: ItemKind | ''): typeof bin => {
    if (kind === '') return bin
    const known = trashed.get(kind)
    if (known) return known
    const made = listOf({ bin: true, kinds: [kind] })
    trashed.set(kind, made)
    lists.bin.push(made)
    return made
  }
  const drop = (place: 'live' | 'bin', ids: readonly string[]): void => {
    for (const list of lists[place]) list.drop(ids)
  }
  const reload = async (place: 'live' | 'bin'): Promise<void> => {
    for (const list of lists[place]) if (list.state !== 'idle') await list.load()
  }
  /** Why the last action failed; shown above every view. */
  const failure = shallowRef<Failure | null>(null)

  client.onEvent((event) => {
    // Items in Trash may still have running work.
    for (const list of [...lists.live, ...lists.bin]) {
      if (event.type === 'library.changed') void list.changed(event.itemIds)
      if (event.type === 'meeting.changed') list.meetingChanged(event.meeting)
      if (event.type === 'document.changed') list.documentChanged(event.document)
      if (event.type === 'chat.changed') list.chatChanged(event.conversation)
    }
  })

  /** Moves items to Trash immediately, with Undo instead of a confirmation. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    drop('live', ids)
    const failed = await inParts(ids, (some) => client.request('library.remove', { ids: some }))
    failure.value = failed
    if (failed) {
      await reload('live')
      return false
    }
    toasts.show('toast.removed', {
      count: ids.length,
      values: { n: ids.length },
      about: ids,
      action: { key: 'app.undo', run: () => void restore(ids) },
    })
    return true
  }
  const restore = async (ids: readonly string[]): Promise<void> => {
    drop('bin', ids)
    toasts.settle(ids)
    const failed = await inParts(ids, (some) => client.request('library.restore', { ids: some }))
    failure.value = failed
    if (!failed) toasts.show('toast.restored')
    for (const list of lists.live) await list.changed(ids)
  }
  const purge = async (ids: readonly string[]): Promise<void> => {
    drop('bin', ids)
    toasts.settle(ids)
    const failed = await inParts(ids, (some) => client.request('library.purge', { ids: some }))
    failure.value = failed
    if (failed) await reload('bin')
    else toasts.show('toast.purged')
  }
  /** Stars or tags entries; false if that failed. */
  const organize = async (entries: readonly LibraryEntry[], change: Change): Promise<boolean> => {
    failure.value = await inParts(entries, (some) =>
      client.request('library.organize', {
        ids: some.flatMap(({ item }) => (item ? [item.id] : [])),
        others: some.flatMap(({ kind, id, item }) =>
          item ? [] : [{ kind: kind as OtherKind, id }],
        ),
        ...change,
      }),
    )
    return failure.value === null
  }
  /** Adds and removes tags of entries; a toast offers undo. `onUndone` is called after it. */
  const tag = async (
    entries: readonly LibraryEntry[],
    change: Change,
    onUndone: () => unknown,
  ): Promise<void> => {
    const before = tagsBefore(entries, change)
    if (before.length === 0 || !(await organize(entries, change))) return
    const undo = async (): Promise<void> => {
      for (const { rows, change: back } of before) if (!(await organize(rows, back))) break
      onUndone()
    }
    offerUndo(
      'organize.tagged',
      entries.map(({ id }) => id),
      undo,
    )
  }
  /** Returns the row of an item if one of the lists contains it. */
  const row = (id: string): ItemSummary | undefined =>
    lists.live.flatMap(({ items }) => items).find((one) => one.id === id)
  return { live, bin, section, trash, row, failure, organize, tag, remove, restore, purge }
})
