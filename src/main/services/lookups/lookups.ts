import type { Lookup, LookupKind, LookupPage, LookupVersion } from '../../../shared/model/lookup.ts'
import type { RawBody } from '../../../shared/model/raw-body.ts'
import type { Run } from '../../../shared/model/run.ts'
import { isRecord, textField } from '../../api/json.ts'
import { AppError } from '../../errors.ts'
import type { LookupRecord, LookupVersionRecord } from '../../store/lookups-types.ts'
import { kinds } from './kinds.ts'
import { createReader, viewOf, type ReaderDeps } from './reader.ts'

/** What is read back from the service by its id and kept: Responses (spec 4.1) and conversations with the slides agent (spec 4.6). */
export interface Lookups {
  /** Reads one; known ones are read again. `asked` is what the question names beside the id. */
  fetch(request: {
    readonly kind: LookupKind
    readonly remoteId: string
    readonly asked?: Readonly<Record<string, unknown>> | undefined
    readonly accountId?: string | undefined
  }): Lookup
  /** Keeps a reply that a run of an operation brought, as if it had been asked for here. */
  take(run: Run, reply: RawBody): Promise<void>
  /** Newest first. */
  list(query: {
    readonly kind: LookupKind
    readonly query: string
    readonly before: string | null
    readonly limit: number
  }): LookupPage
  /** One with a reading of it, the newest unless `version` says otherwise. Throws NOT_FOUND. */
  get(kind: LookupKind, id: string, version?: number): LookedUp
  /** Asks now; resolves when the answer is stored. A failure of one that was read before is thrown, else it is told in the row. */
  refresh(kind: LookupKind, id: string): Promise<Lookup>
  rename(kind: LookupKind, id: string, title: string): Lookup
  /** Away from the lists; comes back by `restore` for thirty days. */
  remove(kind: LookupKind, id: string): Promise<void>
  restore(kind: LookupKind, id: string): Lookup
  resume(): void
  accountReady(accountId: string): void
  /** Ends every question, so that everything can be erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** One that was read back, with the reading that was asked for; null when none is kept. */
export interface LookedUp {
  readonly lookup: LookupRecord
  /** Newest first. */
  readonly versions: readonly LookupVersion[]
  readonly version: number | null
  readonly reply: RawBody | null
}

/** What reading back is built from. */
export interface LookupsDeps extends ReaderDeps {
  activeAccountId(): string
  /** Told when one is not in the lists any more. */
  onRemoved(kind: LookupKind, id: string): void
}

/** Builds the use case over store, accounts and client. */
export function createLookups(deps: LookupsDeps): Lookups {
  const { clock } = deps
  const store = deps.store.lookups
  const reader = createReader(deps)

  const need = (kind: LookupKind, id: string): LookupRecord => {
    const lookup = store.get(id)
    if (lookup?.kind !== kind) throw new AppError('NOT_FOUND', 'There is no such thing')
    return lookup
  }
  const told = (lookup: LookupRecord): Lookup => {
    deps.onLookup(viewOf(lookup))
    return viewOf(lookup)
  }
  const shown = ({ replyId: _, ...version }: LookupVersionRecord): LookupVersion => version

  /** The row of an id at the service, made when it is new. */
  const rowOf = (
    about: Pick<LookupRecord, 'kind' | 'accountId' | 'accountName' | 'remoteId' | 'asked'>,
  ): LookupRecord => {
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
      const lookup = rowOf({ kind, accountId, accountName: account.name, remoteId, asked })
      void reader.poll(lookup.id)
      return told(lookup)
    },
    async take({ operation, accountId, accountName, input, value, engine, notice }, raw) {
      const taken = takenFrom(operation, input, value)
      if (!taken) return
      const { kind, remoteId, asked } = taken
      const reading = { raw, told: kinds[kind].read(raw.body, remoteId), engine, notice }
      const lookup = rowOf({ kind, accountId, accountName, remoteId, asked })
      await reader.take(lookup.id, reading)
    },
    list: (query) => {
      const { lookups, next } = store.list(query)
      return { lookups: lookups.map((each) => viewOf(each as LookupRecord)), next }
    },
    get(kind, id, number) {
      const lookup = need(kind, id)
      const versions = store.versions(id)
      const version = number === undefined ? versions[0] : versions.find((v) => v.number === number)
      if (number !== undefined && !version) throw new AppError('NOT_FOUND', 'No such version')
      const reply = version && deps.store.replies.get(version.replyId)
      return {
        lookup,
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
      return told(renamed ?? need(kind, id))
    },
    async remove(kind, id) {
      need(kind, id)
      await reader.drop(id)
      store.remove(id, clock())
      deps.onRemoved(kind, id)
    },
    restore(kind, id) {
      const lookup = store.restore(id)
      if (lookup?.kind !== kind) throw new AppError('NOT_FOUND', 'There is no such thing')
      reader.takeUp(lookup)
      return told(lookup)
    },
    resume() {
      for (const lookup of store.unfinished()) reader.takeUp(lookup)
    },
    accountReady(accountId) {
      for (const lookup of store.unfinished())
        if (lookup.accountId === accountId && lookup.state === 'waiting')
          void reader.poll(lookup.id)
    },
    stopAll: () => reader.dropAll(),
    shutdown: () => reader.close(),
  }
}

/** What a run read back, by its operation; null for any other. */
function takenFrom(
  operation: string,
  input: Run['input'],
  value: unknown,
): Pick<LookupRecord, 'kind' | 'remoteId' | 'asked'> | null {
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
      const { conversationId, ...asked } = input
      return { kind: 'slides', remoteId: String(conversationId), asked }
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
