import { expect, test } from 'vitest'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import {
  aBlock,
  aPage,
  aPart,
  aReply,
  aVersion,
  failure,
  assertComplete,
  newDocument,
  withLibrary,
} from './fixture.ts'

const page = (number: number, ...texts: readonly string[]) => ({
  page: number,
  blocks: texts.map((text, order) => aBlock(order, text)),
})
const head = (number: number, blocks: number) => ({ ...aPage(number), blocks })

test('assigns staged blocks to their pages with the response, in order', () =>
  withLibrary(({ documents, ...store }) => {
    newDocument({ documents, ...store }, 'd')
    documents.begin(aVersion('v', 'd', [aPart('p', 1, 3)]))
    documents.sent('p')
    documents.stage('p', [page(1, 'one', 'two'), page(2, 'three')])
    documents.stage('p', [{ page: 2, blocks: [aBlock(1, 'four'), aBlock(2, 'five')] }])
    // Blocks that are staged again, because the disk was full afterwards, exist only once.
    documents.stage('p', [{ page: 2, blocks: [aBlock(1, 'four'), aBlock(2, 'five')] }])
    documents.stage('p', [page(9, 'of no page of the part')])
    expect(documents.blocks('d')).toEqual([])
    documents.reply('p', aReply([head(1, 2), head(2, 3), head(3, 0)]))
    expect(documents.blocks('d').map(({ content }) => content)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ])
    assertComplete({ documents, ...store }, 'd')
  }))

test('rejects a whole response whose blocks were not all written', () =>
  withLibrary((store) => {
    newDocument(store, 'd')
    store.documents.begin(aVersion('v', 'd', [aPart('p', 1, 2)]))
    store.documents.sent('p')
    store.documents.stage('p', [page(1, 'one')])
    expect(() => store.documents.reply('p', aReply([head(1, 2), head(2, 0)]))).toThrow(/saved/)
    expect(store.documents.version('v')?.counts).toMatchObject({ returned: 0, waiting: 2 })
  }))

test('stages nothing for a part that is not running, and discards what was staged', () =>
  withLibrary((store) => {
    newDocument(store, 'd')
    store.documents.begin(aVersion('v', 'd', [aPart('p', 1, 2)]))
    expect(() => store.documents.stage('p', [page(1, 'one')])).toThrow(/queued/)
    store.documents.sent('p')
    store.documents.stage('p', [page(1, 'one')])
    store.documents.fail('p', failure(), null)
    store.documents.unstage('p')
    assertComplete(store, 'd')
  }))

test('removes staged blocks after a restart and keeps returned ones', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      newDocument(store, 'd')
      store.documents.begin(aVersion('v', 'd', [aPart('p', 1), aPart('q', 2)]))
      store.documents.sent('p')
      store.documents.reply('p', aReply([aPage(1, 'kept')]))
      store.documents.sent('q')
      store.documents.stage('q', [page(2, 'lost')])
    })
    await withStore(folder.home, (store) => {
      expect(store.documents.restart()).toBe(1)
      assertComplete(store, 'd')
      store.documents.sent('q')
      store.documents.reply('q', aReply([head(2, 0)]))
      expect(store.documents.blocks('d').map(({ content }) => content)).toEqual(['kept'])
    })
  } finally {
    folder.remove()
  }
})
