import { expect, test } from 'vitest'
import { useBatch } from '../../../../src/renderer/src/domains/library/intake/batch.ts'
import {
  batchTotal,
  moved,
  ordered,
  type BatchEntry,
} from '../../../../src/renderer/src/domains/library/intake/batch-plan.ts'
import type { DocumentItem, DocumentVersion } from '../../../../src/shared/model/document.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const entry = (id: string, change: Partial<BatchEntry> = {}): BatchEntry => ({
  id,
  title: id,
  at: 0,
  state: 'ready',
  pages: 10,
  requests: 1,
  failure: null,
  ...change,
})
const ids = (entries: readonly BatchEntry[]): string => entries.map(({ id }) => id).join('')

test('summarizes a batch in one line, without counting locked or unknown files as sent', () => {
  const total = batchTotal([
    entry('a', { pages: 300, requests: 13 }),
    entry('b', { pages: 12 }),
    entry('c', { state: 'locked', pages: 0, requests: 0 }),
  ])
  expect(total).toEqual({ documents: 2, pages: 312, requests: 14, locked: 1, planning: false })
  expect(batchTotal([entry('a', { state: 'planning' })])).toMatchObject({
    documents: 0,
    planning: true,
  })
})

test('orders a batch as added, by natural name order, by length, and manually', () => {
  const received = [
    entry('x', { at: 1, title: 'part 10', pages: 3 }),
    entry('y', { at: 2, title: 'part 2', pages: 117 }),
    entry('z', { at: 3, title: 'Annex', pages: 3 }),
  ]
  expect(ids(ordered(received, 'name', 'en'))).toBe('zyx')
  expect(ids(ordered(received, 'short', 'en'))).toBe('xzy')
  expect(ids(ordered(ordered(received, 'name', 'en'), 'dropped', 'en'))).toBe('xyz')
  expect(ids(moved(received, 'z', -1))).toBe('xzy')
  expect(ids(moved(received, 'x', -1))).toBe('xyz')
  expect(ids(moved(received, 'z', 1))).toBe('xyz')
})

const document = (id: string, change: Partial<DocumentItem> = {}): DocumentItem => ({
  id,
  title: id,
  mediaId: `m${id}`,
  name: `${id}.pdf`,
  facts: {
    mime: 'application/pdf',
    bytes: 1000,
    pages: 5,
    sizes: [],
    locked: 'no',
    textChars: [],
  },
  unlocked: false,
  versions: [],
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
  ...change,
})
const facts = document('f').facts

test('starts all files in order, except locked ones', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('documents.plan', () => ({
    plan: { pages: 5, bytes: 1000, parts: 1, requests: 1 },
    reusedPages: 0,
  }))
  main.answer('documents.parse', () => ({ version: {} as DocumentVersion }))
  const batch = run(useBatch)
  batch.add(document('b'), 2)
  batch.add(document('a'), 1)
  batch.add(document('a'), 1)
  batch.add(document('c', { facts: facts && { ...facts, locked: 'user', pages: 0 } }), 3)
  await settle()
  expect(ids(batch.entries)).toBe('abc')
  batch.move('b', -1)
  await batch.startAll()
  await settle()
  const begun = main.requests.flatMap(({ route, payload }) =>
    route === 'documents.parse' ? [payload] : [],
  )
  expect(begun.map((request) => (request as { id: string }).id)).toEqual(['b', 'a'])
  expect(batch.entries).toMatchObject([{ id: 'c', state: 'locked' }])
})

test('keeps what cannot be started, with its reason', async () => {
  const { main, run, settle } = rendererSetup({
    fail: { 'documents.parse': failure('FILE_MISSING') },
  })
  main.answer('documents.plan', () => ({
    plan: { pages: 5, bytes: 1000, parts: 1, requests: 1 },
    reusedPages: 0,
  }))
  const batch = run(useBatch)
  batch.add(document('a'), 1)
  await settle()
  await batch.startAll()
  expect(batch.entries).toMatchObject([{ state: 'failed', failure: { code: 'FILE_MISSING' } }])
})

test('removes files started elsewhere from the batch, and plans unlocked ones', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('documents.plan', () => ({
    plan: { pages: 9, bytes: 1000, parts: 1, requests: 1 },
    reusedPages: 0,
  }))
  const batch = run(useBatch)
  const locked = document('c', { facts: facts && { ...facts, locked: 'user', pages: 0 } })
  batch.add(document('a'), 1)
  batch.add(locked, 2)
  await settle()
  main.app({ type: 'document.changed', document: { ...locked, unlocked: true } })
  main.app({
    type: 'document.changed',
    document: { ...document('a'), versions: [{ id: 'v' } as DocumentVersion] },
  })
  await settle()
  expect(batch.entries).toMatchObject([{ id: 'c', state: 'ready', pages: 9 }])
})

test('does not send a file removed while the batch is started', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('documents.plan', () => ({
    plan: { pages: 5, bytes: 1, parts: 1, requests: 1 },
    reusedPages: 0,
  }))
  const sent: string[] = []
  const batch = run(useBatch)
  main.answer('documents.parse', ({ id }: { id: string }) => {
    sent.push(id)
    batch.dismiss()
    return {}
  })
  for (const [at, id] of ['a', 'b', 'c'].entries()) batch.add(document(id), at)
  await settle()
  await batch.startAll()
  expect(sent).toEqual(['a'])
  expect(batch.starting).toBe(false)
})
