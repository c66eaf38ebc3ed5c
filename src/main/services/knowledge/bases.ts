import type { ParsedOf } from '../../../shared/bridge/routes.ts'
import type { KnowledgeBases } from '../../../shared/model/knowledge.ts'
import type { Failure } from '../../../shared/bridge/reply.ts'
import type { Api } from '../../api/types.ts'
import { AppError, toFailure } from '../../errors.ts'
import { fetchBases, type ListingDeps } from './listing.ts'

/** What the lists of bases are built from. */
export interface BaseListDeps extends ListingDeps {
  readonly api: Pick<Api, 'knowledge'>
}

/** The bases of accounts: read from the mirror, fetched into it. */
export interface BaseLists {
  list(request: Omit<ParsedOf<'knowledge.list'>, 'accountId'>, accountId: string): KnowledgeBases
  /** Joins a fetching of the same account that is under way. Throws nothing but what is not the service's. */
  refresh(accountId: string): Promise<KnowledgeBases>
}

/** The first screen of a list. */
const firstPage = { query: '', order: 'service', offset: 0, limit: 200 } as const

/** Builds it. */
export function createBaseLists(deps: BaseListDeps): BaseLists {
  const { store, api, accounts, clock } = deps
  const failures = new Map<string, Failure>()
  const fetching = new Map<string, Promise<void>>()

  const fetchAll = async (accountId: string): Promise<void> => {
    try {
      const target = await accounts.target(accountId)
      await fetchBases(deps, target)
      const { value } = await api.knowledge.capacity(target, {}, {})
      if (store.writable) store.knowledge.bases.keepCapacity(accountId, value, clock())
      failures.delete(accountId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failures.set(accountId, toFailure(error, clock()))
    }
  }
  const list: BaseLists['list'] = (request, accountId) => ({
    accountId,
    ...store.knowledge.bases.list({ accountId, ...request }),
    listedAt: store.knowledge.bases.listedAt(accountId),
    capacity: store.knowledge.bases.capacity(accountId),
    failure: failures.get(accountId) ?? null,
  })

  return {
    list,
    async refresh(accountId) {
      const already = fetching.get(accountId)
      const work = already ?? fetchAll(accountId).finally(() => fetching.delete(accountId))
      fetching.set(accountId, work)
      await work
      return list(firstPage, accountId)
    },
  }
}
