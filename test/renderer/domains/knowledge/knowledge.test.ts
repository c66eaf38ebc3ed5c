import { expect, test, vi } from 'vitest'
import {
  addressesIn,
  libraryFiles,
  separatorsIn,
} from '../../../../src/renderer/src/domains/knowledge/bases/add/sources.ts'
import { useKnowledgeBase } from '../../../../src/renderer/src/domains/knowledge/bases/base-store.ts'
import {
  basePath,
  useKnowledgeBases,
} from '../../../../src/renderer/src/domains/knowledge/bases/bases-store.ts'
import { passagesOfPage } from '../../../../src/renderer/src/domains/knowledge/bases/preview/pdf-passages.ts'
import type { Failure } from '../../../../src/shared/contract/reply.ts'
import type { KnowledgeBase, KnowledgeDocument } from '../../../../src/shared/model/knowledge.ts'
import { rendererSetup } from '../../stores.ts'

const base = (id: string, more: Partial<KnowledgeBase> = {}): KnowledgeBase => ({
  accountId: 'one',
  id,
  name: `Base ${id}`,
  description: '',
  embeddingId: 11,
  contextual: false,
  background: 'blue',
  icon: 'book',
  documents: 1,
  tokens: 1,
  words: 1,
  firstSeenAt: 1,
  seenAt: 2,
  documentsSeenAt: 2,
  running: 0,
  failed: 0,
  gone: null,
  ...more,
})
const document = (id: string): KnowledgeDocument => ({
  accountId: 'one',
  baseId: 'a',
  id,
  name: id,
  url: null,
  knowledgeType: 1,
  separators: [],
  sentenceSize: 300,
  tokens: 1,
  words: 1,
  state: 'done',
  failure: null,
  firstSeenAt: 1,
  seenAt: 2,
  gone: null,
})
const offline: Failure = { code: 'OFFLINE', message: 'no way', retriable: true, at: 5 }
const page = (bases: readonly KnowledgeBase[], total: number, failure: Failure | null = null) => ({
  accountId: 'one',
  bases,
  total,
  listedAt: 2,
  capacity: null,
  failure,
  unreachable: [],
})

test('pages through knowledge bases, and reloads the shown ones after changes', async () => {
  const { main, run, settle } = rendererSetup()
  const all = Array.from({ length: 450 }, (_, n) => base(String(n)))
  main.answer('knowledge.list', ({ offset, limit }: { offset: number; limit: number }) =>
    page(all.slice(offset, offset + limit), all.length),
  )
  const store = run(useKnowledgeBases)
  await store.load()
  expect(store.bases).toHaveLength(200)
  await store.more()
  await store.more()
  await store.more()
  expect(store.bases.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  main.app({ type: 'knowledge.changed', accountId: 'two', baseId: null })
  await settle()
  expect(main.requests.at(-1)?.payload).toMatchObject({ offset: 0, limit: 450 })
})

test('keeps knowledge bases of other accounts, with the accounts that can’t be reached', async () => {
  const { main, run } = rendererSetup()
  const unreachable = [{ accountId: 'two', failure: offline }]
  const bases = [base('a'), base('b', { accountId: 'two' })]
  main.answer('knowledge.list', () => ({ ...page(bases, 2), unreachable }))
  const store = run(useKnowledgeBases)
  await store.load()
  expect(store.bases.map(({ accountId }) => accountId)).toEqual(['one', 'two'])
  expect([store.stale, store.unreachable]).toEqual([null, unreachable])
})

test('keeps the saved list if it cannot be fetched, with its age and the reason', async () => {
  const { main, run } = rendererSetup()
  main.answer('knowledge.list', () => page([base('a')], 1, offline))
  main.answer('knowledge.refresh', () => page([base('a')], 1, offline))
  const store = run(useKnowledgeBases)
  await store.refresh()
  expect(store.bases.map(({ id }) => id)).toEqual(['a'])
  expect([store.stale, store.failure, store.listedAt]).toEqual([offline, null, 2])
})

test('shows a knowledge base from the saved copy while fetching, and ignores late results of another', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('knowledge.get', ({ baseId }: { baseId: string }) => ({
    base: base(baseId),
    chats: 2,
  }))
  main.answer('knowledge.documents', ({ baseId }: { baseId: string }) => ({
    documents: [document(`of ${baseId}`)],
    total: 1,
    running: 0,
    failed: 0,
    listedAt: 2,
    failure: null,
  }))
  main.answer('knowledge.refreshDocuments', () => ({}))
  main.answer('knowledge.uploads', () => [])
  main.answer('knowledge.activity', () => [])
  const store = run(useKnowledgeBase)
  const first = store.open('a')
  const second = store.open('b')
  await Promise.all([first, second])
  await settle()
  expect([store.base?.id, store.chats, store.documents[0]?.id]).toEqual(['b', 2, 'of b'])
  expect(
    main.requests.filter(({ payload }) => (payload as { fresh?: boolean }).fresh === true),
  ).toHaveLength(1)
  await store.search('words of a name')
  expect(
    main.requests.filter(({ route }) => route === 'knowledge.refreshDocuments').at(-1)?.payload,
  ).toEqual({
    accountId: 'one',
    baseId: 'b',
    word: 'words of a name',
  })
})

test('opens the knowledge base of the account in the address, also before it is loaded', async () => {
  const { main, run } = rendererSetup()
  main.answer('knowledge.get', ({ accountId = 'one' }: { accountId?: string }) => ({
    base: base('a', { accountId, gone: { why: 'deleted', at: 1 } }),
    chats: 0,
  }))
  const store = run(useKnowledgeBase)
  await store.open('a', 'two')
  expect(store.base?.accountId).toBe('two')
  await store.open('a', 'one')
  expect(store.base?.accountId).toBe('one')
  const { requests } = main
  expect(requests.every(({ payload }) => Object.hasOwn(payload as object, 'accountId'))).toBe(true)
  expect(basePath(base('a b', { accountId: 'two' }))).toBe('/knowledge/bases/a%20b?account=two')
})

test('reloads once after a burst of changes', async () => {
  vi.useFakeTimers()
  try {
    const { main, run, settle } = rendererSetup()
    main.answer('knowledge.get', () => ({
      base: base('a', { gone: { why: 'deleted', at: 1 } }),
      chats: 0,
    }))
    for (const route of ['knowledge.uploads', 'knowledge.activity'] as const)
      main.answer(route, () => [])
    main.answer('knowledge.documents', () => ({
      documents: [],
      total: 0,
      running: 0,
      failed: 0,
      listedAt: null,
      failure: null,
    }))
    const store = run(useKnowledgeBase)
    await store.open('a')
    const before = main.requests.length
    for (let n = 0; n < 20; n++)
      main.app({ type: 'knowledge.changed', accountId: 'one', baseId: 'a' })
    vi.advanceTimersByTime(100)
    await settle()
    // The knowledge base, its documents, uploads and activity; a removed one is not requested.
    expect(main.requests.length - before).toBe(4)
  } finally {
    vi.useRealTimers()
  }
})

test('shows which Library items are chosen', () => {
  const source = { mediaId: 'm', name: 'Call.md', bytes: 3, kind: null }
  const chosen = libraryFiles([
    { ...source, libraryId: 'call' },
    { ...source, mediaId: 'n' },
  ])
  expect([...chosen]).toEqual([['call', 'm']])
})

test('accepts URLs and separators line by line', () => {
  expect(addressesIn(' https://a.example/x \n\nftp://b\nhttps://a.example/x\nplain')).toEqual({
    urls: ['https://a.example/x'],
    bad: ['ftp://b', 'plain'],
  })
  expect(separatorsIn('。\n\\n\\n\n;\n;')).toEqual(['。', '\n\n', ';'])
})

test('converts the text layer of a page to paragraphs, and large lines to headings', () => {
  const run = (str: string, y: number, height = 10, hasEOL = true) => ({
    str,
    height,
    hasEOL,
    transform: [1, 0, 0, 1, 72, y],
  })
  const passages = passagesOfPage(
    [
      run('The pier', 700, 20),
      run('Ships moor ', 660, 10, false),
      run('at the pier.', 660),
      run('From May on.', 648),
      { type: 'beginMarkedContent' },
      run('Tides', 610, 13),
      run('High water at noon.', 590),
      run('Another paragraph.', 540),
    ],
    3,
  )
  expect(passages.map(({ text, level }) => [text, level])).toEqual([
    ['The pier', 1],
    ['Ships moor at the pier.\nFrom May on.', null],
    ['Tides', 2],
    ['High water at noon.', null],
    ['Another paragraph.', null],
  ])
  expect(passages.every(({ places }) => places[0]?.page === 3)).toBe(true)
})
