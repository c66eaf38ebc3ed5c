import { setImmediate } from 'node:timers/promises'
import { rangesOf } from '../../../shared/document/ranges.ts'
import { planOf } from '../../../shared/document/plan.ts'
import type {
  DocumentFacts,
  DocumentVersion,
  ParseOptions,
  PartPlan,
} from '../../../shared/model/document.ts'
import type { Account } from '../../../shared/service/profiles.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { DocumentRecord, NewPart } from '../../store/documents-types.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { isStoreProblem } from '../transcribe/persist.ts'
import {
  chosenParts,
  fingerprintOf,
  requestedPages,
  partsFor,
  planned,
  shrunk,
  type Planned,
} from './planning.ts'
import type { DocumentsService, ParseRequest, PlannedParse } from './types.ts'

/** What versions are begun with. */
export interface VersionsDeps {
  readonly store: Store
  readonly accounts: Pick<Accounts, 'active'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  after(ms: number, work: () => void): () => void
  /** Pages of a version wait otherwise than before, or stand. */
  onPlanned(version: Pick<DocumentVersion, 'id' | 'documentId'>): void
  /** Some pages of a document were taken over, and more are to come. */
  onStep(documentId: string): void
}

/** Begins versions, plans their parts, takes over what stands. */
export interface Versions {
  plan(request: ParseRequest): PlannedParse
  parse(request: ParseRequest): DocumentVersion
  retry: DocumentsService['retry']
  /** Takes over and plans what a kill left without a part. */
  finish(versionId: string): void
  shutdown(): void
}

/** Pages that are taken over at a time: others come between. */
const atATime = 50
/** Pause before another try when the store was in trouble, in milliseconds. */
const problemMs = 2_000

/** Builds it. */
export function createVersions(deps: VersionsDeps): Versions {
  const { clock, ids } = deps
  const store = deps.store.documents
  const finishing = new Set<string>()
  const settings = () => chosenParts(deps.store.settings.get())
  let closed = false

  const accountOf = (id: string | undefined): Account => {
    const account = id === undefined ? deps.accounts.active() : deps.store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'There is no such account')
    return account
  }
  const documentOf = (id: string): DocumentRecord & { readonly facts: DocumentFacts } => {
    const document = store.get(id)
    if (!document) throw new AppError('NOT_FOUND', 'There is no such document')
    const { facts } = document
    if (!facts || facts.pages === 0)
      throw new AppError('REFUSED', 'Its pages are not known without its password', {
        params: { password: 'missing' },
      })
    return { ...document, facts }
  }

  const planRequest = (
    request: ParseRequest,
  ): {
    readonly planned: Planned
    readonly account: Account
    readonly document: DocumentRecord & { readonly facts: DocumentFacts }
  } => {
    const document = documentOf(request.id)
    const account = accountOf(request.accountId)
    const pages = requestedPages(request.options.pages, document.facts.pages)
    const known =
      request.fresh || document.mediaId === null
        ? []
        : store.known(document.mediaId, fingerprintOf(account, request.options))
    return {
      planned: planned(document.facts, pages, known, account, settings()),
      account,
      document,
    }
  }

  const withIds = (parts: readonly PartPlan[]): readonly NewPart[] =>
    parts.map(({ first, last }) => ({ id: ids(), first, last, bytes: null }))

  /** Takes over what stands, then plans what is left; each step is one that a kill may follow. */
  const finishNow = async (versionId: string): Promise<void> => {
    while (!closed && store.reuse(versionId, atATime) > 0) {
      const version = store.version(versionId)
      if (version) deps.onStep(version.documentId)
      await setImmediate()
    }
    if (closed) return
    const rest = store.unplanned(versionId)
    const version = store.version(versionId)
    if (!version || rest.length === 0) return
    const { facts } = documentOf(version.documentId)
    store.plan(versionId, withIds(partsFor(facts, rest, accountOf(version.accountId), settings())))
  }
  /** Tells a version; what cannot be read just now is told with its next part. */
  const report = (versionId: string): void => {
    try {
      const version = store.version(versionId)
      if (version) deps.onPlanned(version)
    } catch (error) {
      if (!isStoreProblem(error)) deps.log.error('telling a version', { error })
    }
  }
  const finish = (versionId: string): void => {
    if (closed || finishing.has(versionId)) return
    finishing.add(versionId)
    void finishNow(versionId)
      .catch((error: unknown) => {
        if (isStoreProblem(error)) deps.after(problemMs, () => finish(versionId))
        else deps.log.error('planning a version', { error })
      })
      .then(() => {
        finishing.delete(versionId)
        if (!closed) report(versionId)
      })
  }

  return {
    finish,
    plan(request) {
      const { planned: what, account, document } = planRequest(request)
      const plan = {
        ...planOf(document.facts, what.parts),
        ...shrunk(document.facts, what.parts, account),
      }
      return { plan, reusedPages: what.reusedPages }
    },
    parse(request) {
      const { planned: what, account, document } = planRequest(request)
      const running = request.fresh ? undefined : findEquivalent(document, account, request.options)
      if (running) return running
      if (document.mediaId === null) throw new AppError('FILE_MISSING', 'The original is gone')
      const version = store.begin({
        id: ids(),
        documentId: document.id,
        options: request.options,
        accountId: account.id,
        accountName: account.name,
        fingerprint: fingerprintOf(account, request.options),
        priority: request.priority ?? 0,
        pages: what.pages,
        parts: withIds(what.parts),
        at: clock(),
      })
      if (what.reusedPages > 0) finish(version.id)
      deps.onPlanned(version)
      return version
    },
    retry({ versionId, pages, accountId }) {
      const version = store.version(versionId)
      if (!version) throw new AppError('NOT_FOUND', 'There is no such version')
      const { facts } = documentOf(version.documentId)
      const account = accountOf(accountId ?? version.accountId)
      const named = pages && new Set(pages)
      const failed = store
        .pages(version.documentId, { versionId })
        .filter(({ state }) => state === 'failed' || state === 'cancelled')
        .filter(({ page }) => named?.has(page) ?? true)
      const parts = partsFor(facts, rangesOf(failed.map(({ page }) => page)), account, settings())
      if (parts.length > 0)
        store.plan(versionId, withIds(parts), {
          accountId: account.id,
          accountName: account.name,
          fingerprint: fingerprintOf(account, version.options),
        })
      deps.onPlanned(version)
      return store.version(versionId) ?? version
    },
    shutdown() {
      closed = true
    },
  }

  /** A version that is under way for the very same thing: asking twice sends nothing twice. */
  function findEquivalent(
    document: DocumentRecord,
    account: Account,
    options: ParseOptions,
  ): DocumentVersion | undefined {
    const pages = pagesOf(options.pages, document)
    return document.versions.find(
      (one) =>
        (one.state === 'waiting' || one.state === 'running') &&
        one.accountId === account.id &&
        one.options.crops === options.crops &&
        one.options.layoutPictures === options.layoutPictures &&
        pagesOf(one.options.pages, document) === pages,
    )
  }
}

/** The pages a text names, always in the same words. */
function pagesOf(text: string, { facts }: DocumentRecord): string {
  const ranges = requestedPages(text, facts?.pages ?? 0)
  return JSON.stringify(ranges)
}
