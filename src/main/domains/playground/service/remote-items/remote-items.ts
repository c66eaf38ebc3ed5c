import type {
  RemoteItem,
  RemoteItemKind,
  RemoteItemPage,
  RemoteItemVersion,
} from '../../../../../shared/model/remote-item.ts'
import type { RawBody } from '../../../../../shared/model/raw-body.ts'
import type { Run } from '../../../../../shared/model/run.ts'
import { isRecord, textField } from '../../../../provider-client/json.ts'
import { AppError } from '../../../../errors.ts'
import type { RemoteItemRecord, RemoteItemVersionRecord } from '../../store/remote-items-types.ts'
import { kinds } from './kinds.ts'
import { createReader, viewOf, type ReaderDeps } from './reader.ts'

/**
 * Items that are fetched from the provider by ID and saved: Responses (service-notes 13) and conversations with the slides agent
 * (service-notes 10).
 */
export interface RemoteItems {
  /** Fetches an item; known ones are fetched again. `asked` contains request parameters in addition to the ID. */
  fetch(request: {
    readonly kind: RemoteItemKind
    readonly remoteId: string
    readonly asked?: Readonly<Record<string, unknown>> | undefined
    readonly accountId?: string | undefined
  }): RemoteItem
  /** Saves a response of an operation run as if it had been fetched here. */
  take(run: Run, reply: RawBody): Promise<void>
  /** Newest first. */
  list(query: {
    readonly kind: RemoteItemKind
    readonly query: string
    readonly before: string | null
    readonly limit: number
  }): RemoteItemPage
  /** Returns an item with one snapshot, by default the newest. Throws NOT_FOUND. */
  get(kind: RemoteItemKind, id: string, version?: number): FetchedItem
  /**
   * Fetches now; resolves when the response is stored. Throws on failure if it was fetched before; otherwise the row contains the
   * error.
   */
  refresh(kind: RemoteItemKind, id: string): Promise<RemoteItem>
  rename(kind: RemoteItemKind, id: string, title: string): RemoteItem
  /** Removes it from the lists; `restore` works for thirty days. */
  remove(kind: RemoteItemKind, id: string): Promise<void>
  restore(kind: RemoteItemKind, id: string): RemoteItem
  resume(): void
  accountReady(accountId: string): void
  /** Stops all requests, so that everything can be erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** A fetched item with the requested snapshot; null if none is saved. */
interface FetchedItem {
  readonly item: RemoteItemRecord
  /** Newest first. */
  readonly versions: readonly RemoteItemVersion[]
  readonly version: number | null
  readonly reply: RawBody | null
}

/** Dependencies of remote items. */
interface RemoteItemsDeps extends ReaderDeps {
  activeAccountId(): string
}

/** Creates remote items over store, accounts and client. */
export function createRemoteItems(deps: RemoteItemsDeps): RemoteItems {
  const { clock } = deps
  const store = deps.store.remoteItems
  const reader = createReader(deps)

  const need = (kind: RemoteItemKind, id: string): RemoteItemRecord => {
    const item = store.get(id)
    if (item?.kind !== kind) throw new AppError('NOT_FOUND', 'Saved item not found')
    return item
  }
  const notify = (item: RemoteItemRecord): RemoteItem => {
    const remoteItem = viewOf(item)
    deps.emit({ type: 'remoteItem.changed', remoteItem })
    return remoteItem
  }
  const shown = ({ replyId: _, ...version }: RemoteItemVersionRecord): RemoteItemVersion => version

  /** The row of a provider's ID, created if new. */
  const rowOf = (
    about: Pick<RemoteItemRecord, 'kind' | 'accountId' | 'accountName' | 'remoteId' | 'asked'>,
  ): RemoteItemRecord => {
    const { kind, accountId, remoteId, asked } = about
    const at = clock()
    const known = store.find(kind, accountId, remoteId)
    if (known) return store.update(known.id, { asked }, at) ?? known
    const id = deps.ids()
    const times = { nextPollAt: at, createdAt: at, updatedAt: at }
    store.create({ ...unread, ...about, ...times, id, title: remoteId })
    return need(kind, id)
  }

  return {
    fetch({ kind, remoteId, asked = {}, accountId = deps.activeAccountId() }) {
      const account = deps.store.accounts.get(accountId)
      if (!account) throw new AppError('NOT_FOUND', 'Account not found')
      const item = rowOf({ kind, accountId, accountName: account.name, remoteId, asked })
      void reader.poll(item.id)
      return notify(item)
    },
    async take({ operation, accountId, accountName, input, value, engine, notice }, raw) {
      const taken = readBackOf(operation, input, value)
      if (!taken) return
      const { kind, remoteId, asked } = taken
      const snapshot = { raw, reported: kinds[kind].read(raw.body, remoteId), engine, notice }
      const item = rowOf({ kind, accountId, accountName, remoteId, asked })
      await reader.take(item.id, snapshot)
    },
    list: (query) => {
      const { items, next } = store.list(query)
      return { items: items.map((each) => viewOf(each as RemoteItemRecord)), next }
    },
    get(kind, id, number) {
      const item = need(kind, id)
      const versions = store.versions(id)
      const version = number === undefined ? versions[0] : versions.find((v) => v.number === number)
      if (number !== undefined && !version) throw new AppError('NOT_FOUND', 'Version not found')
      const reply = version && deps.store.replies.get(version.replyId)
      return {
        item,
        versions: versions.map(shown),
        version: version?.number ?? null,
        reply: reply
          ? { status: reply.status, contentType: reply.contentType, body: reply.body }
          : null,
      }
    },
    async refresh(kind, id) {
      const before = need(kind, id)
      const { error } = await reader.poll(id)
      const item = need(kind, id)
      // Otherwise the item contains it.
      if (error && (before.fetchedAt !== null || item.error === null)) throw error
      return viewOf(item)
    },
    rename(kind, id, title) {
      need(kind, id)
      const renamed = store.update(id, { title, named: true }, clock())
      return notify(renamed ?? need(kind, id))
    },
    async remove(kind, id) {
      need(kind, id)
      await reader.drop(id)
      store.remove(id, clock())
      deps.emit({ type: 'remoteItem.removed', kind, id })
    },
    restore(kind, id) {
      const item = store.restore(id)
      if (item?.kind !== kind) throw new AppError('NOT_FOUND', 'Saved item not found')
      reader.takeUp(item)
      return notify(item)
    },
    resume() {
      for (const item of store.unfinished()) reader.takeUp(item)
    },
    accountReady(accountId) {
      for (const item of store.unfinished())
        if (item.accountId === accountId && item.state === 'waiting') void reader.poll(item.id)
    },
    stopAll: () => reader.dropAll(),
    shutdown: () => reader.close(),
  }
}

/** The remote item of a run, by its operation; null for any other. */
function readBackOf(
  operation: string,
  input: Run['input'],
  value: unknown,
): Pick<RemoteItemRecord, 'kind' | 'remoteId' | 'asked'> | null {
  const made = isRecord(value) ? value : {}
  switch (operation) {
    case 'responses.retrieve':
      return { kind: 'response', remoteId: String(input['id']), asked: {} }
    case 'responses.create': {
      // Only an item that the provider stored can be fetched again.
      const id = textField(made, 'id')
      return id === null || input['store'] === false
        ? null
        : { kind: 'response', remoteId: id, asked: {} }
    }
    case 'slides.conversation': {
      const { conversationId, ...variables } = input
      return { kind: 'slides', remoteId: String(conversationId), asked: variables }
    }
    default:
      return null
  }
}

/** A row without a response so far. */
const unread = {
  named: false,
  model: null,
  status: null,
  state: 'asking',
  attempts: 0,
  failures: 0,
  intervalMs: 0,
  error: null,
  engine: null,
  notice: null,
  versions: 0,
  fetchedAt: null,
} as const
