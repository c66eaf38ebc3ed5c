import { parseJson } from '../../../provider-client/json.ts'
import { readResponse } from '../../../provider-client/response-parsing.ts'
import type { RemoteItems } from '../service/remote-items/remote-items.ts'
import { viewOf } from '../service/remote-items/reader.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'
import { usageIn } from './reply-usage.ts'

/** Handlers of stored Responses of the provider, fetched and saved (service-notes 13). */
export const responseHandlers = (
  remoteItems: RemoteItems,
): Pick<
  Handlers,
  | 'responses.fetch'
  | 'responses.list'
  | 'responses.get'
  | 'responses.raw'
  | 'responses.refresh'
  | 'responses.rename'
  | 'responses.remove'
  | 'responses.restore'
> => ({
  'responses.fetch': ({ ids, accountId }) =>
    [...new Set(ids)].map((remoteId) =>
      remoteItems.fetch({ kind: 'response', remoteId, accountId }),
    ),
  'responses.list': (query) => remoteItems.list({ kind: 'response', ...query }),
  'responses.get'({ id, version: wanted }) {
    const { item: remoteItem, versions, version, reply } = remoteItems.get('response', id, wanted)
    const json = reply && parseJson(reply.body)
    return {
      remoteItem: viewOf(remoteItem),
      versions,
      version,
      response: reply && readResponse(json, remoteItem.remoteId),
      usage: usageIn(json),
    }
  },
  'responses.raw': ({ id, version }) => ({ reply: remoteItems.get('response', id, version).reply }),
  'responses.refresh': ({ id }) => remoteItems.refresh('response', id),
  'responses.rename': ({ id, title }) => remoteItems.rename('response', id, title),
  async 'responses.remove'({ id }) {
    await remoteItems.remove('response', id)
    return {}
  },
  'responses.restore': ({ id }) => remoteItems.restore('response', id),
})
