import { expect, test } from 'vitest'
import { migrations } from '../../../../src/main/store/migrations/index.ts'
import { addItem, codeOf, temporaryHome, withStore } from '../fixture.ts'
import { aMeeting, transcribeAt } from '../meetings/fixture.ts'
import { newDocument, parse } from './fixture.ts'

const before = migrations.filter((step) => step.version <= 60)

test('migrates a library of version 60 with all its data, and accepts documents', async () => {
  const folder = temporaryHome()
  try {
    await withStore(
      folder.home,
      (store) => {
        addItem(store, 'r', 'A recording', 'spoken words')
        store.meetings.create(aMeeting('m'))
        transcribeAt(store, 'm', 's', 0, 0, ['said in a meeting'])
      },
      { migrations: before },
    )
    await withStore(folder.home, async (store) => {
      expect(store.notice).toEqual({ state: 'ok' })
      newDocument(store, 'd')
      parse(store, 'd', 'v', 1, [['written words']])
      const found = async (query: string) =>
        (await store.search.search({ query, limit: 9 })).hits.map((hit) => hit.itemId)
      expect(await found('words')).toEqual(['d', 'r'])
      expect(await found('meeting')).toEqual(['m'])
      // Every kind of item removes its search rows with it.
      store.items.purge(['r', 'm', 'd'])
      for (const query of ['words', 'meeting']) expect(await found(query)).toEqual([])
    })
  } finally {
    folder.remove()
  }
})

test('lists a read-only library of version 60, without documents', async () => {
  const folder = temporaryHome()
  const fails = {
    version: 70,
    up: () => {
      throw new Error('not today')
    },
  }
  try {
    await withStore(folder.home, (store) => addItem(store, 'r', 'A recording', 'words'), {
      migrations: before,
    })
    await withStore(
      folder.home,
      async (store) => {
        const { documents } = store
        expect(store.writable).toBe(false)
        expect(store.items.summary('r')).toMatchObject({ kind: 'recording', document: null })
        expect((await store.search.search({ query: 'words', limit: 5 })).hits).toHaveLength(1)
        for (const nothing of [
          documents.get('r'),
          documents.head('r'),
          documents.byMedia('m-r'),
          documents.version('v'),
          documents.part('p'),
          documents.block('b1'),
          documents.next({ at: 1 }),
        ])
          expect(nothing).toBeUndefined()
        expect(documents.nextTime(1)).toBeNull()
        for (const list of [
          documents.unfinished(),
          documents.known('m-r', 'x'),
          documents.remoteWaiting(1, 5),
        ])
          expect(list).toEqual([])
        expect(documents.settle()).toBe(false)
        for (const read of [
          () => documents.pages('r'),
          () => documents.blocks('r'),
          () => documents.find('r', 'words'),
          () => documents.versions('r'),
          () => documents.parts('v'),
          () => documents.unplanned('v'),
          () => documents.returned('r', 1),
          () => documents.rawReply('p'),
          () => documents.place('r'),
          () => documents.pageImages('r', { width: 160 }),
          () => documents.remoteImages('r'),
          () => documents.setPlace('r', { page: 1, offset: 0, zoom: 1 }),
        ])
          expect(await codeOf(read)).toBe('NOT_FOUND')
        for (const write of [
          () => newDocument(store, 'd'),
          () => documents.restart(),
          () => documents.cancel('v'),
          () => documents.choose('r', [1], null),
        ])
          expect(await codeOf(write)).toBe('READ_ONLY')
      },
      { migrations: [...before, fails] },
    )
  } finally {
    folder.remove()
  }
})
