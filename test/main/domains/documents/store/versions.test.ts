import { expect, test } from 'vitest'
import { codeOf } from '../../../platform/database/fixture.ts'
import {
  aPage,
  aPart,
  aReply,
  aVersion,
  facts,
  failure,
  assertComplete,
  newDocument,
  parse,
  withLibrary,
} from './fixture.ts'

test('treats a document as an item: listed, renamed, moved to Trash, restored, purged', () =>
  withLibrary(async (store) => {
    newDocument(store, 'd', { facts: null })
    expect(store.items.summary('d')).toMatchObject({
      kind: 'document',
      title: 'Document d',
      duration: null,
      meeting: null,
      document: { pages: 0, locked: false, state: null, counts: null },
    })
    store.documents.setFacts('d', facts(3, 'user'))
    expect(store.items.summary('d')?.document).toMatchObject({ pages: 3, locked: true })
    parse(store, 'd', 'v', 1, [['First words of it'], [], ['third']])
    store.items.rename('d', 'Renamed', 50)
    const { items, total } = store.items.list({ kinds: ['document'], bin: false, limit: 5 })
    expect(total).toBe(1)
    expect(items).toMatchObject([
      {
        title: 'Renamed',
        excerpt: 'First words of it third',
        document: {
          state: 'done',
          counts: { asked: 3, returned: 3, failed: 0, waiting: 0, cancelled: 0 },
        },
      },
    ])
    expect(store.documents.get('d')).toMatchObject({
      title: 'Renamed',
      name: 'd.pdf',
      mediaId: 'm-d',
      facts: facts(3, 'user'),
      versions: [{ id: 'v', number: 1, engine: 'gen-ocr', calls: 1 }],
      deletedAt: null,
    })
    expect(store.documents.head('d')).not.toHaveProperty('facts')
    store.items.remove(['d'], 60)
    expect(store.documents.get('d')?.deletedAt).toBe(60)
    expect(store.documents.byMedia('m-d')).toBeUndefined()
    store.items.restore(['d'], 70)
    expect(store.documents.byMedia('m-d')).toBe('d')
    expect(store.items.purge(['d'])).toEqual(['m-d'])
    expect(store.documents.get('d')).toBeUndefined()
    expect(store.items.list({ bin: false, limit: 5 }).total).toBe(0)
    expect(await codeOf(() => store.documents.blocks('d'))).toBe('NOT_FOUND')
  }))

test('keeps a document when its file is removed and returns, and recognizes it by its file', () =>
  withLibrary((store) => {
    newDocument(store, 'd')
    expect(store.media.remove('m-d')).toBe(false)
    store.documents.setOriginal('d', null)
    expect(store.documents.get('d')).toMatchObject({ mediaId: null, name: 'd.pdf' })
    expect(store.documents.byMedia('m-d')).toBe('d')
    expect(store.media.remove('m-d')).toBe(true)
    newDocument(store, 'other', { mediaId: 'm-d' })
    store.documents.setOriginal('d', 'm-d')
    store.items.purge(['other'])
    expect(store.media.remove('m-d')).toBe(false)
    expect(store.documents.get('d')?.mediaId).toBe('m-d')
  }))

test('orders parts by priority, age and page; skips those not due or in the Trash', () =>
  withLibrary((store) => {
    const { documents } = store
    const accountId = 'a1'
    for (const id of ['a', 'b', 'c']) newDocument(store, id)
    documents.begin(aVersion('va', 'a', [aPart('a3', 3, 4), aPart('a1', 1, 2)]))
    documents.begin(aVersion('vb', 'b', [aPart('b1', 1)]))
    documents.begin(aVersion('vc', 'c', [aPart('c1', 1)], { priority: -1 }))
    const order = (except: readonly string[] = []): readonly string[] => {
      const next = documents.next({ accountId, at: 10, exceptParts: except })
      return next ? [next.id, ...order([...except, next.id])] : []
    }
    expect(order()).toEqual(['c1', 'a1', 'a3', 'b1'])
    expect(documents.unfinished().map((version) => version.id)).toEqual(['vc', 'va', 'vb'])
    documents.setPriority('vb', -5)
    expect(order()).toEqual(['b1', 'c1', 'a1', 'a3'])
    expect(documents.next({ accountId, at: 10, exceptDocuments: ['b'] })?.id).toBe('c1')
    expect(documents.accounts()).toEqual([accountId])
    expect(documents.next({ accountId: 'other', at: 10 })).toBeUndefined()
    store.items.remove(['c'], 5)
    documents.sent('b1', { bytes: 99 })
    expect(documents.part('b1')).toMatchObject({ state: 'sent', bytes: 99, attempts: 1, calls: 1 })
    documents.fail('b1', failure(), 500)
    documents.fail('a1', failure(), 300)
    expect(order()).toEqual(['a3'])
    expect(documents.nextTime(10)).toBe(300)
    expect(documents.nextTime(300)).toBe(500)
    expect(documents.next({ accountId, at: 500 })?.id).toBe('b1')
    expect(documents.unfinished().map((version) => version.id)).toEqual(['vb', 'va'])
    expect(documents.version('vb')).toMatchObject({
      state: 'running',
      calls: 1,
      error: { code: 'OVERLOADED' },
    })
  }))

test('saves a response completely, marks missing pages as failed, and notes extra ones', () =>
  withLibrary(async (store) => {
    const { documents } = store
    newDocument(store, 'd')
    documents.begin(aVersion('v', 'd', [aPart('p', 2, 5)]))
    expect(await codeOf(() => documents.reply('p', aReply([])))).toBe('REFUSED')
    documents.sent('p')
    expect(await codeOf(() => documents.sent('p'))).toBe('REFUSED')
    const outcome = documents.reply(
      'p',
      aReply([aPage(4, 'four'), aPage(2), aPage(9, 'nine'), aPage(4, 'again'), aPage(5, 'five')], {
        raw: { status: 200, contentType: 'application/json', body: '{"as":"it came"}' },
        markdown: '# As returned',
      }),
    )
    expect(outcome).toEqual({ returned: [2, 4, 5], missing: [3], surplus: [9, 4] })
    expect(documents.part('p')).toMatchObject({ state: 'done', surplus: [9, 4] })
    expect(documents.version('v')).toMatchObject({
      state: 'partial',
      counts: { asked: 4, returned: 3, failed: 1 },
      error: { code: 'MALFORMED_REPLY' },
      endedAt: 3000,
    })
    expect(documents.blocks('d').map((block) => [block.page, block.content])).toEqual([
      [4, 'four'],
      [5, 'five'],
    ])
    expect(documents.returned('d', 5)).toEqual({
      partId: 'p',
      first: 2,
      last: 5,
      markdown: '# As returned',
    })
    expect(documents.returned('d', 3)).toBeUndefined()
    expect(documents.rawReply('p')?.body).toBe('{"as":"it came"}')
    assertComplete(store, 'd')
    // Failed pages are sent again in the same version; received ones are not.
    expect(await codeOf(() => documents.plan('v', [aPart('q', 3, 4)]))).toBe('REFUSED')
    expect(documents.plan('v', [aPart('q', 3)])).toMatchObject({
      state: 'running',
      endedAt: null,
      error: null,
      counts: { waiting: 1, returned: 3 },
    })
    expect(await codeOf(() => documents.plan('v', [aPart('r', 3)]))).toBe('REFUSED')
    documents.sent('q')
    documents.reply('q', aReply([aPage(3, 'three')]))
    expect(documents.version('v')).toMatchObject({ state: 'done', calls: 2, error: null })
    assertComplete(store, 'd')
  }))

test('retries a part, gives it up, splits it, or resets it as if it was never started', () =>
  withLibrary(async (store) => {
    const { documents } = store
    newDocument(store, 'd')
    documents.begin(aVersion('v', 'd', [aPart('p', 1, 4)]))
    documents.sent('p')
    expect(documents.putBack('p')).toMatchObject({ state: 'queued', attempts: 0, calls: 0 })
    expect(documents.version('v')?.calls).toBe(0)
    documents.sent('p')
    documents.fail('p', failure('OFFLINE'), 100)
    assertComplete(store, 'd')
    const bad = [aPart('x', 1, 2), aPart('y', 4)]
    expect(await codeOf(() => documents.split('p', bad))).toBe('REFUSED')
    expect(await codeOf(() => documents.split('p', [aPart('x', 1, 4), aPart('y', 2)]))).toBe(
      'REFUSED',
    )
    expect(documents.split('p', [aPart('a', 1, 2), aPart('b', 3, 4)])).toMatchObject([
      { id: 'a', state: 'queued', attempts: 0 },
      { id: 'b', first: 3, last: 4 },
    ])
    assertComplete(store, 'd')
    expect(documents.next({ accountId: 'a1', at: 1 })?.id).toBe('a')
    documents.sent('a')
    documents.reply('a', aReply([aPage(1, 'one'), aPage(2, 'two')]))
    expect(documents.fail('b', failure('CONTENT_BLOCKED'), null)).toMatchObject({ state: 'failed' })
    expect(documents.version('v')).toMatchObject({
      state: 'partial',
      error: { code: 'CONTENT_BLOCKED' },
    })
    expect(documents.parts('v').map((part) => part.state)).toEqual(['split', 'done', 'failed'])
    expect(await codeOf(() => documents.fail('b', failure(), 1))).toBe('REFUSED')
    assertComplete(store, 'd')
  }))

test('reports canceled pages, which another account can request again', () =>
  withLibrary(async (store) => {
    const { documents } = store
    newDocument(store, 'd')
    documents.begin(aVersion('v', 'd', [aPart('p', 1, 2), aPart('q', 3, 4)]))
    documents.sent('p')
    expect(documents.cancel('v')).toMatchObject({
      state: 'cancelled',
      counts: { asked: 4, cancelled: 4, waiting: 0 },
    })
    expect(documents.next({ accountId: 'a1', at: 1 })).toBeUndefined()
    // Its response was received too late.
    expect(await codeOf(() => documents.reply('p', aReply([aPage(1, 'x')])))).toBe('REFUSED')
    assertComplete(store, 'd')
    const account = { accountId: 'a2', accountName: 'Home', fingerprint: 'other' }
    documents.plan('v', [aPart('r', 1, 4)], account)
    expect(documents.next({ accountId: 'a2', at: 1 })).toMatchObject({
      id: 'r',
      accountId: 'a2',
      first: 1,
      last: 4,
    })
    assertComplete(store, 'd')
  }))

test('rejects an invalid version without leaving anything behind', () =>
  withLibrary(async (store) => {
    newDocument(store, 'd')
    const { documents } = store
    const tries = [
      aVersion('v', 'd', []),
      aVersion('v', 'd', [aPart('p', 1, 3), aPart('q', 3, 4)]),
      aVersion('v', 'd', [aPart('p', 3, 2)]),
      aVersion('v', 'd', [aPart('p', 1, 5)], { pages: [{ first: 1, last: 4 }] }),
    ]
    for (const version of tries)
      expect(await codeOf(() => documents.begin(version))).toBe('REFUSED')
    expect(await codeOf(() => documents.begin(aVersion('v', 'none', [aPart('p', 1)])))).toBe(
      'NOT_FOUND',
    )
    expect(documents.versions('d')).toEqual([])
    expect(documents.next({ accountId: 'a1', at: 1 })).toBeUndefined()
  }))

test('reuses pages of the same file with the same options instead of sending them', () =>
  withLibrary((store) => {
    const { documents } = store
    newDocument(store, 'd')
    parse(store, 'd', 'v1', 1, [['one'], ['two', 'zwei'], ['three']])
    const block = documents.blocks('d', { first: 2, last: 2 })[0]
    documents.edit('d', block?.id ?? '', 'TWO')
    expect(documents.known('m-d', 'print')).toEqual([{ first: 1, last: 3 }])
    expect(documents.known('m-d', 'other options')).toEqual([])
    expect(documents.known('other file', 'print')).toEqual([])
    documents.begin(aVersion('v2', 'd', [], { pages: [{ first: 2, last: 5 }] }))
    expect(documents.unplanned('v2')).toEqual([{ first: 2, last: 5 }])
    expect([documents.reuse('v2', 1), documents.reuse('v2', 5), documents.reuse('v2')]).toEqual([
      1, 1, 0,
    ])
    expect(documents.unplanned('v2')).toEqual([{ first: 4, last: 5 }])
    expect(documents.version('v2')).toMatchObject({
      calls: 0,
      engine: 'gen-ocr',
      counts: { asked: 4, returned: 2, waiting: 2 },
    })
    expect(
      documents
        .blocks('d', { versionId: 'v2' })
        .map((each) => [each.page, each.content, each.edited]),
    ).toEqual([
      [2, 'two', 'TWO'],
      [2, 'zwei', null],
      [3, 'three', null],
    ])
    expect(documents.returned('d', 3, 'v2')?.partId).toBe('v1-p')
    assertComplete(store, 'd')
    documents.plan('v2', [aPart('rest', 4, 5)])
    expect(documents.reuse('v2')).toBe(0)
    // Another document with the same file reuses them too, also when the first no longer exists.
    newDocument(store, 'e', { mediaId: 'm-d' })
    documents.begin(aVersion('v3', 'e', [], { pages: [{ first: 1, last: 2 }] }))
    expect(documents.reuse('v3')).toBe(2)
    store.items.purge(['d'])
    expect(documents.known('m-d', 'print')).toEqual([{ first: 1, last: 2 }])
    expect(documents.version('v3')?.state).toBe('done')
  }))

test('attributes pages returned by another account after a retry to that account', () =>
  withLibrary((store) => {
    const { documents } = store
    newDocument(store, 'd')
    documents.begin(aVersion('v', 'd', [aPart('p', 1), aPart('q', 2)]))
    documents.sent('p')
    documents.reply('p', aReply([aPage(1, 'one')]))
    documents.fail('q', failure(), null)
    documents.plan('v', [aPart('r', 2)], {
      accountId: 'b',
      accountName: 'B',
      fingerprint: 'second',
    })
    documents.sent('r')
    documents.reply('r', aReply([aPage(2, 'two')]))
    expect(documents.known('m-d', 'print')).toEqual([{ first: 1, last: 1 }])
    expect(documents.known('m-d', 'second')).toEqual([{ first: 2, last: 2 }])
  }))
