import type { AppEvent } from '../../../../shared/bridge/events.ts'
import type { Lookup, LookupKind } from '../../../../shared/model/lookup.ts'
import type { Client } from '../../api/client.ts'
import { mapped, type KeptRoutes } from './kept-store.ts'

/** An opened one of what is read back by its id. */
interface OpenedLookup {
  readonly lookup: Lookup
  readonly version: number | null
}

/** The routes of Responses or of presentations: what both have in common, and `own`, what opens one. */
export function lookupRoutes<O extends OpenedLookup>(
  client: Client,
  { domain, kind }: { readonly domain: 'responses' | 'slides'; readonly kind: LookupKind },
  own: Pick<KeptRoutes<Lookup, O>, 'get' | 'retry' | 'filesOf'>,
): KeptRoutes<Lookup, O> {
  return {
    ...own,
    removedKey: `${domain}.removed`,
    list: async (query) =>
      mapped(await client.request(`${domain}.list`, query), ({ lookups, next }) => ({
        rows: lookups,
        next,
      })),
    raw: (which) => client.request(`${domain}.raw`, which),
    refresh: (request) => client.request(`${domain}.refresh`, request),
    rename: (request) => client.request(`${domain}.rename`, request),
    remove: (request) => client.request(`${domain}.remove`, request),
    restore: (request) => client.request(`${domain}.restore`, request),
    rowOf: ({ lookup }) => lookup,
    versionOf: ({ version }) => version,
    changed: (event: AppEvent) =>
      event.type === 'lookup.changed' && event.lookup.kind === kind ? event.lookup : null,
    removed: (event: AppEvent) =>
      event.type === 'lookup.removed' && event.kind === kind ? event.id : null,
  }
}
