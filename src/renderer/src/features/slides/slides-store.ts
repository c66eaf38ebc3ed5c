import { defineStore } from 'pinia'
import { versionOwnerOf } from '../../../../shared/model/lookup.ts'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { SlidesVariables } from '../../../../shared/bridge/slides.ts'
import type { Lookup } from '../../../../shared/model/lookup.ts'
import { useClient } from '../../api/use-client.ts'
import { useLookupStore } from '../bench/lookup-store.ts'

/** Conversations with the slides agent (spec 4.6) as they were read, and the opened one with its pages and files. */
export const useSlides = defineStore('slides', () => {
  const client = useClient()
  const store = useLookupStore({
    kind: 'slides',
    removedKey: 'slides.removed',
    list: (query) => client.request('slides.list', query),
    get: (request) => client.request('slides.get', request),
    raw: (request) => client.request('slides.raw', request),
    refresh: (request) => client.request('slides.refresh', request),
    rename: (request) => client.request('slides.rename', request),
    remove: (request) => client.request('slides.remove', request),
    restore: (request) => client.request('slides.restore', request),
  })
  /** Reads a conversation by its id and keeps it; what is not accepted comes back as the failure. */
  const fetch = async (
    conversationId: string,
    variables: SlidesVariables,
  ): Promise<{ readonly lookup: Lookup } | { readonly failure: Failure }> => {
    const reply = await client.request('slides.fetch', { conversationId, variables })
    if (!reply.ok) return { failure: reply.error }
    store.put(reply.data)
    return { lookup: reply.data }
  }
  /** Tries again to fetch what is missing of the shown reading. */
  const retryFiles = async (): Promise<void> => {
    const { lookup, version } = store.opened.value ?? {}
    if (!lookup) return
    const which = { id: lookup.id, ...(typeof version === 'number' && { version }) }
    const reply = await client.request('slides.retry', which)
    if (!reply.ok) store.actionFailure.value = reply.error
    await store.refreshOpened()
  }
  client.onEvent((event) => {
    const { lookup, version } = store.opened.value ?? {}
    if (event.type !== 'files.changed' || !lookup || typeof version !== 'number') return
    if (event.ownerId === versionOwnerOf(lookup.id, version)) void store.refreshOpened()
  })
  return { ...store, fetch, retryFiles }
})
