import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { defaultParseOptions, type DocumentItem } from '../../../../../shared/model/document.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { useShell } from '../../../lib/app-store.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useSettings } from '../../../lib/settings-store.ts'
import { moved, ordered, type BatchEntry, type BatchOrder } from './batch-plan.ts'

/** Documents that were dropped together and not sent yet: planned one at a time, sorted, started together. */
export const useBatch = defineStore('batch', () => {
  const client = useClient()
  const shell = useShell()
  const settings = useSettings()
  const entries = shallowRef<readonly BatchEntry[]>([])
  const starting = ref(false)

  /** The account that parses the documents: the active one, unless the user chose This computer for its documents. */
  const accountOfBatch = (): string | undefined => {
    const active = shell.connection?.accountId
    const choice = active === undefined ? undefined : settings.settings?.parseOnArrival[active]
    return choice === 'this-computer' ? localAccountId : active
  }

  const patch = (id: string, change: Partial<BatchEntry>): void => {
    entries.value = entries.value.map((one) => (one.id === id ? { ...one, ...change } : one))
  }
  const drop = (id: string): void => {
    entries.value = entries.value.filter((one) => one.id !== id)
  }
  const plan = async (id: string): Promise<void> => {
    const reply = await client.request('documents.plan', {
      id,
      options: { ...defaultParseOptions },
    })
    if (!reply.ok) {
      patch(id, { state: 'failed', failure: reply.error })
      return
    }
    const { pages, requests } = reply.data.plan
    // All of it is already parsed the same way.
    if (requests === 0) drop(id)
    else patch(id, { state: 'ready', pages, requests, failure: null })
  }
  /** Adds a document to the batch, unless it was already sent. */
  const add = (document: DocumentItem, at: number): void => {
    if (document.versions.length > 0 || entries.value.some(({ id }) => id === document.id)) return
    const { id, title, facts, unlocked } = document
    const locked = facts?.locked === 'user' && !unlocked
    const entry: BatchEntry = {
      id,
      title,
      at,
      state: locked ? 'locked' : 'planning',
      pages: facts?.pages ?? 0,
      requests: 0,
      failure: null,
    }
    entries.value = [...entries.value, entry].toSorted((a, b) => a.at - b.at)
    if (!locked) void plan(id)
  }
  const order = (by: BatchOrder, language: string): void => {
    entries.value = ordered(entries.value, by, language)
  }
  const move = (id: string, by: 1 | -1): void => {
    entries.value = moved(entries.value, id, by)
  }
  /**
   * Starts all documents that can be sent one after the other, so that they are sent in this order; failed ones stay, with the
   * reason. Documents removed meanwhile are not sent, nor those added after the start.
   */
  const startAll = async (): Promise<void> => {
    if (starting.value) return
    starting.value = true
    // Chosen once: the account may be switched meanwhile.
    const accountId = accountOfBatch()
    const readyIds = entries.value.filter(({ state }) => state === 'ready').map(({ id }) => id)
    for (const id of readyIds) {
      if (!entries.value.some((one) => one.id === id)) continue
      const reply = await client.request('documents.parse', {
        id,
        options: { ...defaultParseOptions },
        fresh: false,
        ...(accountId !== undefined && { accountId }),
      })
      if (reply.ok) drop(id)
      else patch(id, { state: 'failed', failure: reply.error })
    }
    starting.value = false
  }
  const dismiss = (): void => {
    entries.value = []
  }

  client.onEvent((event) => {
    if (event.type !== 'document.changed') return
    const { id, title, unlocked, versions, deletedAt } = event.document
    const entry = entries.value.find((one) => one.id === id)
    if (!entry) return
    // It was started, or deleted, elsewhere.
    if (versions.length > 0 || deletedAt !== null) {
      drop(id)
      return
    }
    patch(id, { title })
    if (entry.state !== 'locked' || !unlocked) return
    patch(id, { state: 'planning' })
    void plan(id)
  })
  return { entries, starting, accountOfBatch, add, order, move, drop, startAll, dismiss }
})
