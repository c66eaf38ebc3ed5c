import { expect, test } from 'vitest'
import { aMedia, codeOf } from '../../../platform/database/fixture.ts'
import {
  aBlock,
  aPart,
  aReply,
  aVersion,
  failure,
  newDocument,
  parse,
  withLibrary,
} from './fixture.ts'

test('returns a block as stored: labels, box, raw numbers, formula and table', () =>
  withLibrary((store) => {
    const { documents } = store
    newDocument(store, 'd')
    const given = [
      aBlock(0, 'E = mc^2', { kind: 'formula', nativeLabel: null, raw: null, box: null }),
      aBlock(1, '<table><tr><td>一</td></tr></table>', { kind: 'table', guessed: true }),
      aBlock(2, 'x', { box: [0.123456789, 0, 1 / 3, 1], raw: [1.5, 2, 3, 4] }),
    ]
    documents.begin(aVersion('v', 'd', [aPart('p', 7)]))
    documents.sent('p')
    const page = {
      page: 7,
      blocks: given,
      raster: null,
      regime: 'thousandths',
      layoutPicture: 'https://example.test/7.png',
    } as const
    documents.reply('p', aReply([page]))
    const blocks = documents.blocks('d')
    expect(blocks).toEqual(
      given.map((block, at) => ({ ...block, id: blocks[at]?.id, page: 7, edited: null })),
    )
    expect(new Set(blocks.map((block) => block.id)).size).toBe(3)
    expect(documents.block(blocks[1]?.id ?? '')).toEqual({ ...blocks[1], versionId: 'v' })
    expect(documents.block('b99')).toBeUndefined()
    expect(documents.block('nonsense')).toBeUndefined()
    expect(documents.pages('d', { first: 7, last: 7 })).toMatchObject([
      {
        raster: null,
        regime: 'thousandths',
        layoutPicture: 'https://example.test/7.png',
        partId: 'p',
      },
    ])
  }))

test('shows the newest version of every page, or the chosen one', () =>
  withLibrary(async (store) => {
    const { documents } = store
    newDocument(store, 'd')
    parse(store, 'd', 'v1', 1, [['one a'], ['two a'], ['three a']])
    parse(store, 'd', 'v2', 2, [['two b'], ['three b'], ['four b']])
    const currentVersions = () =>
      documents.pages('d').map((page) => `${page.versionId ?? '-'}${page.chosen ? '!' : ''}`)
    expect(currentVersions()).toEqual(['v1', 'v2', 'v2', 'v2', '-', '-', '-', '-', '-', '-'])
    expect(documents.pages('d', { first: 5, last: 6 })).toMatchObject([
      { page: 5, state: 'waiting', blocks: 0, versionId: null },
      { page: 6 },
    ])
    documents.choose('d', [2, 3], 'v1')
    expect(currentVersions().slice(0, 4)).toEqual(['v1', 'v1!', 'v1!', 'v2'])
    expect(documents.blocks('d').map((block) => block.content)).toEqual([
      'one a',
      'two a',
      'three a',
      'four b',
    ])
    // A newer version does not replace a chosen one.
    parse(store, 'd', 'v3', 3, [['three c'], ['four c']])
    expect(currentVersions().slice(0, 4)).toEqual(['v1', 'v1!', 'v1!', 'v3'])
    documents.choose('d', [3], null)
    expect(currentVersions().slice(0, 4)).toEqual(['v1', 'v1!', 'v3', 'v3'])
    expect(await codeOf(() => documents.choose('d', [1], 'v2'))).toBe('REFUSED')
    expect(await codeOf(() => documents.choose('d', [1], 'none'))).toBe('NOT_FOUND')
    expect(currentVersions()[1]).toBe('v1!')
    expect(documents.blocks('d', { first: 2, last: 3, versionId: 'v2' })).toMatchObject([
      { content: 'two b' },
      { content: 'three b' },
    ])
    newDocument(store, 'e')
    expect(await codeOf(() => documents.blocks('e', { versionId: 'v1' }))).toBe('NOT_FOUND')
  }))

test('still shows the older version of a page that fails in a newer one', () =>
  withLibrary((store) => {
    const { documents } = store
    newDocument(store, 'd')
    parse(store, 'd', 'v1', 1, [['one']])
    documents.begin(aVersion('v2', 'd', [aPart('p', 1, 2)]))
    documents.fail('p', failure(), null)
    expect(documents.pages('d', { last: 2 })).toMatchObject([
      { state: 'returned', versionId: 'v1', error: null },
      { state: 'failed', versionId: 'v2', error: { code: 'OVERLOADED' } },
    ])
  }))

test('stores the user’s own text next to the returned one, and reverts it', () =>
  withLibrary(async (store) => {
    const { documents } = store
    newDocument(store, 'd')
    parse(store, 'd', 'v', 1, [['as returned', 'second']])
    const id = documents.blocks('d')[0]?.id ?? ''
    expect(documents.edit('d', id, 'my words')).toMatchObject({
      content: 'as returned',
      edited: 'my words',
    })
    expect(documents.pages('d', { last: 1 })).toMatchObject([{ edits: 1 }])
    expect(store.items.summary('d')?.excerpt).toBe('my words second')
    documents.edit('d', id, '')
    expect(documents.blocks('d')[0]?.edited).toBe('')
    documents.edit('d', id, 'as returned')
    expect(documents.blocks('d')[0]?.edited).toBeNull()
    documents.edit('d', id, 'x')
    documents.edit('d', id, null)
    expect(documents.pages('d', { last: 1 })).toMatchObject([{ edits: 0 }])
    newDocument(store, 'e')
    expect(await codeOf(() => documents.edit('e', id, 'x'))).toBe('NOT_FOUND')
  }))

test('saves the reading position and page images with their files', () =>
  withLibrary((store) => {
    const { documents, media } = store
    newDocument(store, 'd')
    expect(documents.place('d')).toBeNull()
    documents.setPlace('d', { page: 4, offset: 0.25, zoom: null })
    expect(documents.place('d')).toEqual({ page: 4, offset: 0.25, zoom: null })
    for (const id of ['t1', 't2', 't3']) media.put(aMedia(id))
    documents.putPageImage('d', { page: 2, width: 160, height: 220, mediaId: 't1' })
    documents.putPageImage('d', { page: 2, width: 1240, height: 1700, mediaId: 't2' })
    expect(media.remove('t1')).toBe(false)
    documents.putPageImage('d', { page: 2, width: 160, height: 221, mediaId: 't3' })
    expect(documents.pageImages('d', { width: 160 })).toEqual([
      { page: 2, width: 160, height: 221, mediaId: 't3' },
    ])
    expect(documents.pageImages('d', { width: 1240, first: 3 })).toEqual([])
    expect(media.remove('t1')).toBe(true)
    store.items.purge(['d'])
    while (documents.settle()) continue
    expect(media.orphans(9e15).map((each) => each.id)).toEqual(['m-d', 't2', 't3'])
  }))

test('fetches provider images once, one by one, and gives up when necessary; images in text wait', () =>
  withLibrary(async (store) => {
    const { documents, media } = store
    newDocument(store, 'd')
    documents.begin(aVersion('v', 'd', [aPart('p', 1), aPart('q', 2)]))
    documents.sent('p')
    const inText = ['https://x/3', 'https://x/text']
    const first = ['https://x/1', 'https://x/2', 'https://x/1']
    documents.reply('p', aReply([], { addresses: [...first, ...inText], filled: first }))
    documents.sent('q')
    const second = ['https://x/2', 'https://x/3']
    documents.reply('q', aReply([], { addresses: second, filled: second }))
    const waiting = (at: number) => documents.remoteWaiting(at, 9).map((each) => each.address)
    expect(waiting(1)).toEqual(['https://x/1', 'https://x/2', 'https://x/3'])
    media.put(aMedia('r'))
    documents.putRemote('d', 'https://x/1', 'r')
    expect(media.remove('r')).toBe(false)
    documents.failRemote('d', 'https://x/2', failure('OFFLINE'), 50)
    documents.failRemote('d', 'https://x/3', failure('FILE_MISSING'), null)
    expect([waiting(49), waiting(50)]).toEqual([[], ['https://x/2']])
    expect(documents.remoteImages('d')).toMatchObject([
      { documentId: 'd', mediaId: 'r', error: null },
      { mediaId: null, attempts: 1, nextTryAt: 50 },
      { mediaId: null, error: { code: 'FILE_MISSING' } },
      { address: 'https://x/text', mediaId: null, attempts: 0, error: null },
    ])
    documents.restRemote('d', 'https://x/2')
    expect(waiting(50)).toEqual([])
    expect(await codeOf(() => documents.putRemote('d', 'https://other', 'r'))).toBe('NOT_FOUND')
  }))
