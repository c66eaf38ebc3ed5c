import { defineStore } from 'pinia'
import { computed, onScopeDispose, shallowRef } from 'vue'
import type {
  DocumentNews,
  DocumentVersion,
  QueuedVersion,
} from '../../../../../shared/model/document.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { isRunning } from '../entries/parse-state.ts'
import { movesFor } from './queue-order.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Milliseconds within which changes are combined into one read. */
const togetherMs = 150

/** Documents that are being parsed or queued, in the order their pages are sent. */
export const useDocumentQueue = defineStore('documentQueue', () => {
  const client = useClient()
  const versions = shallowRef<readonly QueuedVersion[]>([])
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const load = async (): Promise<void> => {
    clearTimeout(timer)
    const isLatest = latest.start()
    const reply = await client.request('documents.queue', {})
    if (reply.ok && isLatest()) versions.value = reply.data.versions
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void load(), togetherMs)
  }
  const take = (document: DocumentNews): void => {
    const known = versions.value.filter(({ documentId }) => documentId === document.id)
    const open = document.deletedAt === null ? document.versions.filter(isOpen) : []
    const places = (list: readonly DocumentVersion[]): string =>
      list
        .map(({ id, priority }) => `${id} ${priority}`)
        .toSorted()
        .join()
    if (places(known) !== places(open)) {
      soon()
      return
    }
    const news = new Map(open.map((one) => [one.id, one]))
    if (news.size === 0) return
    versions.value = versions.value.map((one) => {
      const next = news.get(one.id)
      return next ? { ...next, title: document.title } : one
    })
  }
  client.onEvent((event) => {
    if (event.type === 'document.changed') take(event.document)
    // After a gap every store reloads; it is indicated by an empty list of IDs.
    const touched = (id: string): boolean => versions.value.some((one) => one.documentId === id)
    if (
      event.type === 'library.changed' &&
      (event.itemIds.length === 0 || event.itemIds.some(touched))
    )
      soon()
  })
  onScopeDispose(() => clearTimeout(timer))

  /** Moves a version before or after all others. */
  const move = async (id: string, to: 'first' | 'last'): Promise<void> => {
    for (const { id: versionId, priority } of movesFor(versions.value, id, to)) {
      const reply = await client.request('documents.prioritise', { versionId, priority })
      if (!reply.ok) break
    }
    await load()
  }
  const stop = async (versionId: string): Promise<void> => {
    await client.request('documents.cancel', { versionId })
    await load()
  }
  /** Returns the position of a version in the queue, from 1; 0 if it is not in it. */
  const placeOf = (id: string): number => versions.value.findIndex((one) => one.id === id) + 1
  const running = computed(() => versions.value.filter(({ state }) => state === 'running').length)
  return { versions, running, load, move, stop, placeOf }
})

const isOpen = ({ state }: DocumentVersion): boolean => isRunning(state)
