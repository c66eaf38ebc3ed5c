import type { Reply } from '../../../../shared/bridge/reply.ts'
import type { Lookup, LookupKind, LookupPage } from '../../../../shared/model/lookup.ts'
import { mapped, type KeptRoutes } from './kept-store.ts'

/** An opened one of what is read back by its id. */
interface OpenedLookup {
  readonly lookup: Lookup
  readonly version: number | null
}

/** What Responses and presentations ask main for by routes of their own. */
type Own<O> = Omit<
  KeptRoutes<Lookup, O>,
  'list' | 'rowOf' | 'versionOf' | 'changed' | 'removed' | 'narrowed'
> & {
  list(query: { query: string; before: string | null; limit: number }): Promise<Reply<LookupPage>>
}

/** The routes of Responses or of presentations, with what both have in common. */
export const lookupRoutes = <O extends OpenedLookup>(
  kind: LookupKind,
  own: Own<O>,
): KeptRoutes<Lookup, O> => ({
  ...own,
  list: async (query) =>
    mapped(await own.list(query), ({ lookups, next }) => ({ rows: lookups, next })),
  rowOf: ({ lookup }) => lookup,
  versionOf: ({ version }) => version,
  changed: (event) =>
    event.type === 'lookup.changed' && event.lookup.kind === kind ? event.lookup : null,
  removed: (event) => (event.type === 'lookup.removed' && event.kind === kind ? event.id : null),
})
