import type { AppEvent } from '../../../../../shared/contract/events.ts'
import {
  automaticIndex,
  isAutomatic,
  maxAutomaticChunks,
  meaningKinds,
  type SemanticChoice,
  type SemanticIndex,
} from '../../../../../shared/model/semantic.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { VectorGone } from '../../store/semantic-chunks.ts'
import type { MeaningAnswers } from '../../store/semantic-types.ts'
import type { IndexRecord, IndexPatch } from '../../store/semantic-store.ts'
import { addJobs, type Attempt, type JobRows } from '../../../../work-queue/jobs.ts'
import { isDue } from '../../../../platform/database/due.ts'
import { vectorSpaceOf } from '../../../knowledge/index.ts'
import { searchMeaning } from './search.ts'
import { createCloseness } from './similarity.ts'
import type { SemanticDeps, SemanticQuery } from './types.ts'

export type Semantic = ReturnType<typeof createSemantic>

/** Milliseconds after a start or the last change until new items are indexed on this computer. */
const quietMs = 30_000
/** Milliseconds between two reports of the progress of the automatic index. */
const reportMs = 5000
/** Events after which an item may have another text. */
const changing = /^(?:library|meeting|document|chat|speech)\.changed$/

/**
 * Semantic search of the Library: embeds items, on request with the model of any account and automatically with that of this computer,
 * and combines semantic and keyword search. Methods that take the ID of an index throw NOT_FOUND.
 */
export function createSemantic(deps: SemanticDeps) {
  const { store, clock } = deps
  const change = (id: number, patch: IndexPatch): IndexRecord | undefined => {
    const index = store.semantic.update(id, patch)
    deps.emit({ type: 'semantic.changed', isAutomatic: !!index && isAutomatic(index) })
    return index
  }
  /** When the progress of the automatic index was last reported (Unix ms). */
  let reportedAt = 0
  const progressed = (index: IndexRecord): void => {
    if (!isAutomatic(index)) return deps.emit({ type: 'semantic.changed', isAutomatic: false })
    if (!isDue(reportedAt + reportMs, clock())) return
    const now = store.semantic.get(index.id)
    if (!now) return
    reportedAt = clock()
    const { id, done, waiting, failed, chunks } = now
    deps.emit({ type: 'semantic.progress', id, done, waiting, failed, chunks })
  }
  /** Indexes that the user started: they take no breaks. */
  const urgent = new Set<number>()
  /** Whether an index goes after all other work. */
  const isQuiet = (index: Parameters<typeof isAutomatic>[0] & { readonly id: number }): boolean =>
    isAutomatic(index) && !urgent.has(index.id)
  /** Unix ms until which the automatic index rests. */
  let restUntil = 0
  let isRecording = false
  /** The queue is asked again instead of a place being kept in it, which other work may need. */
  const notBefore = (): number => (!isRecording && deps.idle() ? restUntil : clock() + pollMs)
  const jobs = addJobs<number>(deps, {
    about: 'semantic index',
    isEndless: true,
    open: () =>
      store.writable
        ? store.semantic
            .open()
            .map((index) => (isQuiet(index) ? { ...index, notBefore: notBefore() } : index))
        : [],
    execute: createStep({
      ...deps,
      change,
      progressed,
      urgent,
      rest: (ms) => void (restUntil = clock() + Math.ceil(ms)),
    }),
    change: (id, state, error) => void change(id, { state, error }),
  })
  const closeness = createCloseness(deps)

  const need = (id: number): IndexRecord => {
    const index = store.semantic.get(id)
    if (!index) throw new AppError('NOT_FOUND', 'Index not found')
    return index
  }
  const accountOf = (id: string): Account => {
    const account = store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }
  const spaceOf = ({ accountId, model, dimensions }: SemanticChoice) =>
    vectorSpaceOf(accountOf(accountId), model, dimensions)

  const view = async (record: IndexRecord): Promise<SemanticIndex> => {
    const { space: _, createdAt: __, usedAt: ___, ...index } = record
    const { kinds, since } = index
    const { fresh, changed } = await store.semantic.ask({
      ask: 'count',
      indexId: index.id,
      scope: { kinds, since },
    })
    return { ...index, fresh, changed }
  }

  const halt = (id: number, state: 'paused' | 'idle'): Promise<void> =>
    jobs.stop(id, () => {
      if (state === 'idle') store.semantic.unqueue(id)
      const index = store.semantic.get(id)
      change(id, { state: index && isAutomatic(index) ? 'paused' : state, error: null })
    })
  const halted = async (id: number, state: 'paused' | 'idle'): Promise<SemanticIndex> => {
    need(id)
    await halt(id, state)
    return view(need(id))
  }

  const hasAutomatic = (): IndexRecord | undefined =>
    store.accounts.get(automaticIndex.accountId)
      ? store.semantic.bySpace(spaceOf({ ...automaticIndex, kinds: meaningKinds, since: null }))
      : undefined
  const createAutomatic = (): IndexRecord => {
    const options = { ...automaticIndex, kinds: meaningKinds, since: null }
    const accountName = accountOf(automaticIndex.accountId).name
    const made = { choice: options, space: spaceOf(options), accountName, at: clock() }
    return store.transaction(() => {
      const index = store.semantic.create(made)
      // Indexes that the user chose come before it.
      return store.semantic.update(index.id, { usedAt: 0 }) ?? index
    })
  }
  /** Marks new items as waiting, and starts with them; does nothing while the user has paused the index. */
  const indexNew = async (): Promise<void> => {
    if (!store.writable || !store.accounts.get(automaticIndex.accountId)) return
    const known = hasAutomatic()
    if (known && (known.state === 'paused' || known.state === 'failed')) return
    if (known && known.chunks >= maxAutomaticChunks) return
    const scope = { kinds: known?.kinds ?? meaningKinds, since: known?.since ?? null }
    const { fresh, changed } = await store.semantic.ask({
      ask: 'count',
      indexId: known?.id ?? 0,
      scope,
    })
    if (fresh + changed === 0) return
    const { id } = hasAutomatic() ?? createAutomatic()
    for (const step of store.semantic.enqueueSteps(id, scope))
      await new Promise((resolve) => setImmediate(resolve, step))
    const index = store.semantic.get(id)
    // It may have been paused or removed meanwhile.
    if (index?.state !== 'idle' || index.waiting === 0) return
    change(id, { state: 'running', error: null })
    jobs.begin(id, automaticIndex.accountId)
  }
  let indexing: Promise<void> | null = null
  const keepUp = (): Promise<void> =>
    (indexing ??= indexNew().finally(() => {
      indexing = null
    }))
  let cancelPlan: (() => void) | null = null
  const keepUpLater = (): void => {
    cancelPlan?.()
    cancelPlan = deps.after(quietMs, () => {
      // The worker ended, or another library is being opened: the next change plans it again.
      keepUp().catch((error: unknown) => deps.log.warn('new items were not indexed', { error }))
    })
  }

  return {
    /** Returns the indexes, most recently used first, with the number of new items. */
    indexes: () => Promise.all(store.semantic.indexes().map(view)),
    /** Returns what embedding would send, without sending anything. */
    plan(choice: SemanticChoice) {
      const space = spaceOf(choice)
      const { embeddings: limits } = limitsWith(accountOf(choice.accountId).profile.limits)
      return store.semantic.ask({
        ask: 'survey',
        indexId: store.semantic.bySpace(space)?.id ?? null,
        space,
        scope: { kinds: choice.kinds, since: choice.since },
        perCall: {
          items: limits.items,
          tokens: choice.model === 'embedding-2' ? limits.totalTokens2 : Number.MAX_SAFE_INTEGER,
        },
      })
    },
    /**
     * Starts embedding new, changed and rejected items in the background; continues after restarts, outages and missing API
     * keys.
     */
    async begin(choice: SemanticChoice) {
      const { accountId, kinds, since } = choice
      const { name: accountName } = accountOf(accountId)
      const space = spaceOf(choice)
      const at = clock()
      const known = store.semantic.bySpace(space)
      // It may be running with different options, whose waiting items need not be part of these. If the new ones can't be stored,
      // the user resumes it with the old ones.
      if (known && (known.state === 'running' || known.state === 'waiting'))
        await jobs.stop(known.id, () => void change(known.id, { state: 'paused' }))
      const id = store.transaction(() => {
        const index = known ?? store.semantic.create({ choice, space, accountName, at })
        store.semantic.unqueue(index.id)
        const options = { accountId, accountName, kinds, since, usedAt: at } as const
        store.semantic.update(index.id, { ...options, state: 'running', error: null })
        store.semantic.enqueue(index.id, { kinds, since }, true)
        return index.id
      })
      deps.emit({ type: 'semantic.changed', isAutomatic: isAutomatic(choice) })
      urgent.add(id)
      jobs.begin(id, accountId)
      return view(need(id))
    },
    /** Indexes new and changed items on this computer now. */
    async keepUp() {
      await keepUp()
      const index = hasAutomatic()
      return index ? view(index) : null
    },
    /** Plans to index an item that may have changed. */
    noticed({ type }: AppEvent): void {
      if (store.writable && changing.test(type)) keepUpLater()
    },
    /** Resumes with the waiting items; the automatic index takes up new ones, too. */
    async resumeIndex(id: number) {
      const { accountId, ...index } = need(id)
      if (isAutomatic({ accountId, ...index })) keepUpLater()
      change(id, { state: 'running', error: null })
      jobs.begin(id, accountId)
      return view(need(id))
    },
    /** Received vectors are saved. */
    pause: (id: number) => halted(id, 'paused'),
    /** Discards the waiting items. Received vectors are saved. The automatic index is paused: it would start again after the next change. */
    stop: (id: number) => halted(id, 'idle'),
    /** Removes the index with its vectors. */
    async remove(id: number) {
      const index = need(id)
      const { createdAt, dimensions } = index
      await halt(id, 'idle')
      store.semantic.remove(id)
      // Otherwise it would be there again after the next change.
      if (isAutomatic(index)) store.semantic.update(createAutomatic().id, { state: 'paused' })
      deps.emit({ type: 'semantic.changed', isAutomatic: isAutomatic(index) })
      await store.semantic.ask({ ask: 'forget', index: { id, createdAt, dimensions } })
    },
    /** Returns merged semantic and keyword results, reranked on request. Errors of the provider are reported in the reply. */
    search: (query: SemanticQuery, signal?: AbortSignal) =>
      searchMeaning({ ...deps, closeness }, query, signal),
    resume() {
      jobs.kick()
      keepUpLater()
    },
    accountReady: jobs.wake,
    /**
     * A recording began, continues or ended. The automatic index is interrupted: nothing is in flight between two segments, but what the
     * computer does then can cost audio.
     */
    recording(live: boolean): void {
      const isFirst = live && !isRecording
      isRecording = live
      if (isFirst) void jobs.giveWay()
    },
    /** The automatic index can be interrupted at any time. */
    busy: () =>
      jobs.busy() &&
      store.semantic.open().some((index) => index.state === 'running' && !isAutomatic(index)),
    stopAll() {
      cancelPlan?.()
      return jobs.stopAll()
    },
    shutdown() {
      cancelPlan?.()
      return jobs.shutdown()
    },
  }
}

/** Items and chunks processed together: enough to fill requests, with little to repeat after a crash. */
const itemsAtOnce = 32
const chunksAtOnce = 256
/** The same for the automatic index: its requests must not delay others for long. */
const quietAtOnce = { items: 8, chunks: 24 } as const
/** Milliseconds between two looks whether other work still runs. */
const pollMs = 2000
/** Number of consecutive items rejected with the same code after which the cause is not the items. */
const maxRefused = 3

interface CutItem {
  readonly seq: number
  readonly cut: MeaningAnswers['chunks']
}

interface StepDeps extends Pick<SemanticDeps, 'store' | 'texts' | 'clock' | 'mask'> {
  change(id: number, patch: IndexPatch): void
  /** Reports what was indexed. */
  progressed(index: IndexRecord): void
  /** Indexes that take no breaks. */
  readonly urgent: Set<number>
  /** Lets no step of the automatic index follow for a time. */
  rest(ms: number): void
}

/** Creates a function that embeds some of the waiting items of an index. Rows contain what is left. */
function createStep({
  store,
  texts,
  clock,
  mask,
  change,
  progressed,
  urgent,
  rest,
}: StepDeps): JobRows<number>['execute'] {
  /** Returns some of the waiting items, split into chunks. */
  const nextItems = async (
    id: number,
    atOnce: { readonly items: number; readonly chunks: number },
  ): Promise<CutItem[]> => {
    const some: CutItem[] = []
    let chunks = 0
    for (const seq of store.semantic.waiting(id, atOnce.items)) {
      const cut = await store.semantic.ask({ ask: 'chunks', itemSeq: seq })
      some.push({ seq, cut })
      chunks += cut.chunks.length
      if (chunks >= atOnce.chunks) break
    }
    return some
  }

  /** Returns whether anything was sent. */
  const embed = async (
    index: IndexRecord,
    items: readonly CutItem[],
    { signal, responded }: Attempt,
  ): Promise<boolean> => {
    const { accountId, model, dimensions } = index
    const input = items.flatMap(({ cut }) => cut.chunks.map(({ text }) => text))
    const { engine, notice, sent } = await texts.embed(
      { accountId, model, dimensions, texts: input },
      { signal, unlisted: isAutomatic(index), onResponse: responded },
    )
    if (engine !== null)
      store.semantic.update(index.id, {
        engine: mask(engine),
        ...(notice !== null && { notice: mask(notice) }),
      })
    for (const { seq, cut } of items)
      // Existing chunks are not changed: an interrupted write is restarted from its beginning.
      for (const step of store.semantic.keep(index.id, seq, cut)) {
        signal.throwIfAborted()
        await new Promise((resolve) => setImmediate(resolve, step))
      }
    progressed(index)
    return sent > 0
  }

  /** Embeds rejected items one by one: the text of one item must not block the others. */
  const embedSingly = async (
    index: IndexRecord,
    items: readonly CutItem[],
    attempt: Attempt,
  ): Promise<void> => {
    let refused = 0
    for (const item of items) {
      try {
        await embed(index, [item], attempt)
        refused = 0
      } catch (error) {
        refused += 1
        if (!isOfItem(error) || refused === maxRefused) throw error
        store.semantic.fail(index.id, item.seq, item.cut.stamp, toFailure(error, clock()))
        progressed(index)
      }
    }
  }

  return async (id, attempt) => {
    const index = store.semantic.get(id)
    if (!index) return 'unsent'
    const isQuiet = isAutomatic(index) && !urgent.has(id)
    if (isQuiet && index.chunks >= maxAutomaticChunks) store.semantic.unqueue(id)
    const items = await nextItems(
      id,
      isQuiet ? quietAtOnce : { items: itemsAtOnce, chunks: chunksAtOnce },
    )
    attempt.signal.throwIfAborted()
    const began = performance.now()
    if (items.length === 0) {
      urgent.delete(id)
      change(id, { state: 'idle', error: null })
      // Computes the codes of the new vectors now instead of during a search.
      const { createdAt, dimensions } = index
      await store.semantic.ask({ ask: 'warm', index: { id, createdAt, dimensions } })
      return 'unsent'
    }
    try {
      const executed = (await embed(index, items, attempt)) ? 'done' : 'unsent'
      // Half of the time belongs to others.
      if (isQuiet) rest(performance.now() - began)
      return executed
    } catch (error) {
      if (error instanceof VectorGone) return 'unsent'
      if (!isOfItem(error)) throw error
      await embedSingly(index, items, attempt)
      return 'done'
    }
  }
}

/** Returns whether the provider rejects the sent text rather than the account. */
const isOfItem = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ['INVALID_INPUT', 'LIMIT_EXCEEDED', 'CONTEXT_TOO_LONG', 'CONTENT_BLOCKED'].includes(error.code)
