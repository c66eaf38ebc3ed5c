import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ItemKind } from '../../../../../shared/model/library.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useBatch } from './batch.ts'
import { isMoving, isUntranscribed } from './intake-messages.ts'
import type { Import } from './intake-messages.ts'

/** Number of parallel uploads. */
const lanes = 2
/** Milliseconds after which an imported file leaves the panel, unless it could not be transcribed. */
const doneVisibleMs = 4000

/**
 * Files that were dropped, pasted or chosen: each is uploaded and becomes a meeting, a document or a chat.
 */
export const useIntake = defineStore('intake', () => {
  const client = useClient()
  const batch = useBatch()
  /** Files that were added together with others. */
  const together = new Set<number>()
  const imports = ref<readonly Import[]>([])
  /** The item created last: the page opens it if it was the only file. */
  const opened = ref<{ readonly id: string; readonly kind: ItemKind } | null>(null)
  const files = new Map<number, File>()
  const aborts = new Map<number, AbortController>()
  /** Files that were added alone: they open once they are imported. */
  const alone = new Set<number>()
  let next = 1
  let flying = 0

  const patch = (id: number, change: Partial<Import>): void => {
    imports.value = imports.value.map((one) => (one.id === id ? { ...one, ...change } : one))
  }
  const dismiss = (id: number): void => {
    aborts.get(id)?.abort()
    files.delete(id)
    together.delete(id)
    alone.delete(id)
    imports.value = imports.value.filter((one) => one.id !== id)
  }

  /** Removes all finished imports. */
  const dismissAll = (): void => {
    for (const one of imports.value) if (!isMoving(one)) dismiss(one.id)
  }
  /** Dismisses the imports of an item that the user has opened. */
  const seen = (itemId: string): void => {
    for (const one of imports.value) if (one.itemId === itemId) dismiss(one.id)
  }
  /** Removes an import soon; an item opened immediately shows on its own page whether it could be transcribed. */
  const leaveSoon = (id: number, onItsPage = false): void => {
    setTimeout(() => {
      const one = imports.value.find((other) => other.id === id)
      if (one && (onItsPage || !isUntranscribed(one))) dismiss(id)
    }, doneVisibleMs)
  }
  /** Sets whether a meeting could be transcribed. */
  const settle = (itemId: string, untranscribed: Failure | null): void => {
    for (const one of imports.value) {
      if (one.itemId !== itemId || one.untranscribed === untranscribed) continue
      patch(one.id, { untranscribed })
      if (!untranscribed) leaveSoon(one.id)
    }
  }
  client.onEvent((event) => {
    if (event.type === 'meeting.lines') {
      const error = event.segments.find(({ state }) => state === 'failed')?.error
      if (error) settle(event.id, error)
    }
    if (event.type !== 'meeting.changed') return
    const { id, error, completeness } = event.meeting
    if (error) settle(id, error)
    else if (completeness.failed === 0) settle(id, null)
  })

  const take = (chosen: Iterable<File>): void => {
    const received = [...chosen].map((file): Import => {
      const id = next++
      files.set(id, file)
      return {
        id,
        name: file.name,
        bytes: file.size,
        state: 'waiting',
        progress: 0,
        failure: null,
        itemId: null,
        kind: null,
        untranscribed: null,
      }
    })
    imports.value = [...imports.value, ...received]
    const group = received.length === 1 ? alone : together
    for (const { id } of received) group.add(id)
    pump()
  }

  const pump = (): void => {
    while (flying < lanes) {
      const waiting = imports.value.find((one) => one.state === 'waiting')
      if (!waiting) return
      patch(waiting.id, { state: 'uploading', progress: 0, failure: null })
      flying += 1
      void bring(waiting.id).finally(() => {
        flying -= 1
        pump()
      })
    }
  }

  const bring = async (id: number): Promise<void> => {
    const file = files.get(id)
    if (!file) return
    const fail = (failure: Failure): void => patch(id, { state: 'failed', failure })
    // An empty file is refused without an upload.
    if (file.size === 0)
      return fail({
        code: 'EMPTY_FILE',
        message: 'The file is empty',
        retriable: false,
        at: Date.now(),
      })
    const abort = new AbortController()
    aborts.set(id, abort)
    const uploaded = await client.upload(file, {
      signal: abort.signal,
      onProgress: (progress) => patch(id, { progress }),
    })
    aborts.delete(id)
    if (!uploaded.ok) return fail(uploaded.error)
    patch(id, { state: 'adding', progress: 1 })
    const reply = await client.request('library.import', { mediaId: uploaded.data.media.id })
    if (!reply.ok) return fail(reply.error)
    const { itemId, kind, known } = reply.data
    if (reply.data.kind === 'document' && together.has(id)) batch.add(reply.data.document, id)
    const untranscribed = reply.data.kind === 'meeting' ? reply.data.error : null
    files.delete(id)
    patch(id, { state: known ? 'known' : 'done', itemId, kind, untranscribed })
    if (alone.has(id)) opened.value = { id: itemId, kind }
    leaveSoon(id, alone.has(id))
  }

  const retry = (id: number): void => {
    if (!files.has(id)) return
    patch(id, { state: 'waiting', failure: null })
    pump()
  }
  const canRetry = (id: number): boolean => files.has(id)
  const busy = computed(() => imports.value.some(isMoving))
  return { imports, opened, busy, take, retry, canRetry, dismiss, dismissAll, seen }
})
