import type { Failure } from '../../../../shared/contract/reply.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { KnowledgeBase, KnowledgeBases } from '../../../../shared/model/knowledge.ts'
import { localAccountId } from '../../../../shared/provider/profiles.ts'
import type { ServiceTarget } from '../../../provider-client/types.ts'
import type { Api } from '../../../provider-client/api.ts'
import { AppError, asNotOffered, toFailure } from '../../../errors.ts'
import { fetchList, pageSizeOf } from '../../../mirror/fetch-list.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Clock } from '../../../deps.ts'
import type { ListedBase } from '../store/knowledge-bases.ts'
import type { Context } from '../../../context.ts'

/** Identifies a knowledge base of an account. */
export interface BaseRef {
  readonly accountId: string
  readonly baseId: string
}

/** Knowledge bases of accounts: read from the mirror, fetched into it, created, changed and deleted. */
export interface Bases {
  /** Those of an account, or of all accounts, the active one first. */
  list(request: ParsedOf<'knowledge.list'>): KnowledgeBases
  /** Joins a fetch of the same account in progress. Failures of the provider are reported in the reply. */
  refresh(request: ParsedOf<'knowledge.refresh'>): Promise<KnowledgeBases>
  /** Throws NOT_FOUND if it is not in the mirror. */
  need(ref: BaseRef): KnowledgeBase
  /** Fetches one again; marks one that the provider no longer has. Throws the failures of the provider. */
  fetch(ref: BaseRef): Promise<KnowledgeBase>
  /** As {@link Bases.fetch}, plus the account's capacity, where available now; never throws. */
  catchUp(ref: BaseRef): Promise<void>
  create(fields: BaseFields, accountId: string): Promise<KnowledgeBase>
  /** Sends only changed fields, and nothing if there are none. */
  update(ref: BaseRef, fields: Partial<BaseFields>): Promise<KnowledgeBase>
  /** Deletes it at the provider; saved data stays and is marked. */
  remove(ref: BaseRef): Promise<KnowledgeBase>
  /** Throws BAD_REQUEST for one that the provider still has. */
  forget(ref: BaseRef): void
}

/** Fields of a knowledge base. */
export type BaseFields = Omit<ParsedOf<'knowledge.create'>, 'accountId'>

/** Request for the first page of a list. */
const firstPage = { query: '', order: 'service', offset: 0, limit: 200 } as const

const fieldNames = [
  'name',
  'description',
  'embeddingId',
  'contextual',
  'background',
  'icon',
] as const

/** Dependencies of knowledge bases. */
type BasesDeps = Pick<Context, 'store' | 'api' | 'accounts' | 'clock' | 'log' | 'emit'>

export function createBases(deps: BasesDeps): Bases {
  const { store, api, accounts, clock } = deps
  const { bases, log } = store.knowledge
  /** Notifies every page of a changed knowledge base, or of the list if `baseId` is null. */
  const changed = (accountId: string, baseId: string | null): void =>
    deps.emit({ type: 'knowledge.changed', accountId, baseId })
  const failures = new Map<string, Failure>()
  const fetching = new Map<string, Promise<void>>()

  const keepCapacity = async (target: ServiceTarget): Promise<void> => {
    const { value } = await api.knowledge.capacity(target, {}, {})
    if (store.writable) bases.keepCapacity(target.accountId, value, clock())
  }
  const fetchAll = async (accountId: string): Promise<void> => {
    try {
      const target = await accounts.target(accountId)
      const gone = await fetchBases(deps, target)
      for (const id of gone) log.add(accountId, id, { what: 'gone' }, clock())
      await keepCapacity(target)
      failures.delete(accountId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failures.set(accountId, toFailure(asNotOffered(error, 'knowledgeBases'), clock()))
    }
    changed(accountId, null)
  }
  /** The requested account, or the active one and then others with knowledge bases. */
  const accountsOf = (requested: string | undefined): readonly [string, ...string[]] => {
    if (requested !== undefined) return [requested]
    const active = accounts.active().id
    const known = new Set(bases.accountIds())
    const others = store.accounts.list().filter(({ id }) => id !== active && known.has(id))
    return [active, ...others.map(({ id }) => id)]
  }
  const list: Bases['list'] = ({ accountId: requested, ...request }) => {
    const accountIds = accountsOf(requested)
    const [accountId, ...others] = accountIds
    return {
      accountId,
      ...bases.list({ accountIds, ...request }),
      listedAt: bases.listedAt(accountId),
      capacity: bases.capacity(accountId),
      failure: failures.get(accountId) ?? null,
      unreachable: others.flatMap((id) => {
        const failure = failures.get(id)
        return failure ? [{ accountId: id, failure }] : []
      }),
    }
  }
  const refresh = async (accountId: string): Promise<void> => {
    const work =
      fetching.get(accountId) ?? fetchAll(accountId).finally(() => fetching.delete(accountId))
    fetching.set(accountId, work)
    await work
  }
  const need: Bases['need'] = ({ accountId, baseId }) => {
    const base = bases.get(accountId, baseId)
    if (!base) throw new AppError('NOT_FOUND', 'Knowledge base not found')
    return base
  }
  const fetch: Bases['fetch'] = async (ref) => {
    const { accountId, baseId } = ref
    const target = await accounts.target(accountId)
    const fetchRun = bases.fetch()
    try {
      const { value } = await api.knowledge.get(target, { id: baseId }, {})
      // A response may omit the ID, and must not replace another knowledge base.
      const base = bases.keep(accountId, { ...listedBase(value), id: baseId }, clock(), fetchRun)
      changed(accountId, baseId)
      return base
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_NOT_FOUND') {
        bases.markGone(accountId, baseId, 'unlisted', clock(), fetchRun)
        changed(accountId, baseId)
      }
      throw error
    } finally {
      fetchRun.end()
    }
  }

  /** Fetches what an operation changed besides its knowledge base; what is not available now follows with the next list. */
  const catchUpRoom = async (accountId: string): Promise<void> => {
    try {
      await keepCapacity(await accounts.target(accountId))
      changed(accountId, null)
    } catch (error) {
      deps.log.info('failed to fetch the storage of knowledge bases', { error })
    }
  }

  return {
    list,
    need,
    fetch,
    async catchUp(ref) {
      await fetch(ref).catch((error: unknown) =>
        deps.log.info('failed to fetch a knowledge base', { error }),
      )
      await catchUpRoom(ref.accountId)
    },
    async refresh({ accountId, all }) {
      const [first, ...others] = accountsOf(accountId)
      // The keys of other accounts are used only when the user asks for all of them.
      const wanted = others.filter((id) => all || id === localAccountId)
      await Promise.all([first, ...wanted].map(refresh))
      return list({ ...firstPage, accountId })
    },
    async create(fields, accountId) {
      const target = await accounts.target(accountId)
      const { value } = await api.knowledge.create(target, fields, {})
      // Saved before anything else can fail: it exists at the provider from now on.
      const made = { ...fields, id: value.id, documents: 0, tokens: 0, words: 0 }
      bases.keep(accountId, made, clock())
      log.add(accountId, value.id, { what: 'created' }, clock())
      changed(accountId, null)
      const ref = { accountId, baseId: value.id }
      return fetch(ref).catch(() => need(ref))
    },
    async update(ref, fields) {
      const before = need(ref)
      const names = fieldNames.filter(
        (name) => fields[name] !== undefined && fields[name] !== before[name],
      )
      if (names.length === 0) return before
      const target = await accounts.target(ref.accountId)
      const sent = Object.fromEntries(names.map((name) => [name, fields[name]]))
      await api.knowledge.update(target, { id: ref.baseId, ...sent }, {})
      const { id: _, ...known } = before
      bases.keep(ref.accountId, { ...known, ...sent, id: ref.baseId }, clock())
      log.add(ref.accountId, ref.baseId, { what: 'edited', fields: names }, clock())
      changed(ref.accountId, ref.baseId)
      return fetch(ref).catch(() => need(ref))
    },
    async remove(ref) {
      const { accountId, baseId } = ref
      need(ref)
      const target = await accounts.target(accountId)
      try {
        await api.knowledge.delete(target, { id: baseId }, {})
      } catch (error) {
        // It was already deleted, which is the intended result.
        if (!(error instanceof AppError) || error.code !== 'SERVICE_NOT_FOUND') throw error
      }
      bases.markGone(accountId, baseId, 'deleted', clock())
      log.add(accountId, baseId, { what: 'deleted' }, clock())
      changed(accountId, baseId)
      void catchUpRoom(accountId)
      return need(ref)
    },
    forget(ref) {
      if (need(ref).gone === null)
        throw new AppError('BAD_REQUEST', 'The provider still has this knowledge base', {
          params: { what: 'base' },
        })
      bases.forget(ref.accountId, ref.baseId)
      changed(ref.accountId, null)
    },
  }
}

/** Dependencies for fetching the list of knowledge bases. */
interface BasesSource {
  readonly store: Pick<Store, 'knowledge' | 'writable'>
  readonly api: { readonly knowledge: Pick<Api['knowledge'], 'list'> }
  readonly clock: Clock
}

/**
 * Fetches all knowledge bases of an account into the mirror; returns IDs that are no longer listed. Saves pages before a
 * failure.
 */
export function fetchBases(
  { store, api, clock }: BasesSource,
  target: ServiceTarget,
): Promise<readonly string[]> {
  const { accountId } = target
  const { bases } = store.knowledge
  const size = pageSizeOf(target)
  return fetchList(
    size,
    bases.fetch,
    async (page) => {
      const { value } = await api.knowledge.list(target, { page, size }, {})
      return { rows: value.bases.map(listedBase), total: value.total }
    },
    (rows, options) => (store.writable ? bases.keepAll(accountId, rows, clock(), options) : []),
  )
}

/** Converts a knowledge base of the client to the form of the mirror. */
const listedBase = ({
  documentSize: documents,
  length: tokens,
  wordNum: words,
  ...base
}: Awaited<ReturnType<Api['knowledge']['get']>>['value']): ListedBase => ({
  ...base,
  documents,
  tokens,
  words,
})
