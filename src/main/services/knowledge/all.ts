import type { ParsedOf, ReplyOf } from '../../../shared/bridge/routes.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { createBaseLists, type BaseListDeps } from './bases.ts'

/** What everything about knowledge bases is built from. */
export interface KnowledgeDeps extends BaseListDeps {
  readonly store: Store
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  /** Told after what is kept of an account's bases changed: of one base, or of the list where `baseId` is null. */
  onChange(accountId: string, baseId: string | null): void
}

/** Knowledge bases: their mirror, what is done with them, what goes on in them. */
export interface Knowledge {
  list(request: ParsedOf<'knowledge.list'>): ReplyOf<'knowledge.list'>
  refresh(request: ParsedOf<'knowledge.refresh'>): Promise<ReplyOf<'knowledge.refresh'>>
}

/** Builds it. */
export function createKnowledgeBases(deps: KnowledgeDeps): Knowledge {
  const lists = createBaseLists(deps)
  /** The account that is named, or the active one. Throws NOT_FOUND. */
  const accountOf = (id: string | undefined): string => {
    const account = id === undefined ? deps.accounts.active() : deps.store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'There is no such account')
    return account.id
  }
  return {
    list: ({ accountId, ...request }) => lists.list(request, accountOf(accountId)),
    refresh: ({ accountId }) => lists.refresh(accountOf(accountId)),
  }
}
