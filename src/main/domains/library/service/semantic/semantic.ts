import type { SemanticChoice, SemanticIndex } from '../../../../../shared/model/semantic.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { VectorGone } from '../../store/semantic-chunks.ts'
import type { MeaningAnswers } from '../../store/semantic-types.ts'
import type { IndexRecord, IndexPatch } from '../../store/semantic-store.ts'
import { addJobs, type Attempt, type JobRows } from '../../../../work-queue/jobs.ts'
import { vectorSpaceOf } from '../../../knowledge/index.ts'
import { searchMeaning } from './search.ts'
import { createCloseness } from './similarity.ts'
import type { SemanticDeps, SemanticQuery } from './types.ts'

export type Semantic = ReturnType<typeof createSemantic>

/**
 * Semantic search of the Library: embeds items on request and combines semantic and keyword search. Methods that take the ID
 * of an index throw NOT_FOUND.
 */
export function createSemantic(deps: SemanticDeps) {
  const { store, clock } = deps
  const change = (id: number, patch: IndexPatch): IndexRecord | undefined => {
    const index = store.semantic.update(id, patch)
    deps.emit({ type: 'semantic.changed' })
    return index
  }
  const jobs = addJobs<number>(deps, {
    about: 'semantic index',
    isEndless: true,
    open: () => (store.writable ? store.semantic.open() : []),
    execute: createStep(deps, change),
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
      change(id, { state, error: null })
    })
  const halted = async (id: number, state: 'paused' | 'idle'): Promise<SemanticIndex> => {
    need(id)
    await halt(id, state)
    return view(need(id))
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
      deps.emit({ type: 'semantic.changed' })
      jobs.begin(id, accountId)
      return view(need(id))
    },
    /** Resumes with the waiting items. */
    async resumeIndex(id: number) {
      const { accountId } = need(id)
      change(id, { state: 'running', error: null })
      jobs.begin(id, accountId)
      return view(need(id))
    },
    /** Received vectors are saved. */
    pause: (id: number) => halted(id, 'paused'),
    /** Discards the waiting items. Received vectors are saved. */
    stop: (id: number) => halted(id, 'idle'),
    /** Removes the index with its vectors. */
    async remove(id: number) {
      const { createdAt, dimensions } = need(id)
      await halt(id, 'idle')
      store.semantic.remove(id)
      deps.emit({ type: 'semantic.changed' })
      await store.semantic.ask({ ask: 'forget', index: { id, createdAt, dimensions } })
    },
    /** Returns merged semantic and keyword results, reranked on request. Errors of the provider are reported in the reply. */
    search: (query: SemanticQuery, signal?: AbortSignal) =>
      searchMeaning({ ...deps, closeness }, query, signal),
    resume: jobs.kick,
    accountReady: jobs.wake,
    busy: jobs.busy,
    stopAll: jobs.stopAll,
    shutdown: jobs.shutdown,
  }
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

/** Creates a function that embeds some of the waiting items of an index. Rows contain what is left. */
function createStep(
  { store, texts, clock, emit, mask }: SemanticDeps,
  change: (id: number, patch: IndexPatch) => void,
): JobRows<number>['execute'] {
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
      { signal, onResponse: responded },
    )
    if (engine !== null)
      change(index.id, { engine: mask(engine), ...(notice !== null && { notice: mask(notice) }) })
    for (const { seq, cut } of items)
      // Existing chunks are not changed: an interrupted write is restarted from its beginning.
      for (const step of store.semantic.keep(index.id, seq, cut)) {
        signal.throwIfAborted()
        await new Promise((resolve) => setImmediate(resolve, step))
      }
    emit({ type: 'semantic.changed' })
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
        emit({ type: 'semantic.changed' })
      }
    }
  }

  return async (id, attempt) => {
    const index = store.semantic.get(id)
    if (!index) return 'unsent'
    const items = await nextItems(id)
    attempt.signal.throwIfAborted()
    if (items.length === 0) {
      change(id, { state: 'idle', error: null })
      // Computes the codes of the new vectors now instead of during a search.
      const { createdAt, dimensions } = index
      await store.semantic.ask({ ask: 'warm', index: { id, createdAt, dimensions } })
      return 'unsent'
    }
    try {
      return (await embed(index, items, attempt)) ? 'done' : 'unsent'
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
