import type { KnowledgeBaseBrief, KnownBases } from '../../../../shared/model/handover.ts'
import type { Run } from '../../../../shared/model/run.ts'
import type { Account } from '../../../../shared/service/profiles.ts'
import type { Api, ServiceTarget } from '../../../api/types.ts'
import type { Clock } from '../../../deps.ts'
import { AppError, toFailure } from '../../../errors.ts'
import type { Store } from '../../../store/types.ts'
import type { Accounts } from '../../accounts/accounts.ts'

/** What knowledge bases need. */
export interface BasesDeps {
  readonly store: Pick<Store, 'handovers' | 'writable'>
  readonly api: { readonly knowledge: Pick<Api['knowledge'], 'list'> }
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  /** Runs an operation to its end. */
  run(operation: string, input: Readonly<Record<string, unknown>>, accountId: string): Promise<Run>
}

/** The knowledge bases that a text can be added to. */
export interface Bases {
  /** As the service lists them; those that were kept when it cannot. */
  list(account: Account): Promise<KnownBases>
  /** Throws what ended the run. */
  make(name: string, account: Account): Promise<KnowledgeBaseBrief>
}

/** Bases asked for at a time, and pages of them: somebody who has more picks by other means. */
const pageSize = 100
const mostPages = 10

/** The vectorisation of a base that is made here: the one the service's own pages begin with. */
const embeddingId = 11

/** Builds it. */
export function createBases({ store, api, accounts, clock, run }: BasesDeps): Bases {
  const listed = async (target: ServiceTarget): Promise<readonly KnowledgeBaseBrief[]> => {
    const found: KnowledgeBaseBrief[] = []
    const size = Math.min(pageSize, target.limits.list.pageSize)
    for (let page = 1; page <= mostPages; page++) {
      const { value } = await api.knowledge.list(target, { page, size }, {})
      for (const { id, name, documentSize: documents } of value.bases)
        if (id !== '' && !found.some((one) => one.id === id)) found.push({ id, name, documents })
      if (value.bases.length < size || found.length >= value.total) break
    }
    return found
  }

  return {
    async list({ id: accountId, name: accountName }) {
      try {
        const bases = await listed(await accounts.target(accountId))
        const at = clock()
        if (store.writable) store.handovers.keepBases(accountId, bases, at)
        return { accountId, accountName, bases, at, failure: null }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const kept = store.handovers.bases(accountId)
        return { accountId, accountName, ...kept, failure: toFailure(error, clock()) }
      }
    },
    async make(name, account) {
      const { value } = await run('knowledge.create', { name, embeddingId }, account.id)
      const id = idOf(value)
      if (id === null) throw new AppError('MALFORMED_REPLY', 'The reply does not name the base')
      const made = { id, name, documents: 0 }
      const { bases } = store.handovers.bases(account.id)
      store.handovers.keepBases(account.id, [made, ...bases], clock())
      return made
    },
  }
}

const idOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? value.id
    : null
