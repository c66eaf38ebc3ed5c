import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { TranscriptionOptions } from '../../../../../shared/contract/transcriptions.ts'
import type { Job } from '../../../../../shared/model/job.ts'
import type { RecordingItem, Transcript } from '../../../../../shared/model/library.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'

/** The opened recording: its versions, its running job, and the live text of that job. */
export const useRecording = defineStore('recording', () => {
  const client = useClient()
  const id = ref<string | null>(null)
  const item = shallowRef<RecordingItem | null>(null)
  const job = shallowRef<Job | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  /** The text of the running stream; null when none runs. */
  const live = ref<string | null>(null)
  const chosenVersion = ref<string | null>(null)
  let followed: string | null = null
  let leave: (() => void) | null = null

  const unfollow = (): void => {
    leave?.()
    leave = null
    followed = null
    live.value = null
  }

  const open = async (itemId: string): Promise<void> => {
    if (id.value !== itemId) {
      unfollow()
      id.value = itemId
      item.value = null
      job.value = null
      chosenVersion.value = null
      failure.value = null
      actionFailure.value = null
    }
    await refresh()
  }
  const close = (): void => {
    unfollow()
    id.value = null
    item.value = null
    job.value = null
  }

  const refresh = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    const reply = await client.request('library.get', { id: requestedId })
    if (id.value !== requestedId) return
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      if (reply.error.code === 'NOT_FOUND') item.value = null
      return
    }
    item.value = reply.data
    receiveJob(reply.data.job)
    if (job.value?.state !== 'running') live.value = null
  }

  const receiveJob = (next: Job | null): void => {
    if (next && job.value && job.value.id === next.id && next.updatedAt < job.value.updatedAt)
      return
    job.value = next
    if (next?.state === 'running' && next.streamId && next.streamId !== followed)
      follow(next.streamId)
  }

  const follow = (streamId: string): void => {
    leave?.()
    followed = streamId
    live.value = ''
    leave = client.follow(streamId, {
      text: (whole) => (live.value = whole),
      // The live text stays on screen until the stored version that contains it has been loaded.
      end: (whole) => {
        live.value = whole
        void settled()
      },
      error: () => void settled(),
      gone: () => void settled(),
    })
  }
  const settled = async (): Promise<void> => {
    await refresh()
    if (job.value?.state !== 'running') live.value = null
  }

  const begun = (started: Job): void => {
    actionFailure.value = null
    chosenVersion.value = null
    receiveJob(started)
  }
  const again = async (options: TranscriptionOptions): Promise<Failure | null> => {
    if (id.value === null) return null
    const reply = await client.request('transcriptions.again', {
      itemId: id.value,
      streamId: callerId(),
      options,
    })
    if (reply.ok) begun(reply.data.job)
    return reply.ok ? null : reply.error
  }
  const retry = async (): Promise<void> => {
    if (!job.value) return
    const reply = await client.request('transcriptions.retry', {
      jobId: job.value.id,
      streamId: callerId(),
    })
    if (reply.ok) begun(reply.data.job)
    else actionFailure.value = reply.error
  }
  const stop = async (): Promise<void> => {
    if (!job.value) return
    const reply = await client.request('transcriptions.stop', { jobId: job.value.id })
    if (reply.ok) receiveJob(reply.data.job)
    else actionFailure.value = reply.error
  }
  const rename = async (title: string): Promise<void> => {
    const before = item.value
    const wanted = title.trim()
    if (!before || wanted === '' || wanted === before.title) return
    item.value = { ...before, title: wanted }
    const reply = await client.request('library.rename', { id: before.id, title: wanted })
    if (reply.ok) return
    actionFailure.value = reply.error
    // Only the title: the rest may have changed meanwhile.
    const now = item.value
    if (now?.id === before.id && now.title === wanted) item.value = { ...now, title: before.title }
  }

  client.onEvent((event) => {
    if (event.type === 'job.changed' && event.job.itemId === id.value) {
      receiveJob(event.job)
      if (event.job.state !== 'running') void refresh()
    }
    if (event.type !== 'library.changed' || id.value === null) return
    if (event.itemIds.length === 0 || event.itemIds.includes(id.value)) void refresh()
  })

  const version = computed<Transcript | null>(() => {
    const versions = item.value?.transcripts ?? []
    return versions.find((one) => one.id === chosenVersion.value) ?? versions[0] ?? null
  })
  const busy = computed(() => {
    const state = job.value?.state
    return state === 'queued' || state === 'running' || state === 'waiting'
  })
  return {
    id,
    item,
    job,
    failure,
    actionFailure,
    live,
    chosenVersion,
    version,
    busy,
    open,
    close,
    refresh,
    again,
    retry,
    stop,
    rename,
  }
})
