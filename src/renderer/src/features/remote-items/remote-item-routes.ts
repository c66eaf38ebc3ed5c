import type { Reply } from '../../../../shared/bridge/reply.ts'
import type {
  RemoteItem,
  RemoteItemKind,
  RemoteItemPage,
} from '../../../../shared/model/remote-item.ts'
import { mapped, type SavedRoutes } from './remote-items-store.ts'

/** An opened one of what is read back by its id. */
interface OpenedRemoteItem {
  readonly remoteItem: RemoteItem
  readonly version: number | null
}

/** What Responses and presentations ask main for by routes of their own. */
type Own<O> = Omit<
  SavedRoutes<RemoteItem, O>,
  'list' | 'rowOf' | 'versionOf' | 'changed' | 'removed' | 'narrowed'
> & {
  list(query: {
    query: string
    before: string | null
    limit: number
  }): Promise<Reply<RemoteItemPage>>
}

/** The routes of Responses or of presentations, with what both have in common. */
export const remoteItemRoutes = <O extends OpenedRemoteItem>(
  kind: RemoteItemKind,
  own: Own<O>,
): SavedRoutes<RemoteItem, O> => ({
  ...own,
  list: async (query) =>
    mapped(await own.list(query), ({ items: remoteItems, next }) => ({ rows: remoteItems, next })),
  rowOf: ({ remoteItem }) => remoteItem,
  versionOf: ({ version }) => version,
  changed: (event) =>
    event.type === 'remoteItem.changed' && event.remoteItem.kind === kind ? event.remoteItem : null,
  removed: (event) => (event.type === 'remoteItem.removed' && event.kind === kind ? event.id : null),
})
