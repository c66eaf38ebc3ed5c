import { setImmediate } from 'node:timers/promises'
import { rangesOf } from '../../../../shared/documents/ranges.ts'
import { textFormatOfMime } from '../../../../shared/documents/text-formats.ts'
import { planOf } from '../../../../shared/documents/plan.ts'
import type {
  DocumentFacts,
  DocumentVersion,
  ParseOptions,
  PartPlan,
} from '../../../../shared/model/document.ts'
import { localAccountId, type Account } from '../../../../shared/provider/profiles.ts'
import { AppError } from '../../../errors.ts'
import type { DocumentRecord, NewPart } from '../store/documents-types.ts'
import type { Accounts } from '../../settings/index.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import {
  chosenParts,
  fingerprintOf,
  requestedPages,
  partsFor,
  planned,
  shrunk,
  type Planned,
} from './planning.ts'
import type { DocumentsService, ParseRequest, PlannedParse } from './document-service-types.ts'
import type { Context } from '../../../context.ts'

interface VersionsDeps extends Pick<Context, 'store' | 'clock' | 'ids' | 'log' | 'after'> {
  readonly accounts: Pick<Accounts, 'active'>
  /** Called when the wait status of pages of a version changed, or they are current. */
  onPlanned(version: Pick<DocumentVersion, 'id' | 'documentId'>): void
  /** Called when some pages of a document were reused and more will follow. */
  onStep(documentId: string): void
}

/** Starts versions, plans their parts, reuses existing results. */
interface Versions {
  plan(request: ParseRequest): PlannedParse
  parse(request: ParseRequest): DocumentVersion
  retry: DocumentsService['retry']
  /** Reuses results and plans parts for the pages left without a part by a crash. */
  finish(versionId: string): void
  shutdown(): void
}

/** Number of pages reused at a time: other work runs in between. */
const atATime = 50
/** Delay in milliseconds before the next attempt after a store failure. */
const problemMs = 2_000

export function createVersions(deps: VersionsDeps): Versions {
  const { clock, ids } = deps
  const store = deps.store.documents
  const finishing = new Set<string>()
  const settings = () => chosenParts(deps.store.settings.get())
  let closed = false

  const accountOf = (id: string | undefined): Account => {
    const account = id === undefined ? deps.accounts.active() : deps.store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }
  /** Files that contain their text are read on this computer: the account makes no difference. */
  const accountFor = ({ mime }: DocumentFacts, id: string | undefined): Account =>
    accountOf(textFormatOfMime(mime) ? localAccountId : id)
  const documentOf = (id: string): DocumentRecord & { readonly facts: DocumentFacts } => {
    const document = store.get(id)
    if (!document) throw new AppError('NOT_FOUND', 'Document not found')
    const { facts } = document
    if (!facts || facts.pages === 0)
      throw new AppError('REFUSED', 'The number of pages is unknown without the password', {
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
    const account = accountFor(document.facts, request.accountId)
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

  /** Reuses existing results, then plans the rest; the process may be killed after any step. */
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
  /** Emits a version; one that cannot be read now is emitted with its next part. */
  const report = (versionId: string): void => {
    try {
      const version = store.version(versionId)
      if (version) deps.onPlanned(version)
    } catch (error) {
      if (!isStoreProblem(error)) deps.log.error('failed to report a version', { error })
    }
  }
  const finish = (versionId: string): void => {
    if (closed || finishing.has(versionId)) return
    finishing.add(versionId)
    void finishNow(versionId)
      .catch((error: unknown) => {
        if (isStoreProblem(error)) deps.after(problemMs, () => finish(versionId))
        else deps.log.error('failed to plan a version', { error })
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
      if (document.mediaId === null)
        throw new AppError('FILE_MISSING', 'The original file no longer exists')
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
      if (!version) throw new AppError('NOT_FOUND', 'Version not found')
      const { facts } = documentOf(version.documentId)
      const account = accountFor(facts, accountId ?? version.accountId)
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

  /** Returns a version in progress for exactly the same request: requesting twice sends nothing twice. */
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

/** Returns the specified pages in normalized form. */
function pagesOf(text: string, { facts }: DocumentRecord): string {
  const ranges = requestedPages(text, facts?.pages ?? 0)
  return JSON.stringify(ranges)
}
