import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ListedBase } from '../../../../../src/main/domains/knowledge/store/knowledge-bases.ts'
import type { ListedDocument } from '../../../../../src/main/domains/knowledge/store/knowledge-documents.ts'
import type { KnowledgeUpload } from '../../../../../src/shared/model/knowledge.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

let home: ReturnType<typeof temporaryHome>
beforeEach(() => (home = temporaryHome()))
afterEach(() => home.remove())

const base = (id: string, more: Partial<ListedBase> = {}): ListedBase => ({
  id,
  name: `Base ${id}`,
  description: '',
  embeddingId: 11,
  contextual: false,
  background: 'blue',
  icon: 'book',
  documents: 0,
  tokens: 0,
  words: 0,
  ...more,
})
const document = (id: string, more: Partial<ListedDocument> = {}): ListedDocument => ({
  id,
  name: `${id}.md`,
  url: null,
  knowledgeType: 1,
  separators: [],
  sentenceSize: 300,
  tokens: 0,
  words: 0,
  state: 'done',
  failure: null,
  ...more,
})
const all = { query: '', order: 'service', offset: 0, limit: 100 } as const
const every = { query: '', state: null, offset: 0, limit: 100 } as const

test('marks entries missing from a list once, sorts them last, and unmarks them when listed again', () =>
  withStore(home.home, ({ knowledge: { bases } }) => {
    bases.keepAll('one', [base('a'), base('b'), base('c')], 1000)
    expect(bases.keepAll('one', [base('c'), base('b')], 2000)).toEqual(['a'])
    expect(bases.keepAll('one', [base('c'), base('b')], 3000)).toEqual([])
    const listed = bases.list({ accountIds: ['one'], ...all })
    expect(listed.bases.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect(listed.bases[2]).toMatchObject({
      seenAt: 1000,
      firstSeenAt: 1000,
      gone: { why: 'unlisted', at: 2000 },
    })
    bases.keepAll('one', [base('a'), base('c'), base('b')], 4000)
    expect(bases.get('one', 'a')).toMatchObject({ seenAt: 4000, firstSeenAt: 1000, gone: null })
    expect(bases.listedAt('one')).toBe(4000)
  }))

test('marks nothing for a partial list and does not change the age of the whole list', () =>
  withStore(home.home, ({ knowledge: { bases } }) => {
    bases.keepAll('one', [base('a'), base('b')], 1000)
    expect(bases.keepAll('one', [base('b')], 2000, { whole: false })).toEqual([])
    expect(bases.get('one', 'a')?.gone).toBeNull()
    expect(bases.listedAt('one')).toBe(1000)
  }))

test('shares nothing between accounts, not even IDs, and removes everything of a forgotten one', () =>
  withStore(home.home, ({ knowledge: { bases, documents, log } }) => {
    for (const account of ['one', 'two']) {
      bases.keepAll(account, [base('same', { name: account })], 1000)
      documents.keepAll(account, 'same', [document('d')], 1000, { whole: true })
      log.add(account, 'same', { what: 'created' }, 1000)
    }
    bases.forget('one', 'same')
    expect(bases.get('one', 'same')).toBeUndefined()
    expect(documents.list({ accountId: 'one', baseId: 'same', ...every }).total).toBe(0)
    expect(log.list('one', 'same', 10)).toEqual([])
    expect(bases.get('two', 'same')?.name).toBe('two')
    expect(documents.list({ accountId: 'two', baseId: 'same', ...every }).total).toBe(1)
  }))

test('searches every word as written, in any language, and an ID as a whole', () =>
  withStore(home.home, ({ knowledge: { bases } }) => {
    bases.keepAll(
      'one',
      [
        base('x1', { name: '100 % wool' }),
        base('x2', { name: '灯塔手册', description: 'Light_house' }),
      ],
      1000,
    )
    const find = (query: string): readonly string[] =>
      bases.list({ accountIds: ['one'], ...all, query }).bases.map(({ id }) => id)
    expect(find('%')).toEqual(['x1'])
    expect(find('t_h 手册')).toEqual(['x2'])
    expect(find('x2')).toEqual(['x2'])
    expect(find('x')).toEqual([])
  }))

test('polls running documents with growing saved delays, until they end or their knowledge base is deleted', () =>
  withStore(home.home, ({ knowledge: { bases, documents } }) => {
    bases.keepAll('one', [base('a')], 1000)
    const running = document('d', { state: 'running' })
    documents.keepAll('one', 'a', [running, document('e')], 1000, { whole: true })
    expect(documents.nextDue()).toBe(2000)
    const [due] = documents.due(2000, 10)
    expect(due).toMatchObject({ id: 'd', polls: 0 })
    if (due) documents.plan(due, 9000)
    // Listed again while it runs: its due time is unchanged.
    documents.keepAll('one', 'a', [running, document('e')], 3000, { whole: true })
    expect(documents.nextDue()).toBe(9000)
    expect(documents.due(9000, 10)[0]).toMatchObject({ polls: 1 })
    documents.wake('other', 4000)
    expect(documents.nextDue()).toBe(9000)
    documents.wake('one', 4000)
    expect(documents.nextDue()).toBe(4000)
    bases.markGone('one', 'a', 'deleted', 4000)
    expect(documents.nextDue()).toBeNull()
    bases.keepAll('one', [base('a')], 5000)
    documents.keepAll('one', 'a', [document('d', { state: 'failed' })], 5000, { whole: true })
    expect(documents.nextDue()).toBeNull()
    expect(documents.counts('one', 'a')).toEqual({ running: 0, failed: 1, all: 1 })
  }))

test('keeps the position of updated documents and puts new ones first', () =>
  withStore(home.home, ({ knowledge: { bases, documents } }) => {
    bases.keepAll('one', [base('a')], 1000)
    documents.keepAll(
      'one',
      'a',
      ['d', 'e', 'f'].map((id) => document(id)),
      1000,
      { whole: true },
    )
    documents.keepAll('one', 'a', [document('new'), document('f')], 2000, { whole: false })
    const listed = documents.list({ accountId: 'one', baseId: 'a', ...every })
    expect(listed.documents.map(({ id }) => id)).toEqual(['new', 'd', 'e', 'f'])
    expect(bases.get('one', 'a')?.documentsSeenAt).toBe(1000)
  }))

test('retains a file until the provider has it or its row is deleted', () =>
  withStore(home.home, (store) => {
    const { uploads } = store.knowledge
    const media = (id: string) =>
      store.media.put({
        id,
        sha256: id,
        bytes: 3,
        mime: 'text/plain',
        name: id,
        duration: null,
        createdAt: 1,
      })
    for (const id of ['m1', 'm2', 'm3']) media(id)
    const upload = (n: number): Omit<KnowledgeUpload, 'bytes'> => ({
      id: `u${n}`,
      accountId: 'one',
      baseId: 'a',
      kind: 'file',
      name: `${n}.md`,
      mediaId: `m${n}`,
      itemId: null,
      slicing: { type: 5, separators: ['\n', '。'], sentenceSize: 120 },
      parseImages: true,
      wordLimit: 900,
      state: 'queued',
      documentId: null,
      error: null,
      attempts: 0,
      nextTryAt: null,
      createdAt: 1,
      endedAt: null,
    })
    uploads.add([upload(1), upload(2)])
    expect(uploads.get('u1')).toEqual({ ...upload(1), bytes: 3 })
    expect(store.media.orphans(10).map(({ id }) => id)).toEqual(['m3'])
    uploads.change('u1', { state: 'taken', mediaId: null, documentId: 'd', endedAt: 2 })
    uploads.remove(['u2'])
    expect(store.media.orphans(10).map(({ id }) => id)).toEqual(['m1', 'm2', 'm3'])
    expect(uploads.hasUploaded('one', 'd')).toBe(true)
    expect(uploads.open()).toEqual([])
  }))

test('processes entries immediately that were scheduled before the clock was set back', () =>
  withStore(home.home, ({ knowledge: { bases, documents, uploads }, savedFiles }) => {
    const [then, now] = [Date.UTC(2030, 0, 1), Date.UTC(2026, 0, 1)]
    bases.keepAll('one', [base('a')], then)
    documents.keepAll('one', 'a', [document('d', { state: 'running' })], then, { whole: true })
    expect(documents.due(now, 10).map(({ id }) => id)).toEqual(['d'])
    const upload = {
      id: 'u',
      accountId: 'one',
      baseId: 'a',
      kind: 'url',
      name: 'https://example.org',
      mediaId: null,
      itemId: null,
      slicing: { type: 5, separators: [], sentenceSize: 120 },
      parseImages: false,
      wordLimit: null,
      state: 'waiting',
      documentId: null,
      error: null,
      attempts: 1,
      createdAt: then,
      endedAt: null,
    } as const
    uploads.add(['u', 'for-a-key', 'soon'].map((id) => ({ ...upload, id, nextTryAt: null })))
    uploads.change('u', { nextTryAt: then })
    uploads.change('soon', { nextTryAt: now + 60_000 })
    const query = { accountId: 'one', at: now, exceptGroups: [] }
    expect(uploads.accounts()).toEqual(['one'])
    expect(uploads.next({ ...query, except: [] })?.id).toBe('u')
    expect(uploads.next({ ...query, except: ['u'] })).toBeUndefined()
    expect(uploads.next({ ...query, except: [], exceptGroups: ['a'] })).toBeUndefined()
    expect(uploads.next({ ...query, except: [], accountId: 'two' })).toBeUndefined()
    const file = { role: 'file', place: 0, address: 'https://example.org/f', name: 'f' } as const
    savedFiles.want('task', 'one', [file])
    const [waiting] = savedFiles.waiting(then, 1)
    const error = { code: 'OFFLINE', message: '', retriable: true, at: then } as const
    if (waiting) savedFiles.fail(waiting, error, then)
    expect(savedFiles.waiting(now, 10)).toHaveLength(1)
  }))

test('combines actions within a short time into one entry', () =>
  withStore(home.home, ({ knowledge: { log } }) => {
    for (let n = 0; n < 8; n++)
      log.add('one', 'a', { what: 'added', n: 1, names: [`${n}.md`] }, 1000 + n)
    log.add('one', 'a', { what: 'added', n: 1, names: ['late.md'] }, 3_000_000)
    expect(log.list('one', 'a', 10).map(({ deed: action }) => action)).toEqual([
      { what: 'added', n: 1, names: ['late.md'] },
      { what: 'added', n: 8, names: ['0.md', '1.md', '2.md', '3.md', '4.md'] },
    ])
  }))

test('distinguishes images by the query of their URL, but not by its signature', () =>
  withStore(home.home, (store) => {
    const { images } = store.knowledge
    for (const [id, sha] of [
      ['m-1', 'a'],
      ['m-2', 'b'],
    ] as const)
      store.media.put({
        id,
        sha256: sha,
        bytes: 1,
        mime: 'image/png',
        name: id,
        duration: null,
        createdAt: 1,
      })
    const named = (sign: string) =>
      ['1', '2'].map((n) => ({ text: n, url: `https://x.test/image?id=${n}&Signature=${sign}` }))
    images.keep('one', 'd', named('first'), 1)
    for (const [at, image] of images.waiting(1, 9).entries()) images.fetched(image, `m-${at + 1}`)
    images.keep('one', 'd', named('second'), 2)
    expect(images.waiting(2, 9)).toEqual([])
    expect(
      images.list('one', 'd')?.images.map(({ text, state, mediaId }) => [text, state, mediaId]),
    ).toEqual([
      ['1', 'kept', 'm-1'],
      ['2', 'kept', 'm-2'],
    ])
  }))
