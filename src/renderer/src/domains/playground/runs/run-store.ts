import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { EventBatch, Run, RunSummary } from '../../../../../shared/model/run.ts'
import type { RawBody } from '../../../../../shared/model/raw-body.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { createEventLog, eventsOf, spokenText, type EventLog } from './event-log.ts'

/** Number of events requested at a time. */
const pageSize = 5000
/** Maximum number of characters shown of the answer so far: its end. */
const shownChars = 20_000

/** The opened run: its input, its output, and its events as they are received. */
export const useRun = defineStore('run', () => {
  const client = useClient()
  const id = ref<string | null>(null)
  const run = shallowRef<Run | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  /** Not reactive: `events` is its size, and changes at most once a frame. */
  let log: EventLog = createEventLog()
  const events = ref(0)
  /** Whether there are stored events that have not been loaded yet. */
  const unread = ref(false)
  /** The answer received so far, while the run is in progress. */
  const spoken = ref('')
  const raw = shallowRef<RawBody | null>(null)
  const rawState = ref<'unasked' | 'asking' | 'there'>('unasked')
  let leave: (() => void) | null = null
  let followed: string | null = null
  let pendingRead: Promise<void> | null = null
  let drawn: ReturnType<typeof setTimeout> | undefined
  let words = ''

  const reset = (): void => {
    leave?.()
    leave = null
    followed = null
    clearTimeout(drawn)
    drawn = undefined
    run.value = null
    failure.value = null
    actionFailure.value = null
    log = createEventLog()
    events.value = 0
    unread.value = false
    words = ''
    spoken.value = ''
    raw.value = null
    rawState.value = 'unasked'
    pendingRead = null
  }
  const open = async (runId: string): Promise<void> => {
    if (id.value !== runId) {
      reset()
      id.value = runId
    }
    await refresh()
  }
  const close = (): void => {
    id.value = null
    reset()
  }
  const refresh = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    const reply = await client.request('runs.get', { id: requestedId })
    if (id.value !== requestedId) return
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      if (reply.error.code === 'NOT_FOUND') run.value = null
      return
    }
    run.value = reply.data
    unread.value = log.count < reply.data.events
    if (reply.data.state === 'running') follow(reply.data.streamId)
    else if (log.count === 0) await readMore()
  }

  /** Batches updates: the page is notified at most every 50 ms. */
  const scheduleUpdate = (): void => {
    drawn ??= setTimeout(() => {
      drawn = undefined
      events.value = log.count
      spoken.value = words
    }, 50)
  }
  const take = (batch: EventBatch): boolean => {
    const before = log.count
    if (!log.add(batch)) return false
    if (log.count > before && run.value?.state === 'running')
      words = (words + spokenText(eventsOf(batch))).slice(-shownChars)
    scheduleUpdate()
    return true
  }
  /** Loads stored events after the known ones: one page, or all up to now. */
  const read = async (all: boolean): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    for (;;) {
      const reply = await client.request('runs.events', {
        id: requestedId,
        from: log.count,
        limit: pageSize,
      })
      if (id.value !== requestedId || !reply.ok) return
      for (const batch of reply.data.batches) take(batch)
      unread.value = reply.data.next !== null
      if (!all || reply.data.next === null) return
    }
  }
  const readMore = (all = false): Promise<void> => {
    pendingRead ??= read(all).finally(() => (pendingRead = null))
    return pendingRead
  }
  const follow = (streamId: string): void => {
    if (followed === streamId) return
    leave?.()
    followed = streamId
    const over = (): void => {
      leave = null
      void finish()
    }
    leave = client.follow(streamId, {
      events(batch) {
        // A gap: load it from the store.
        if (!take(batch)) void readMore(true)
      },
      missed(before) {
        if (before > log.count) void readMore(true)
      },
      end: over,
      error: over,
      gone: over,
    })
  }
  const finish = async (): Promise<void> => {
    await refresh()
    if (run.value && log.count < run.value.events) await readMore()
  }

  const loadRaw = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null || rawState.value === 'asking') return
    rawState.value = 'asking'
    const reply = await client.request('runs.raw', { id: requestedId })
    if (id.value !== requestedId) return
    rawState.value = reply.ok ? 'there' : 'unasked'
    if (reply.ok) raw.value = reply.data.reply
    else actionFailure.value = reply.error
  }
  const act = async (
    ask: (runId: string) => ReturnType<typeof client.request<'runs.cancel'>>,
  ): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    const reply = await ask(requestedId)
    if (id.value !== requestedId) return
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) changed(reply.data)
  }
  const stop = (): Promise<void> => act((runId) => client.request('runs.cancel', { id: runId }))
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    if (wanted === '' || wanted === run.value?.title) return
    await act((runId) => client.request('runs.rename', { id: runId, title: wanted }))
  }

  const changed = (next: RunSummary): void => {
    const before = run.value
    if (!before || next.id !== before.id || next.updatedAt < before.updatedAt) return
    run.value = { ...before, ...next }
    if (before.state === 'running' && next.state !== 'running') void finish()
  }
  client.onEvent((event) => {
    if (event.type === 'run.changed') changed(event.run)
    if (event.type === 'runs.removed' && id.value !== null && event.ids.includes(id.value)) close()
  })
  client.onReopen(() => void refresh())
  return {
    id,
    run,
    failure,
    actionFailure,
    events,
    unread,
    eventAt: (index: number) => log.at(index),
    spoken,
    raw,
    rawState,
    open,
    close,
    refresh,
    readMore,
    loadRaw,
    stop,
    rename,
  }
})
