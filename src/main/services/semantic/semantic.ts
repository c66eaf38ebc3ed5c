import type { SemanticChoice, SemanticIndex } from '../../../shared/model/semantic.ts'
import { limitsWith } from '../../../shared/service/limits.ts'
import type { Account } from '../../../shared/service/profiles.ts'
import { AppError } from '../../errors.ts'
import type { IndexRecord } from '../../store/semantic.ts'
import { vectorSpaceOf } from '../vectors/space.ts'
import { createCloseness } from './similarity.ts'
import { createEmbedder } from './embedder.ts'
import { searchMeaning } from './search.ts'
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
    deps.onIndexes()
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
      deps.onIndexes()
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
