import type { ParsedOf, ReplyOf } from '../../../../shared/bridge/routes.ts'
import { limitsWith } from '../../../../shared/service/limits.ts'
import type { Account } from '../../../../shared/service/profiles.ts'
import type { RunSummary } from '../../../../shared/model/run.ts'
import type { Api } from '../../../api/types.ts'
import type { Clock, Ids, Log } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { MediaFiles } from '../../../media/files.ts'
import type { Store } from '../../../store/types.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Runs } from '../../runs/runs.ts'
import { createBases } from './bases.ts'
import { createPushes, type ExtractedText } from './uploads-to-base.ts'
import { createRunEnds } from './run-ends.ts'
import { createGivenTexts } from './texts.ts'

export interface HandoverDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake'>
  readonly api: Pick<Api, 'documents' | 'knowledge'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly runs: Pick<Runs, 'start' | 'get'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  after(ms: number, work: () => void): () => void
  onPushes(documentId: string): void
  /** Called after the stored data of an account's knowledge bases changed. */
  onBases(accountId: string): void
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
