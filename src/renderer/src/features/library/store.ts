import { defineStore } from 'pinia'
import { reactive, shallowRef } from 'vue'
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
  const failure = shallowRef<Failure | null>(null)

  client.onEvent((event) => {
    if (event.type === 'library.changed') {
      void live.changed(event.itemIds)
      void bin.changed(event.itemIds)
    }
    if (event.type === 'job.changed') live.jobChanged(event.job)
    if (event.type === 'meeting.changed') live.meetingChanged(event.meeting)
  })

  /** To the bin at once, with a way back instead of a question. */
  const remove = async (ids: readonly string[]): Promise<boolean> => {
    live.drop(ids)
    const reply = await client.request('library.remove', { ids: [...ids] })
    if (!reply.ok) {
      failure.value = reply.error
      await live.load()
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
    await live.changed(ids)
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
  return { live, bin, failure, remove, restore, purge }
})
