import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Job } from '../../../../../shared/model/job.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'

/** Open jobs: queued, running, waiting or failed, newest first; those of items in Trash are left out. */
export const useJobs = defineStore('jobs', () => {
  const client = useClient()
  const known = shallowRef<readonly Job[]>([])
  /** Items of known jobs that are in Trash. */
  const binned = shallowRef<ReadonlySet<string>>(new Set())
  const jobs = computed(() => known.value.filter((job) => !binned.value.has(job.itemId)))
  const failure = shallowRef<Failure | null>(null)

  const isOpen = (job: Job): boolean => job.state !== 'done' && job.state !== 'cancelled'

  const put = (job: Job): void => {
    const old = known.value.some(({ id }) => id === job.id)
    if (!isOpen(job)) known.value = known.value.filter(({ id }) => id !== job.id)
    else if (old) known.value = known.value.map((one) => (one.id === job.id ? job : one))
    else known.value = [job, ...known.value]
  }
  const load = async (): Promise<void> => {
    const reply = await client.request('jobs.active', {})
    if (!reply.ok) return
    known.value = reply.data.filter(isOpen)
    // Moving to Trash stops running work: only failed jobs can be in it.
    void place(known.value.flatMap(({ state, itemId }) => (state === 'failed' ? [itemId] : [])))
  }
  /** Checks whether the items of jobs exist, are in Trash, or were deleted. */
  const place = async (itemIds: readonly string[]): Promise<void> => {
    for (const id of new Set(itemIds)) {
      if (!known.value.some((job) => job.itemId === id)) continue
      const reply = await client.request('library.get', { id })
      if (!reply.ok && reply.error.code !== 'NOT_FOUND') continue
      const away = new Set(binned.value)
      if (reply.ok && reply.data.deletedAt === null) away.delete(id)
      else away.add(id)
      binned.value = away
    }
  }
  const stop = async (id: string): Promise<void> => {
    const reply = await client.request('transcriptions.stop', { jobId: id })
    if (reply.ok) put(reply.data.job)
    else failure.value = reply.error
  }
  const retry = async (id: string): Promise<Failure | null> => {
    const reply = await client.request('transcriptions.retry', {
      jobId: id,
      streamId: callerId(),
    })
    if (reply.ok) put(reply.data.job)
    return reply.ok ? null : reply.error
  }
  const dismiss = async (id: string): Promise<void> => {
    const reply = await client.request('jobs.dismiss', { id })
    if (reply.ok) known.value = known.value.filter((job) => job.id !== id)
  }

  client.onEvent((event) => {
    if (event.type === 'job.changed') put(event.job)
    if (event.type !== 'library.changed') return
    // After a gap every store reloads; it is indicated by an empty list of IDs.
    void (event.itemIds.length === 0 ? load() : place(event.itemIds))
  })
  const running = computed(() =>
    jobs.value.filter(({ state }) => state === 'running' || state === 'queued'),
  )
  const waiting = computed(() => jobs.value.filter(({ state }) => state === 'waiting'))
  const failed = computed(() => jobs.value.filter((job) => job.state === 'failed'))
  return { jobs, running, waiting, failed, failure, load, put, stop, retry, dismiss }
})
