import { defineStore } from 'pinia'
import { reactive, shallowRef } from 'vue'
import type { ItemSummary } from '../../../../shared/model/library.ts'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'
import { createItemList } from './item-list.ts'

/** Everything that was ever received, and the bin. */
export const useLibrary = defineStore('library', () => {
  const client = useClient()
  const toasts = useToasts()
  const live = reactive(createItemList(client, { bin: false }))
  const bin = reactive(createItemList(client, { bin: true }))
  /** What stands beside the work of each domain. */
  const sounds = reactive(createItemList(client, { bin: false, kinds: ['recording', 'meeting'] }))
  const documents = reactive(createItemList(client, { bin: false, kinds: ['document'] }))
  const all = [live, bin, sounds, documents]
  const failure = shallowRef<Failure | null>(null)

  client.onEvent((event) => {
    if (event.type === 'library.changed') {
      for (const list of all) void list.changed(event.itemIds)
    }
    // What lies in the bin may still be worked on.
    for (const list of [live, sounds, bin]) {
      if (event.type === 'job.changed') list.jobChanged(event.job)
      if (event.type === 'meeting.changed') list.meetingChanged(event.meeting)
    }
    for (const list of [live, documents, bin])
      if (event.type === 'document.changed') list.documentChanged(event.document)
  })

  /** To the bin at once, with a way back instead of a question. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    for (const list of [live, sounds, documents]) list.drop(ids)
    const reply = await client.request('library.remove', { ids: [...ids] })
    if (!reply.ok) {
      failure.value = reply.error
      for (const list of [live, sounds, documents]) if (list.state !== 'idle') await list.load()
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
    bin.drop(ids)
    toasts.settle(ids)
    const reply = await client.request('library.restore', { ids: [...ids] })
    if (reply.ok) toasts.show('toast.restored')
    else failure.value = reply.error
    for (const list of [live, sounds, documents]) await list.changed(ids)
  }
  const purge = async (ids: readonly string[]): Promise<void> => {
    bin.drop(ids)
    toasts.settle(ids)
    const reply = await client.request('library.purge', { ids: [...ids] })
    if (reply.ok) toasts.show('toast.purged')
    else {
      failure.value = reply.error
      await bin.load()
    }
  }
  /** The row of an item where one of the lists holds it. */
  const row = (id: string): ItemSummary | undefined =>
    [sounds, documents, live].flatMap(({ items }) => items).find((one) => one.id === id)
  return { live, bin, sounds, documents, row, failure, remove, restore, purge }
})
