import { defineStore } from 'pinia'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RemoteItem } from '../../../../../shared/model/remote-item.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useRemoteItemsStore } from '../remote-items/remote-items-store.ts'
import { remoteItemRoutes } from '../remote-items/remote-item-routes.ts'

/** Stored Responses of the provider (service-notes 13) as they were fetched, and the opened one. */
export const useResponses = defineStore('responses', () => {
  const client = useClient()
  const store = useRemoteItemsStore(
    remoteItemRoutes('response', {
      removedKey: () => 'responses.removed',
      list: (query) => client.request('responses.list', query),
      get: (which) => client.request('responses.get', which),
      raw: (which) => client.request('responses.raw', which),
      refresh: (request) => client.request('responses.refresh', request),
      rename: (request) => client.request('responses.rename', request),
      remove: (request) => client.request('responses.remove', request),
      restore: (request) => client.request('responses.restore', request),
    }),
  )
  /** Fetches Responses by their IDs and saves them; returns the failure if the request is not accepted. */
  const fetch = async (
    ids: readonly string[],
  ): Promise<{ readonly remoteItems: readonly RemoteItem[] } | { readonly failure: Failure }> => {
    const reply = await client.request('responses.fetch', { ids: [...ids] })
    if (!reply.ok) return { failure: reply.error }
    for (const remoteItem of reply.data.toReversed()) store.put(remoteItem)
    return { remoteItems: reply.data }
  }
  return { ...store, fetch }
})
