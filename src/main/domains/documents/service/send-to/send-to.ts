import type { ParsedOf, ReplyOf } from '../../../../../shared/contract/routes.ts'
import type {
  KnowledgeBaseBrief,
  KnownBases,
} from '../../../../../shared/model/document-transfer.ts'
import type { RunSummary, Run } from '../../../../../shared/model/run.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import type { ServiceTarget } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { Context } from '../../../../context.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { Runs } from '../../../playground/index.ts'
import { createRunEnds } from './run-ends.ts'
import { createGivenTexts } from '../item-texts.ts'
import { createPushes, type ExtractedText } from './uploads-to-base.ts'

interface HandoverDeps extends Pick<
  Context,
  'store' | 'clock' | 'ids' | 'log' | 'emit' | 'after' | 'random'
> {
  readonly files: Pick<MediaFiles, 'intake'>
  readonly api: Pick<Api, 'documents' | 'knowledge'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly runs: Pick<Runs, 'start' | 'get'>
  /** Fetches all knowledge bases of an account into the mirror. */
  fetchBases(target: ServiceTarget): Promise<unknown>
}

/** Sends a document's text to a chat or to a knowledge base. */
export interface Handover {
  text(request: ParsedOf<'documents.text'>): Promise<ReplyOf<'documents.text'>>
  bases(request: ParsedOf<'documents.bases'>): Promise<ReplyOf<'documents.bases'>>
  newBase(request: ParsedOf<'documents.newBase'>): Promise<ReplyOf<'documents.newBase'>>
  push(request: ParsedOf<'documents.push'>): Promise<ReplyOf<'documents.push'>>
  pushes(request: ParsedOf<'documents.pushes'>): Promise<ReplyOf<'documents.pushes'>>
  /** Records the text of a document that was added to a knowledge base of an account in another way. */
  taken(text: ExtractedText, accountId: string): Promise<void>
  /** Must be called for every run that changed. */
  runChanged(run: RunSummary): void
  /** Continues what an earlier run of the app left; called after the runs themselves have resumed. */
  resume(): void
  shutdown(): void
}

export function createHandover(deps: HandoverDeps): Handover {
  const { store } = deps
  const texts = createGivenTexts(store)
  const ends = createRunEnds(deps.runs, deps.ids)
  const bases = createBases({
    ...deps,
    run: async (operation, input, accountId) =>
      ends.wait((await ends.begin(operation, input, { accountId })).id),
  })
  const pushes = createPushes({ ...deps, texts, ends })
  const accountOf = (id: string | undefined): Account => {
    const account = id === undefined ? deps.accounts.active() : store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }

  return {
    text({ accountId, tokens, ...request }) {
      const maxTokens = tokens ?? limitsWith(accountOf(accountId).profile.limits).chat.tokens
      return texts.text({ ...request, maxTokens })
    },
    bases: ({ accountId }) => bases.list(accountOf(accountId)),
    newBase: ({ name, accountId }) => bases.make(name, accountOf(accountId)),
    push: async ({ accountId, ...request }) => ({
      push: await pushes.push(request, accountOf(accountId)),
    }),
    pushes: async ({ id }) => ({ pushes: await pushes.list(id) }),
    taken: async (text, accountId) => pushes.taken(text, accountOf(accountId)),
    runChanged(run) {
      ends.changed(run)
      pushes.changed(run)
    },
    resume: () => pushes.resume(),
    shutdown: () => pushes.shutdown(),
  }
}

interface BasesDeps extends Pick<HandoverDeps, 'store' | 'clock' | 'fetchBases' | 'emit'> {
  readonly accounts: Pick<Accounts, 'target'>
  /** Runs an operation to its end. */
  run(operation: string, input: Readonly<Record<string, unknown>>, accountId: string): Promise<Run>
}

/** Knowledge bases that a text can be added to. */
interface Bases {
  /** Returns those that the provider lists; those of the mirror when it cannot. */
  list(account: Account): Promise<KnownBases>
  /** Throws the error that ended the run. */
  make(name: string, account: Account): Promise<KnowledgeBaseBrief>
}

/** Maximum number of knowledge bases offered: users who have more select them elsewhere. */
const maxItems = 1000

/** Embedding model of a knowledge base created here: the default of the provider's own pages. */
const embeddingId = 11

function createBases(deps: BasesDeps): Bases {
  const { store, accounts, clock, run } = deps
  /** Returns the known knowledge bases, from the mirror. */
  const known = ({ id: accountId, name: accountName }: Account): Omit<KnownBases, 'failure'> => {
    const { bases } = store.knowledge.bases.list({
      accountIds: [accountId],
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
        await deps.fetchBases(await accounts.target(account.id))
        deps.emit({ type: 'knowledge.changed', accountId: account.id, baseId: null })
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
      deps.emit({ type: 'knowledge.changed', accountId: account.id, baseId: null })
      return { id, name, documents: 0 }
    },
  }
}

const idOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? value.id
    : null
