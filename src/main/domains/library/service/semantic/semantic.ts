import type { SemanticChoice, SemanticIndex } from '../../../../../shared/model/semantic.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { VectorGone } from '../../store/semantic-chunks.ts'
import type { MeaningAnswers } from '../../store/semantic-types.ts'
import type { IndexRecord, IndexPatch } from '../../store/semantic-store.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'
import { isRepairable, neverSent, retryDelayMs } from '../../../../work-queue/retry-policy.ts'
import { vectorSpaceOf } from '../../../knowledge/index.ts'
import { searchMeaning } from './search.ts'
import { createCloseness } from './similarity.ts'
import type { Semantic, SemanticDeps } from './types.ts'

/** States in which an index continues automatically. */
const activeStates: ReadonlySet<SemanticIndex['state']> = new Set(['running', 'waiting'])

/** Creates the semantic search service. */
export function createSemantic(deps: SemanticDeps): Semantic {
  const { store, clock } = deps
  const embedder = createEmbedder(deps)
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

  const halted = async (
    id: number,
    state: 'paused' | 'idle',
    then?: () => void,
  ): Promise<SemanticIndex> => {
    need(id)
    await embedder.stop(id)
    then?.()
    const index = store.semantic.update(id, { state, error: null })
    deps.emit({ type: 'semantic.changed' })
    return view(index ?? need(id))
  }

  return {
    indexes: () => Promise.all(store.semantic.indexes().map(view)),
    plan(choice) {
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
    async begin(choice) {
      const { accountId, kinds, since } = choice
      const { name: accountName } = accountOf(accountId)
      const space = spaceOf(choice)
      const at = clock()
      const known = store.semantic.bySpace(space)
      // It may be running with different options, whose waiting items need not be part of these.
      if (known) await embedder.stop(known.id)
      const id = store.transaction(() => {
        const index = known ?? store.semantic.create({ choice, space, accountName, at })
        store.semantic.unqueue(index.id)
        store.semantic.update(index.id, { accountId, accountName, kinds, since, usedAt: at })
        store.semantic.enqueue(index.id, { kinds, since }, true)
        return index.id
      })
      embedder.start(id)
      return view(need(id))
    },
    async resumeIndex(id) {
      need(id)
      embedder.start(id)
      return view(need(id))
    },
    pause: (id) => halted(id, 'paused'),
    stop: (id) => halted(id, 'idle', () => store.semantic.unqueue(id)),
    async remove(id) {
      const { createdAt, dimensions } = need(id)
      await embedder.stop(id)
      store.semantic.remove(id)
      deps.emit({ type: 'semantic.changed' })
      await store.semantic.ask({ ask: 'forget', index: { id, createdAt, dimensions } })
    },
    search: (query, signal) => searchMeaning({ ...deps, closeness }, query, signal),
    resume() {
      for (const { id, state } of store.semantic.indexes())
        if (activeStates.has(state)) embedder.start(id)
    },
    accountReady(accountId) {
      for (const index of store.semantic.indexes())
        if (index.accountId === accountId && index.state === 'waiting') embedder.start(index.id)
    },
    busy: () => embedder.busy(),
    stopAll: () => embedder.stopAll(),
    shutdown: () => embedder.stopAll(),
  }
}

/**
 * Embeds the waiting items, in one pass per index; all state that must survive a restart is stored in rows.
 */
interface Embedder {
  /** Starts a pass, unless one is running. */
  start(id: number): void
  /** Stops the pass of an index and cancels the next one. */
  stop(id: number): Promise<void>
  stopAll(): Promise<void>
  busy(): boolean
}

/** Items and chunks processed together: enough to fill requests, with little to repeat after a crash. */
const itemsAtOnce = 32
const chunksAtOnce = 256
/** Number of consecutive items rejected with the same code after which the cause is not the items. */
const maxRefused = 3

interface CutItem {
  readonly seq: number
  readonly cut: MeaningAnswers['chunks']
}

function createEmbedder(deps: SemanticDeps): Embedder {
  const { store, texts, clock, log } = deps
  const passes = new Map<number, { readonly stop: AbortController; readonly done: Promise<void> }>()
  const planned = new Map<number, () => void>()
  const failures = new Map<number, number>()

  /** Updates an index; the result is ignored, because the index may have been removed in the meantime. */
  const change = async (id: number, patch: IndexPatch, giveUp?: AbortSignal): Promise<void> => {
    await deps.keep(() => store.semantic.update(id, patch), giveUp)
    deps.emit({ type: 'semantic.changed' })
  }

  /** Returns some of the waiting items, split into chunks. */
  const nextItems = async (id: number): Promise<CutItem[]> => {
    const some: CutItem[] = []
    let chunks = 0
    for (const seq of store.semantic.waiting(id, itemsAtOnce)) {
      const cut = await store.semantic.ask({ ask: 'chunks', itemSeq: seq })
      some.push({ seq, cut })
      chunks += cut.chunks.length
      if (chunks >= chunksAtOnce) break
    }
    return some
  }

  const embed = async (
    index: IndexRecord,
    items: readonly CutItem[],
    signal: AbortSignal,
  ): Promise<void> => {
    const { accountId, model, dimensions } = index
    const input = items.flatMap(({ cut }) => cut.chunks.map(({ text }) => text))
    const { engine, notice } = await texts.embed(
      { accountId, model, dimensions, texts: input },
      { signal },
    )
    if (engine !== null)
      await change(
        index.id,
        { engine: deps.mask(engine), ...(notice !== null && { notice: deps.mask(notice) }) },
        signal,
      )
    for (const { seq, cut } of items)
      // Existing chunks are not changed: an interrupted write is restarted from its beginning.
      await deps.keep(async () => {
        for (const step of store.semantic.keep(index.id, seq, cut)) {
          signal.throwIfAborted()
          await new Promise((resolve) => setImmediate(resolve, step))
        }
      }, signal)
    deps.emit({ type: 'semantic.changed' })
  }

  /** Embeds rejected items one by one: the text of one item must not block the others. */
  const embedSingly = async (
    index: IndexRecord,
    items: readonly CutItem[],
    signal: AbortSignal,
  ): Promise<void> => {
    let refused = 0
    for (const item of items) {
      try {
        await embed(index, [item], signal)
        refused = 0
      } catch (error) {
        refused += 1
        if (!isOfItem(error) || refused === maxRefused) throw error
        const failure = toFailure(error, clock())
        await deps.keep(
          () => store.semantic.fail(index.id, item.seq, item.cut.stamp, failure),
          signal,
        )
        deps.emit({ type: 'semantic.changed' })
      }
    }
  }

  const pass = async (id: number, signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      const index = store.semantic.get(id)
      if (!index) return
      const items = await nextItems(id)
      if (items.length === 0) {
        await change(id, { state: 'idle', error: null }, signal)
        // Computes the codes of the new vectors now instead of during a search.
        const { createdAt, dimensions } = index
        await store.semantic.ask({ ask: 'warm', index: { id, createdAt, dimensions } })
        return
      }
      try {
        await embed(index, items, signal)
      } catch (error) {
        if (error instanceof VectorGone) continue
        if (!isOfItem(error)) throw error
        await embedSingly(index, items, signal)
      }
      failures.delete(id)
    }
  }

  const failed = async (id: number, error: unknown, signal: AbortSignal): Promise<void> => {
    if (!store.semantic.get(id)) return
    if (!(error instanceof AppError)) log.error('Texts were not embedded', { error: String(error) })
    const failure = toFailure(error, clock())
    const count = (failures.get(id) ?? 0) + 1
    failures.set(id, count)
    const waits =
      error instanceof AppError &&
      (error.retriable || neverSent(error) || isRepairable(error.code) || isStoreProblem(error))
    await change(id, { state: waits ? 'waiting' : 'failed', error: failure }, signal)
    // A missing API key is waited for; automatic retries would prompt for the keychain password each time.
    if (!waits || (isRepairable(error.code) && error.code !== 'ENGINE_UNAVAILABLE')) return
    planned.get(id)?.()
    planned.set(
      id,
      deps.after(retryDelayMs(count, error.retryAfterMs), () => start(id)),
    )
  }

  function start(id: number): void {
    planned.get(id)?.()
    planned.delete(id)
    if (passes.has(id)) return
    const stop = new AbortController()
    const done = change(id, { state: 'running', error: null }, stop.signal)
      .then(() => pass(id, stop.signal))
      .catch(async (error: unknown) => {
        if (!stop.signal.aborted) await failed(id, error, stop.signal)
      })
      // The store may reject writes now; the rows record what remains to be done.
      .catch((error: unknown) =>
        log.warn('Index changes could not be saved', { error: String(error) }),
      )
      .finally(() => passes.delete(id))
    passes.set(id, { stop, done })
  }

  const stop = async (id: number): Promise<void> => {
    planned.get(id)?.()
    planned.delete(id)
    failures.delete(id)
    const under = passes.get(id)
    under?.stop.abort()
    await under?.done
  }

  return {
    start,
    stop,
    stopAll: async () => {
      await Promise.all([...new Set([...passes.keys(), ...planned.keys()])].map(stop))
    },
    busy: () => passes.size > 0,
  }
}

/** Returns whether the provider rejects the sent text rather than the account. */
const isOfItem = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ['INVALID_INPUT', 'LIMIT_EXCEEDED', 'CONTEXT_TOO_LONG', 'CONTENT_BLOCKED'].includes(error.code)
