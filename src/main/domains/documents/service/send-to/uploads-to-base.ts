import { createHash } from 'node:crypto'
import type { DocumentPush } from '../../../../../shared/model/document-transfer.ts'
import type { RunSummary, Run } from '../../../../../shared/model/run.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import type { Api } from '../../../../provider-client/api.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { Context } from '../../../../context.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { PushPatch, PushRecord } from '../../store/document-pushes.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { fileName } from '../../../../platform/files/display-name.ts'
import type { Runs } from '../../../playground/index.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'
import { intervalMs } from '../../../../work-queue/poll-plan.ts'
import type { RunEnds } from './run-ends.ts'
import type { GivenTexts } from '../item-texts.ts'

interface PushesDeps extends Pick<Context, 'clock' | 'ids' | 'log' | 'emit' | 'after' | 'random'> {
  readonly store: Pick<Store, 'documents' | 'handovers' | 'runs' | 'writable'>
  readonly files: Pick<MediaFiles, 'intake'>
  readonly api: { readonly documents: Pick<Api['documents'], 'get'> }
  readonly accounts: Pick<Accounts, 'target'>
  readonly runs: Pick<Runs, 'get'>
  readonly ends: Pick<RunEnds, 'begin'>
  readonly texts: GivenTexts
}

/** Text to add and its target knowledge base. */
interface PushRequest {
  readonly id: string
  readonly baseId: string
  readonly baseName: string
  readonly pages: string
  readonly pageMarks: boolean
  /** Earlier push whose text is removed from the knowledge base once this one is accepted. */
  readonly replaces?: string | undefined
}

/** Complete text of a document that a knowledge base accepted: the file that was sent, and its ID at the provider. */
export interface ExtractedText {
  readonly documentId: string
  readonly baseId: string
  readonly baseName: string
  readonly mediaId: string
  readonly digest: string
  readonly remoteId: string
}

/** Texts of documents in knowledge bases: sent by runs, polled until they can be found there, recorded permanently. */
interface Pushes {
  /**
   * Throws NOT_FOUND, BAD_REQUEST for invalid pages, EMPTY_FILE when they have no text, and errors that prevent a run from
   * starting.
   */
  push(request: PushRequest, account: Account): Promise<DocumentPush>
  /** Records a text added to a knowledge base in another way, and polls until it can be found there. Ignores a deleted document. */
  taken(text: ExtractedText, account: Account): Promise<void>
  /** Newest first, each with whether the text has changed since. */
  list(documentId: string): Promise<readonly DocumentPush[]>
  /** Must be called for every run that changed. */
  changed(run: RunSummary): void
  /** Continues what an earlier run of the app left. */
  resume(): void
  shutdown(): void
}

/** How a knowledge base splits the text: by its headings. */
const knowledgeType = 1

export function createPushes(deps: PushesDeps): Pushes {
  const { clock, texts } = deps
  const store = deps.store.handovers

  const change = (id: string, patch: PushPatch): PushRecord | undefined => {
    const push = store.change(id, patch)
    if (push) deps.emit({ type: 'document.pushes', id: push.documentId })
    return push
  }
  const readiness = createReadiness({ ...deps, change })

  async function* written(
    request: PushRequest,
    progress: { chars: number },
  ): AsyncGenerator<Uint8Array> {
    for await (const { text } of texts.pages(request)) {
      const chunk = progress.chars === 0 ? text : `\n\n${text}`
      progress.chars += chunk.length
      yield Buffer.from(chunk, 'utf8')
    }
  }
  const digestOf = async (request: PushRequest): Promise<string> => {
    const hash = createHash('sha256')
    for await (const chunk of written(request, { chars: 0 })) hash.update(chunk)
    return hash.digest('hex')
  }

  /** Handles the end of a run: stores the result, and deletes the text that was replaced. */
  const settle = (push: PushRecord): void => {
    if (push.runId === null || push.state !== 'sending') return
    const run = deps.runs.get(push.runId)
    if (run.state === 'running') return
    const settled = change(push.id, outcomeOf(run, clock()))
    if (settled?.state !== 'working') return
    readiness.watch(settled)
    void removeOld(settled)
  }
  const removeOld = async ({ id, replaces, remoteId, accountId }: PushRecord): Promise<void> => {
    if (replaces === null || replaces === remoteId) return
    try {
      await deps.ends.begin('documents.delete', { id: replaces }, { accountId })
      store.change(id, { replaces: null })
    } catch (error) {
      deps.log.warn('failed to delete a replaced text from its knowledge base', {
        error: toFailure(error, clock()),
      })
    }
  }
  const replaced = ({ id, baseId, replaces }: PushRequest): string | null => {
    const before = replaces === undefined ? undefined : store.get(replaces)
    return before?.documentId === id && before.baseId === baseId ? before.remoteId : null
  }
  const present = ({ mediaId: _, digest, replaces: _old, ...push }: PushRecord, now: string) => ({
    ...push,
    changed: digest !== now,
  })

  return {
    async push(request, account) {
      const document = deps.store.documents.head(request.id)
      if (!document) throw new AppError('NOT_FOUND', 'Document not found')
      const progress = { chars: 0 }
      const media = await deps.files.intake(
        ReadableStream.from(written(request, progress)),
        fileName(document.title, 'md'),
      )
      const push = store.begin({
        id: deps.ids(),
        documentId: request.id,
        accountId: account.id,
        accountName: account.name,
        baseId: request.baseId,
        baseName: request.baseName,
        mediaId: media.id,
        digest: media.sha256,
        replaces: replaced(request),
        pages: request.pages,
        pageMarks: request.pageMarks,
        chars: progress.chars,
        createdAt: clock(),
      })
      const { baseId: knowledgeId } = request
      try {
        const run = await deps.ends.begin(
          'documents.upload',
          { knowledgeId, files: [media.id], knowledgeType },
          { accountId: account.id, title: document.title },
        )
        const sent = change(push.id, { runId: run.id }) ?? push
        // The run may have ended before its ID was known here.
        settle(sent)
        return present(store.get(push.id) ?? sent, media.sha256)
      } catch (error) {
        change(push.id, { state: 'failed', error: toFailure(error, clock()), endedAt: clock() })
        throw error
      }
    },
    async taken({ remoteId, ...text }, account) {
      if (!deps.store.documents.head(text.documentId)) return
      const progress = { chars: 0 }
      const whole = { ...text, id: text.documentId, pages: '', pageMarks: false }
      const marked = { ...whole, pageMarks: true }
      const { pageMarks } = (await digestOf(marked)) === text.digest ? marked : whole
      for await (const _ of written({ ...whole, pageMarks }, progress));
      const push = store.begin({
        ...text,
        ...progress,
        id: deps.ids(),
        accountId: account.id,
        accountName: account.name,
        replaces: null,
        pages: '',
        pageMarks,
        createdAt: clock(),
      })
      const working = change(push.id, { state: 'working', remoteId })
      if (working) readiness.watch(working)
    },
    async list(documentId) {
      const digests = new Map<string, Promise<string>>()
      const pushes = store.ofDocument(documentId)
      return Promise.all(
        pushes.map(async (push) => {
          const name = `${push.pageMarks} ${push.pages}`
          const digest =
            digests.get(name) ?? digestOf({ ...push, id: documentId, replaces: undefined })
          digests.set(name, digest)
          return present(push, await digest)
        }),
      )
    },
    changed({ id, state }) {
      if (state === 'running') return
      try {
        const push = store.byRun(id)
        if (push) settle(push)
      } catch (error) {
        // It is settled at the next start.
        if (!isStoreProblem(error))
          deps.log.error('failed to track a text in a knowledge base', { error })
      }
    },
    resume() {
      for (const push of store.open()) {
        const sent = push.runId === null ? leftBehind(push, deps.store, clock()) : null
        const known = sent ? (change(push.id, sent) ?? push) : push
        if (known.state === 'working') readiness.watch(known)
        else settle(known)
      }
    },
    shutdown: () => readiness.stop(),
  }
}

interface ReadinessDeps extends Pick<
  PushesDeps,
  'api' | 'accounts' | 'clock' | 'log' | 'after' | 'random'
> {
  change(id: string, patch: PushPatch): PushRecord | undefined
}

/** Polls the provider for texts it accepted, until each can be found there. */
interface Readiness {
  watch(push: PushRecord): void
  stop(): void
}

/** Creates the polling. Polls cost nothing; without a network or a key they use the same delays. */
function createReadiness(deps: ReadinessDeps): Readiness {
  const watched = new Map<string, () => void>()
  const closing = new AbortController()

  const later = (push: PushRecord, polls: number): void => {
    if (closing.signal.aborted) return
    const pauseMs = intervalMs(polls, deps.clock() - push.createdAt, deps.random)
    watched.set(
      push.id,
      deps.after(pauseMs, () => void ask(push, polls + 1)),
    )
  }
  const ask = async (push: PushRecord, polls: number): Promise<void> => {
    try {
      const patch = await checkReadiness(push)
      if (closing.signal.aborted) return
      if (patch) {
        watched.delete(push.id)
        deps.change(push.id, patch)
      } else later(push, polls)
    } catch (error) {
      if (!isStoreProblem(error) && !(error instanceof AppError))
        deps.log.error('failed to track a text in a knowledge base', { error })
      later(push, polls)
    }
  }
  /** Returns the outcome; null while the provider is still processing it. */
  const checkReadiness = async ({ accountId, remoteId }: PushRecord): Promise<PushPatch | null> => {
    if (remoteId === null) return null
    const target = await deps.accounts.target(accountId)
    const { value } = await deps.api.documents.get(target, { id: remoteId }, closing)
    const at = deps.clock()
    if (value.state === 'done') return { state: 'done', endedAt: at }
    if (value.state !== 'failed') return null
    const message = value.failure?.message ?? ''
    return {
      state: 'failed',
      endedAt: at,
      error: {
        code: 'SERVICE_FAILED',
        message: 'The provider could not read the text',
        retriable: false,
        ...(message !== '' && { service: { message } }),
        at,
      },
    }
  }

  return {
    watch(push) {
      if (!watched.has(push.id)) later(push, 1)
    },
    stop() {
      closing.abort()
      for (const cancelTimer of watched.values()) cancelTimer()
      watched.clear()
    },
  }
}

/** Returns the outcome of a push from the end of its run (`documents.upload`). */
function outcomeOf({ state, error, value }: Run, at: number): PushPatch {
  if (state !== 'done') return { state: 'failed', error, endedAt: at }
  const outcome = recordIn(value)
  const [taken] = recordsIn(outcome['accepted'])
  const remoteId = taken ? wordsIn(taken, 'documentId') : ''
  if (taken && remoteId !== '') return { state: 'working', remoteId, error: null }
  const [refused] = recordsIn(outcome['refused'])
  const reason = refused ? wordsIn(refused, 'reason') : ''
  return {
    state: 'refused',
    endedAt: at,
    error: {
      code: 'REFUSED',
      message: 'The provider rejected the text',
      retriable: true,
      ...(reason !== '' && { service: { message: reason } }),
      at,
    },
  }
}

/**
 * Returns the outcome of a push whose app ended before it recorded its run: the run that sent the same file later than
 * the push began, or that it was never sent.
 */
function leftBehind(push: PushRecord, { runs }: Pick<Store, 'runs'>, at: number): PushPatch {
  const { accountId, createdAt, mediaId } = push
  const found = runs
    .list({ operation: 'documents.upload', accountId, limit: maxRuns })
    .runs.filter((run) => run.createdAt >= createdAt)
    .find(({ id }) => runs.get(id)?.inputFiles.some((file) => file.mediaId === mediaId))
  if (found) return { runId: found.id }
  return {
    state: 'failed',
    endedAt: at,
    error: { code: 'CANCELLED', message: 'Lectern quit before it was sent', retriable: true, at },
  }
}

/** Number of runs searched for it: it was one of the last before the app ended. */
const maxRuns = 50

/** Returns a value of a response as fields; no fields when it is not an object. */
const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

/** Returns a value of a response as a list of objects. */
const recordsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordIn) : []

/** Returns a text field; empty when it is not a text. */
function wordsIn(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}
