import type {
  RemoteItem,
  RemoteItemKind,
  RemoteItemPage,
  RemoteItemVersion,
} from '../../../shared/model/remote-item.ts'
import type { RawBody } from '../../../shared/model/raw-body.ts'
import type { Run } from '../../../shared/model/run.ts'
import { isRecord, textField } from '../../api/json.ts'
import { AppError } from '../../errors.ts'
import type { RemoteItemRecord, RemoteItemVersionRecord } from '../../store/remote-items-types.ts'
import { kinds } from './kinds.ts'
import { createReader, viewOf, type ReaderDeps } from './reader.ts'

/** What is read back from the service by its id and kept: Responses (service-notes 13) and conversations with the slides agent (service-notes 10). */
export interface RemoteItems {
  /** Reads one; known ones are read again. `asked` is what the question names beside the id. */
  fetch(request: {
    readonly kind: RemoteItemKind
    readonly remoteId: string
    readonly asked?: Readonly<Record<string, unknown>> | undefined
    readonly accountId?: string | undefined
  }): RemoteItem
  /** Keeps a reply that a run of an operation brought, as if it had been asked for here. */
  take(run: Run, reply: RawBody): Promise<void>
  /** Newest first. */
  list(query: {
    readonly kind: RemoteItemKind
    readonly query: string
    readonly before: string | null
    readonly limit: number
  }): RemoteItemPage
  /** One with a reading of it, the newest unless `version` says otherwise. Throws NOT_FOUND. */
  get(kind: RemoteItemKind, id: string, version?: number): FetchedItem
  /** Asks now; resolves when the answer is stored. A failure of one that was read before is thrown, else it is told in the row. */
  refresh(kind: RemoteItemKind, id: string): Promise<RemoteItem>
  rename(kind: RemoteItemKind, id: string, title: string): RemoteItem
  /** Away from the lists; comes back by `restore` for thirty days. */
  remove(kind: RemoteItemKind, id: string): Promise<void>
  restore(kind: RemoteItemKind, id: string): RemoteItem
  resume(): void
  accountReady(accountId: string): void
  /** Ends every question, so that everything can be erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** One that was read back, with the reading that was asked for; null when none is kept. */
export interface FetchedItem {
  readonly item: RemoteItemRecord
  /** Newest first. */
  readonly versions: readonly RemoteItemVersion[]
  readonly version: number | null
  readonly reply: RawBody | null
}

/** What reading back is built from. */
export interface RemoteItemsDeps extends ReaderDeps {
  activeAccountId(): string
  /** Told when one is not in the lists any more. */
  onRemoved(kind: RemoteItemKind, id: string): void
}

/** Builds the use case over store, accounts and client. */
export function createRemoteItems(deps: RemoteItemsDeps): RemoteItems {
  const { clock } = deps
  const store = deps.store.remoteItems
  const reader = createReader(deps)

  const need = (kind: RemoteItemKind, id: string): RemoteItemRecord => {
    const item = store.get(id)
    if (item?.kind !== kind) throw new AppError('NOT_FOUND', 'There is no such thing')
    return item
  }
  const notify = (item: RemoteItemRecord): RemoteItem => {
    deps.onRemoteItem(viewOf(item))
    return viewOf(item)
  }
  const shown = ({ replyId: _, ...version }: RemoteItemVersionRecord): RemoteItemVersion => version

  /** The row of an id at the service, made when it is new. */
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
      if (!account) throw new AppError('NOT_FOUND', 'No such account')
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
      if (number !== undefined && !version) throw new AppError('NOT_FOUND', 'No such version')
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
      if (error && before.fetchedAt !== null) throw error
      return viewOf(need(kind, id))
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
      deps.onRemoved(kind, id)
    },
    restore(kind, id) {
      const item = store.restore(id)
      if (item?.kind !== kind) throw new AppError('NOT_FOUND', 'There is no such thing')
      reader.takeUp(item)
      return notify(item)
    },
    resume() {
      for (const item of store.unfinished()) reader.takeUp(item)
    },
    accountReady(accountId) {
      for (const item of store.unfinished())
        if (item.accountId === accountId && item.state === 'waiting')
          void reader.poll(item.id)
    },
    stopAll: () => reader.dropAll(),
    shutdown: () => reader.close(),
  }
}

/** What a run read back, by its operation; null for any other. */
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
      // Only what the service stored can be asked for again.
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

/** A row of which nothing came yet. */
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
