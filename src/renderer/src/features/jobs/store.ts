import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { Job } from '../../../../shared/model/job.ts'
import { callerId, useClient } from '../../api/use-client.ts'

/** Jobs that are open: queued, running, waiting or failed, newest first. */
export const useJobs = defineStore('jobs', () => {
  const client = useClient()
  const jobs = shallowRef<readonly Job[]>([])
  const failure = shallowRef<Failure | null>(null)

  const isOpen = (job: Job): boolean => job.state !== 'done' && job.state !== 'cancelled'

  const put = (job: Job): void => {
    const known = jobs.value.some(({ id }) => id === job.id)
    if (!isOpen(job)) jobs.value = jobs.value.filter(({ id }) => id !== job.id)
    else if (known) jobs.value = jobs.value.map((old) => (old.id === job.id ? job : old))
    else jobs.value = [job, ...jobs.value]
  }
  const load = async (): Promise<void> => {
    const reply = await client.request('jobs.active', {})
    if (reply.ok) jobs.value = reply.data.filter(isOpen)
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
    if (reply.ok) jobs.value = jobs.value.filter((job) => job.id !== id)
  }

  client.onEvent((event) => {
    if (event.type === 'job.changed') put(event.job)
    // After a gap every domain reads anew; an empty list of ids is its sign.
    if (event.type === 'library.changed' && event.itemIds.length === 0) void load()
  })
  const running = computed(() => jobs.value.filter((job) => job.state !== 'failed'))
  const failed = computed(() => jobs.value.filter((job) => job.state === 'failed'))
  return { jobs, running, failed, failure, load, put, stop, retry, dismiss }
})
