import type { KnowledgeBaseBrief, KnownBases } from '../../../../shared/model/document-transfer.ts'
import type { Run } from '../../../../shared/model/run.ts'
import type { Account } from '../../../../shared/service/profiles.ts'
import { AppError, toFailure } from '../../../errors.ts'
import { fetchBases, type ListingDeps } from '../../knowledge/listing.ts'

export interface BasesDeps extends ListingDeps {
  /** Runs an operation to its end. */
  run(operation: string, input: Readonly<Record<string, unknown>>, accountId: string): Promise<Run>
  /** Called after the stored data of an account's knowledge bases changed. */
  onBases(accountId: string): void
}

/** Knowledge bases that a text can be added to. */
export interface Bases {
  /** Returns those that the provider lists; those of the mirror when it cannot. */
  list(account: Account): Promise<KnownBases>
  /** Throws the error that ended the run. */
  make(name: string, account: Account): Promise<KnowledgeBaseBrief>
}

/** Maximum number of knowledge bases offered: users who have more select them elsewhere. */
const maxItems = 1000

/** Embedding model of a knowledge base created here: the default of the provider's own pages. */
const embeddingId = 11

export function createBases(deps: BasesDeps): Bases {
  const { store, accounts, clock, run } = deps
  /** Returns the known knowledge bases, from the mirror. */
  const known = ({ id: accountId, name: accountName }: Account): Omit<KnownBases, 'failure'> => {
    const { bases } = store.knowledge.bases.list({
      accountId,
      query: '',
      order: 'service',
      offset: 0,
      limit: maxItems,
    })
    return {
      accountId,
      accountName,
      bases: bases
        .filter(({ gone }) => gone === null)
        .map(({ id, name, documents }) => ({ id, name, documents })),
      at: store.knowledge.bases.listedAt(accountId),
    }
  }

  return {
    async list(account) {
      try {
        await fetchBases(deps, await accounts.target(account.id))
        deps.onBases(account.id)
        return { ...known(account), failure: null }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { ...known(account), failure: toFailure(error, clock()) }
      }
    },
    async make(name, account) {
      const { value } = await run('knowledge.create', { name, embeddingId }, account.id)
      const id = idOf(value)
      if (id === null)
        throw new AppError(
          'MALFORMED_REPLY',
          'The response does not contain the ID of the knowledge base',
        )
      const made = {
        id,
        name,
        embeddingId,
        description: '',
        contextual: false,
        background: 'blue',
        icon: 'question',
        documents: 0,
        tokens: 0,
        words: 0,
      }
      store.knowledge.bases.keep(account.id, made, clock())
      store.knowledge.log.add(account.id, id, { what: 'created' }, clock())
      deps.onBases(account.id)
      return { id, name, documents: 0 }
    },
  }
}

const idOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? value.id
    : null
