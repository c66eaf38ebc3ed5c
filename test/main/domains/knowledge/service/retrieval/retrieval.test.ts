import { expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import {
  createRetrieval,
  type RetrievalDeps,
} from '../../../../../../src/main/domains/knowledge/service/retrieval/retrieval.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { createWorkQueue } from '../../../../../../src/main/work-queue/work-queue.ts'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import { temporaryHome, withStore } from '../../../../platform/database/fixture.ts'

const settings: Parameters<ReturnType<typeof createRetrieval>['ask']>[0]['settings'] = {
  bases: [{ id: 'b', name: 'Travel' }],
  documents: [],
  topK: 5,
  topN: 10,
  recallMethod: 'mixed',
  recallRatio: 80,
  rerank: 'off',
  rerankModel: 'rerank',
  threshold: null,
}

/** Creates the service over an account, with time that stands still; `retrieve` responds to a question, or throws. */
function setup(store: Store, retrieve: (question: string, signal: AbortSignal) => Promise<void>) {
  const profile = { ...presets.custom, concurrency: 1 }
  store.accounts.put({ id: 'a', preset: 'custom', name: 'Mine', profile, createdAt: 1 })
  const sent: string[] = []
  const waiting: number[] = []
  let serial = 0
  const clock = (): number => 5
  const log = { info() {}, warn() {}, error() {} }
  const retrieval = createRetrieval({
    store,
    api: {
      knowledge: {
        async retrieve(_: unknown, { query }: { query: string }, how: { signal: AbortSignal }) {
          sent.push(query)
          await retrieve(query, how.signal)
          const raw = { status: 200, contentType: 'application/json', body: '{"data":[]}' }
          const usage = { promptTokens: null, completionTokens: null, totalTokens: null }
          return { raw, requestId: 'r', engine: null, notice: null, usage, value: [] }
        },
      },
    },
    accounts: {
      active: () => store.accounts.get('a'),
      target: async () => ({ accountId: 'a' }),
    },
    clock,
    ids: () => `id-${++serial}`,
    log,
    workQueue: createWorkQueue({ clock, log, random: () => 0, after: () => () => undefined }),
    images: { of: () => ({}) },
    emit() {},
    setWaiting: (_work: string, count: number) => void waiting.push(count),
  } as unknown as RetrievalDeps)
  const row = (runId: string) => store.retrievalRuns.row(runId, 0)
  return { retrieval, sent, waiting, row }
}

async function inStore(work: (store: Store) => Promise<void>): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, work)
  } finally {
    folder.remove()
  }
}

test('no longer counts a run as waiting once it is stopped, removed or in Trash', () =>
  inStore(async (store) => {
    const { retrieval, waiting, row } = setup(store, async () => {
      throw new AppError('KEY_REJECTED', 'The key was rejected')
    })
    const set = retrieval.sets.create({ title: 'Set', settings })
    retrieval.sets.add({
      setId: set.id,
      questions: [{ text: 'Three?', note: '', judgements: [] }],
    })
    const ask = (question: string) => retrieval.ask({ question, settings })
    const runs = [ask('One?'), ask('Two?'), retrieval.start({ setId: set.id, settings, title: '' })]
    for (const { id } of runs) await expect.poll(() => row(id)?.state).toBe('waiting')
    await expect.poll(() => waiting.at(-1)).toBe(3)
    await retrieval.stop(runs[0]?.id ?? '')
    await expect.poll(() => waiting.at(-1)).toBe(2)
    await retrieval.removeRuns([runs[1]?.id ?? ''])
    await expect.poll(() => waiting.at(-1)).toBe(1)
    await retrieval.forget([set.id])
    await expect.poll(() => waiting.at(-1)).toBe(0)
  }))

test('shows the current reason why a run waits, not the first', () =>
  inStore(async (store) => {
    let error = new AppError('OFFLINE', '', { retriable: true, params: { reason: 'refused' } })
    const { retrieval, row } = setup(store, () => Promise.reject(error))
    const ask = (question: string) => retrieval.ask({ question, settings })
    const runs = [ask('One?'), ask('Two?')]
    const reasons = () => runs.map(({ id }) => row(id)?.error?.code)
    await expect.poll(reasons).toEqual(['OFFLINE', 'OFFLINE'])
    await expect.poll(() => retrieval.busy()).toBe(false)
    error = new AppError('KEY_REJECTED', 'The key was rejected')
    ask('Three?')
    await expect.poll(reasons).toEqual(['KEY_REJECTED', 'KEY_REJECTED'])
  }))

test('tries the account of a new question at once, although it rejected the one before', () =>
  inStore(async (store) => {
    let isFixed = false
    const { retrieval, row } = setup(store, async () => {
      if (!isFixed) throw new AppError('KEY_REJECTED', 'The key was rejected')
    })
    const first = retrieval.ask({ question: 'One?', settings })
    await expect.poll(() => row(first.id)?.error?.code).toBe('KEY_REJECTED')
    await expect.poll(() => retrieval.busy()).toBe(false)
    isFixed = true
    const second = retrieval.ask({ question: 'Two?', settings })
    await expect.poll(() => row(second.id)?.state).toBe('done')
  }))
