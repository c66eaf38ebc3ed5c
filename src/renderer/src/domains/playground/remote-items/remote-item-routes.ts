import type { Reply } from '../../../../../shared/contract/reply.ts'
import type {
  RemoteItem,
  RemoteItemKind,
  RemoteItemPage,
} from '../../../../../shared/model/remote-item.ts'
import { mapped } from '../../../kit/use-paged-list.ts'
import type { SavedRoutes } from './remote-items-store.ts'

/** An opened item fetched by ID. */
interface OpenedRemoteItem {
  readonly remoteItem: RemoteItem
  readonly version: number | null
}

/** Separate routes of Responses and presentations. */
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

/** The routes of Responses or of presentations, including those that both share. */
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
  removed: (event) =>
    event.type === 'remoteItem.removed' && event.kind === kind ? event.id : null,
})
