import { afterEach, expect, test } from 'vitest'
import type { StoredDocument } from '../../src/local-service/knowledge/documents.ts'
import { createIndexer } from '../../src/local-service/knowledge/indexer.ts'
import type { Indexer, IndexerDeps } from '../../src/local-service/knowledge/indexer.ts'

const documentOf = (id: string): StoredDocument => ({
  id,
  baseId: 'base',
  fileId: 'file',
  name: id,
  kind: 'text',
  bytes: 1,
  media: null,
  rules: { type: null, separators: [], sentenceSize: 300 },
  parseImage: false,
  wordLimit: null,
  state: 0,
  failure: null,
  attempts: 0,
  tokens: 0,
  words: 0,
})

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
process.on('unhandledRejection', note)

let indexer: Indexer
afterEach(() => indexer.stop())

/** Creates an indexer over a list; the test controls the duration of its pauses. */
function indexerOver(
  documents: string[],
  deps: Partial<IndexerDeps>,
): { readonly rests: number[]; readonly done: string[]; proceed(): void } {
  const rests: number[] = []
  const done: string[] = []
  let proceed = (): void => undefined
  indexer = createIndexer({
    next: () => documents.slice(0, 1).map(documentOf)[0],
    async work({ id }) {
      done.push(id)
      documents.shift()
    },
    fail: ({ id }) => void documents.splice(documents.indexOf(id), 1),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        rests.push(ms)
        proceed = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      }),
    ...deps,
  })
  return { rests, done, proceed: () => proceed() }
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

test('pauses longer after each failure it cannot record, runs other documents, and continues', async () => {
  let full = true
  let tries = 0
  const documents = ['a', 'b']
  const { rests, done, proceed } = indexerOver(documents, {
    async work({ id }) {
      tries += 1
      if (full) throw new Error('the disk is full')
      done.push(id)
      documents.shift()
    },
    fail() {
      throw new Error('the disk is full')
    },
  })
  indexer.wake()
  await until(() => rests.length === 1)
  // During a pause it starts nothing, whatever wakes it.
  indexer.wake()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(tries).toBe(1)
  proceed()
  await until(() => rests.length === 2)
  full = false
  proceed()
  await until(() => done.length === 2)
  expect({ rests, done, unhandled }).toEqual({
    rests: [1000, 2000],
    done: ['a', 'b'],
    unhandled: [],
  })
})

test('retries a database that cannot be read, and ends a pause with the service', async () => {
  const { rests } = indexerOver([], {
    next() {
      throw new Error('the disk is gone')
    },
  })
  indexer.wake()
  await until(() => rests.length === 1)
  await indexer.stop()
  expect(unhandled).toEqual([])
})

test('marks a failed document and continues with the next one', async () => {
  const documents = ['bad', 'good']
  const failed: string[] = []
  const { done, rests } = indexerOver(documents, {
    async work({ id }) {
      if (id === 'bad') throw new Error('no text')
      done.push(id)
      documents.shift()
    },
    fail({ id }) {
      failed.push(id)
      documents.shift()
    },
  })
  indexer.wake()
  await until(() => done.length === 1)
  expect({ failed, done, rests }).toEqual({ failed: ['bad'], done: ['good'], rests: [] })
})

test('handles a wake-up during its last check', async () => {
  const documents: string[] = []
  let calls = 0
  const { done } = indexerOver(documents, {
    next() {
      calls += 1
      if (calls !== 1) return documents.slice(0, 1).map(documentOf)[0]
      queueMicrotask(() => {
        documents.push('late')
        indexer.wake()
      })
      return undefined
    },
  })
  indexer.wake()
  await until(() => done.length === 1)
  expect(done).toEqual(['late'])
})
