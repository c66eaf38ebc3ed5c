import { defineStore } from 'pinia'
import { versionOwnerOf, type RemoteItem } from '../../../../../shared/model/remote-item.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { SlidesVariables } from '../../../../../shared/contract/slides.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useRemoteItemsStore } from '../remote-items/remote-items-store.ts'
import { remoteItemRoutes } from '../remote-items/remote-item-routes.ts'

/** Fetched conversations with the slides agent (service-notes 10), and the opened one with its pages and files. */
export const useSlides = defineStore('slides', () => {
  const client = useClient()
  const store = useRemoteItemsStore(
    remoteItemRoutes('slides', {
      removedKey: () => 'slides.removed',
      list: (query) => client.request('slides.list', query),
      get: (which) => client.request('slides.get', which),
      raw: (which) => client.request('slides.raw', which),
      refresh: (request) => client.request('slides.refresh', request),
      rename: (request) => client.request('slides.rename', request),
      remove: (request) => client.request('slides.remove', request),
      restore: (request) => client.request('slides.restore', request),
      retry: (which) => client.request('slides.retry', which),
      filesOf: ({ remoteItem, version, files }) => ({
        owner: versionOwnerOf(remoteItem.id, version ?? 0),
        files,
      }),
    }),
  )
  /** Fetches a conversation by its ID and saves it; returns the failure if the request is not accepted. */
  const fetch = async (
    conversationId: string,
    variables: SlidesVariables,
  ): Promise<{ readonly remoteItem: RemoteItem } | { readonly failure: Failure }> => {
    const reply = await client.request('slides.fetch', { conversationId, variables })
    if (!reply.ok) return { failure: reply.error }
    store.put(reply.data)
    return { remoteItem: reply.data }
  }
  return { ...store, fetch }
})
