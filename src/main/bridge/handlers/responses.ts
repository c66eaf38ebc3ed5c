import { parseJson } from '../../api/json.ts'
import { readResponse } from '../../api/response-parsing.ts'
import type { RemoteItems } from '../../services/remote-items/remote-items.ts'
import { viewOf } from '../../services/remote-items/reader.ts'
import type { Handlers } from '../router.ts'
import { usageIn } from './reply-usage.ts'

/** Stored Responses of the service, read back and kept (service-notes 13). */
export const responseHandlers = (
  lookups: RemoteItems,
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
    [...new Set(ids)].map((remoteId) => lookups.fetch({ kind: 'response', remoteId, accountId })),
  'responses.list': (query) => lookups.list({ kind: 'response', ...query }),
  'responses.get'({ id, version: wanted }) {
    const { lookup, versions, version, reply } = lookups.get('response', id, wanted)
    const json = reply && parseJson(reply.body)
    return {
      lookup: viewOf(lookup),
      versions,
      version,
      response: reply && readResponse(json, lookup.remoteId),
      usage: usageIn(json),
    }
  },
  'responses.raw': ({ id, version }) => ({ reply: lookups.get('response', id, version).reply }),
  'responses.refresh': ({ id }) => lookups.refresh('response', id),
  'responses.rename': ({ id, title }) => lookups.rename('response', id, title),
  async 'responses.remove'({ id }) {
    await lookups.remove('response', id)
    return {}
  },
  'responses.restore': ({ id }) => lookups.restore('response', id),
})
