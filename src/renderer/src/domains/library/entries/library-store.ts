import { defineStore } from 'pinia'
import { reactive, shallowRef } from 'vue'
import type { ItemKind, ItemSummary } from '../../../../../shared/model/library.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { createItemList } from './item-list.ts'

/** All items, and Trash. */
export const useLibrary = defineStore('library', () => {
  const client = useClient()
  const toasts = useToasts()
  const listOf = (of: Parameters<typeof createItemList>[1]) => reactive(createItemList(client, of))
  const live = listOf({ bin: false })
  const bin = listOf({ bin: true })
  /** Lists next to the main area of each section. */
  const meetings = listOf({ bin: false, kinds: ['meeting'] })
  const documents = listOf({ bin: false, kinds: ['document'] })
  const lists = { live: [live, meetings, documents], bin: [bin] }
  /** Lists of the table: everything or Trash, of one kind or any. */
  const tables = new Map<string, typeof live>()
  const table = (kind: ItemKind | '', place: 'live' | 'bin'): typeof live => {
    if (kind === '') return place === 'bin' ? bin : live
    const known = tables.get(`${place} ${kind}`)
    if (known) return known
    const made = listOf({ bin: place === 'bin', kinds: [kind] })
    tables.set(`${place} ${kind}`, made)
    lists[place].push(made)
    return made
  }
  const drop = (place: 'live' | 'bin', ids: readonly string[]): void => {
    for (const list of lists[place]) list.drop(ids)
  }
  const reload = async (place: 'live' | 'bin'): Promise<void> => {
    for (const list of lists[place]) if (list.state !== 'idle') await list.load()
  }
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
    const reply = await client.request('library.remove', { ids: [...ids] })
    if (!reply.ok) {
      failure.value = reply.error
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
    const reply = await client.request('library.restore', { ids: [...ids] })
    if (reply.ok) toasts.show('toast.restored')
    else failure.value = reply.error
    for (const list of lists.live) await list.changed(ids)
  }
  const purge = async (ids: readonly string[]): Promise<void> => {
    drop('bin', ids)
    toasts.settle(ids)
    const reply = await client.request('library.purge', { ids: [...ids] })
    if (reply.ok) toasts.show('toast.purged')
    else {
      failure.value = reply.error
      await reload('bin')
    }
  }
  /** Returns the row of an item if one of the lists contains it. */
  const row = (id: string): ItemSummary | undefined =>
    lists.live.flatMap(({ items }) => items).find((one) => one.id === id)
  return { live, bin, meetings, documents, table, row, failure, remove, restore, purge }
})
