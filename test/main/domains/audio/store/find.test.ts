import { expect, test } from 'vitest'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { locate } from '../../../../../src/shared/text/locate.ts'
import { rebuildSearch } from '../../../../../src/main/domains/library/store/search-rebuild.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { parseQuery } from '../../../../../src/shared/text/query.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aLine, aMeeting, aSegment, aVersion, transcribeAt } from './fixture.ts'

const words = 'budget review ship deploy risk café naïve 预算 评审 上线 风险 会议 服务器'.split(' ')

/** Generates numbers with a fixed seed. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/** Creates meetings with lines over many minutes, some of them changed, deleted or renamed afterwards. */
function fill(store: Store): readonly string[] {
  const next = generator(7)
  const ids = Array.from({ length: 6 }, (_, n) => `m${n}`)
  for (const id of ids) {
    store.meetings.create(aMeeting(id))
    for (let n = 0; n < 25; n++) {
      const texts = Array.from({ length: 3 }, () =>
        Array.from({ length: 5 }, () => words[next(words.length)]).join(n % 2 ? ' ' : ''),
      )
      transcribeAt(store, id, `${id}-${n}`, n % 2, n * 47_000, texts)
    }
    const lines = store.meetings.lines(id)
    const at = (place: number): string => lines[place]?.id ?? ''
    store.meetings.edit(id, { type: 'text', lineId: at(3), text: 'unusual word here' })
    store.meetings.edit(id, { type: 'remove', lineIds: [at(8), at(9), at(10)] })
    store.meetings.edit(id, { type: 'merge', lineIds: [at(18), at(19)] })
    store.meetings.undo(id)
    store.items.rename(id, `Renamed ${id} quarterly`, 99)
  }
  return ids
}

const holds = (text: string, query: string): boolean =>
  locate(text, parseQuery(query)).every((ranges) => ranges.length > 0)

/**
 * Returns lines that contain the query, and for a minute whose lines contain it only together, the lines that contain a
 * part of it.
 */
function foundIn<T extends { readonly startMs: number; readonly text: string }>(
  lines: readonly T[],
  query: string,
): readonly T[] {
  const minutes = Map.groupBy(lines, (line) => Math.floor(line.startMs / 60_000))
  return Array.from(minutes.values()).flatMap((minute) => {
    const whole = minute.filter((line) => holds(line.text, query))
    if (whole.length > 0 || !holds(minute.map((line) => line.text).join('\n'), query)) return whole
    return minute.filter((line) => locate(line.text, parseQuery(query)).flat().length > 0)
  })
}

test('finds what a scan of the lines finds, also after the index was rebuilt', async () => {
  const folder = temporaryHome()
  try {
    const queries = [...words, 'unusual', '预', '上线 风险', 'cafe', 'budg', '"unusual word"']
    const check = async (store: Store, ids: readonly string[]): Promise<void> => {
      for (const query of queries) {
        const { hits } = await store.search.search({ query, kinds: ['meeting'], limit: 50 })
        const minutes = (id: string): string[] => {
          const texts: string[] = []
          for (const line of store.meetings.lines(id)) {
            const minute = Math.floor(line.startMs / 60_000)
            texts[minute] = `${texts[minute] ?? ''}\n${line.text}`
          }
          return texts
        }
        const expected = ids.filter((id) => minutes(id).some((text) => holds(text ?? '', query)))
        expect(hits.map((hit) => hit.itemId).toSorted(), query).toEqual(expected.toSorted())
        for (const hit of hits) {
          const line = store.meetings.lines(hit.itemId).find((each) => each.id === hit.partId)
          expect(line, query).toBeDefined()
          const [first] = locate(line?.text ?? '', parseQuery(query))
            .flat()
            .toSorted((a, b) => a[0] - b[0])
          expect(first?.[0], query).toBe(hit.offset)
        }
      }
    }
    const ids = await withStore(folder.home, async (store) => {
      const made = fill(store)
      await check(store, made)
      for (const id of made) {
        for (const query of queries) {
          const scan = foundIn(store.meetings.lines(id), query)
          const hits = store.meetings.find(id, query)
          expect(
            hits.map((hit) => hit.lineId),
            query,
          ).toEqual(scan.map((line) => line.id))
        }
      }
      return made
    })
    const db = new Database(join(folder.home, 'library.db'))
    rebuildSearch(db)
    db.close()
    await withStore(folder.home, async (store) => {
      await check(store, ids)
      const { hits } = await store.search.search({ query: 'quarterly', limit: 50 })
      expect(hits.map((hit) => [hit.itemId, hit.field, hit.partId])).toEqual(
        ids.toReversed().map((id) => [id, 'title', null]),
      )
    })
  } finally {
    folder.remove()
  }
})

test('opens a result at the first occurrence, and matches words of the title as well', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      store.meetings.create(aMeeting('m', { title: 'Budget 2026' }))
      transcribeAt(store, 'm', 'a', 0, 0, ['hello there'])
      transcribeAt(store, 'm', 'b', 0, 200_000, ['nothing', 'the server is down'])
      transcribeAt(store, 'm', 'c', 0, 400_000, ['the server is up', '服务器'])
      const [, , third, fourth] = store.meetings.lines('m')
      const first = async (query: string) =>
        (await store.search.search({ query, limit: 5 })).hits[0]
      expect(await first('server')).toMatchObject({
        partId: third?.id,
        offset: 4,
        field: 'transcript',
        snippet: 'nothing the server is down',
      })
      expect(third?.text).toBe('the server is down')
      expect(await first('budget')).toMatchObject({ field: 'title', partId: null, offset: 0 })
      expect(await first('budget up')).toMatchObject({ itemId: 'm' })
      expect(await first('服务')).toMatchObject({
        offset: 0,
        partId: store.meetings.lines('m')[4]?.id,
      })
      expect(store.meetings.find('m', 'the server')).toEqual([
        {
          lineId: third?.id,
          startMs: 201_000,
          ranges: [
            [0, 3],
            [4, 10],
          ],
        },
        {
          lineId: fourth?.id,
          startMs: 400_000,
          ranges: [
            [0, 3],
            [4, 10],
          ],
        },
      ])
      expect(store.meetings.find('m', 'budget')).toEqual([])
      expect(store.meetings.find('m', ' ')).toEqual([])
      store.items.remove(['m'], 5)
      expect(await first('server')).toBeUndefined()
    })
  } finally {
    folder.remove()
  }
})

test('indexes a whole day of speech, including the line after the last row', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      store.meetings.create(aMeeting('m'))
      transcribeAt(store, 'm', 'a', 0, 24 * 3_600_000, ['after a day'])
      transcribeAt(store, 'm', 'b', 0, 80 * 3_600_000, ['after three days'])
      transcribeAt(store, 'm', 'c', 0, 90 * 3_600_000, ['still more'])
      for (const [query, segment] of [
        ['day', 'a'],
        ['three', 'b'],
        ['still', 'c'],
      ] as const) {
        const { hits } = await store.search.search({ query, limit: 5 })
        expect(hits.map((hit) => hit.partId)).toEqual([
          store.meetings.lines('m').find((line) => line.segmentId === segment)?.id,
        ])
      }
      store.meetings.create(aMeeting('other', { title: 'after' }))
      const { hits } = await store.search.search({ query: 'after', limit: 5 })
      expect(hits.map((hit) => hit.itemId)).toEqual(['other', 'm'])
    })
  } finally {
    folder.remove()
  }
})

test('finds words of a query in two lines of the same minute', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      store.meetings.create(aMeeting('m', { title: 'Weekly' }))
      transcribeAt(store, 'm', 'a', 0, 0, ['who brings the budget', 'to the review', 'hello'])
      transcribeAt(store, 'm', 'b', 0, 200_000, ['the budget alone'])
      transcribeAt(store, 'm', 'c', 0, 400_000, ['the budget review', 'a budget'])
      const [first, second, , , whole] = store.meetings.lines('m')
      expect(store.meetings.find('m', 'budget review')).toEqual([
        { lineId: first?.id, startMs: 0, ranges: [[15, 21]] },
        { lineId: second?.id, startMs: 1000, ranges: [[7, 13]] },
        {
          lineId: whole?.id,
          startMs: 400_000,
          ranges: [
            [4, 10],
            [11, 17],
          ],
        },
      ])
    })
  } finally {
    folder.remove()
  }
})

test('finds earlier versions of a text at its line, whatever happens to it afterwards', async () => {
  const folder = temporaryHome()
  try {
    const found = async (store: Store, query: string) =>
      (await store.search.search({ query, limit: 5 })).hits.map(({ itemId, partId }) => [
        itemId,
        partId,
      ])
    const retranscribe = (store: Store, version: string, text: string): void =>
      void store.meetings.saveTranscription(
        aVersion(version, 'b', text),
        { state: 'done', flags: [] },
        [aLine('b', 62_000, text)],
      )
    const id = await withStore(folder.home, async (store) => {
      store.meetings.create(aMeeting('m'))
      transcribeAt(store, 'm', 'a', 0, 0, ['hello there'])
      // Its line begins in the next minute.
      store.meetings.addSegments('m', 0, [aSegment('b', 58_000)], 70_000)
      retranscribe(store, 'b-1', 'the mellow fellow')
      expect(await found(store, 'mellow')).toHaveLength(1)
      retranscribe(store, 'b-2', 'the yellow cello')
      const line = (): string => store.meetings.lines('m')[1]?.id ?? ''
      expect(await found(store, 'mellow')).toEqual([['m', line()]])
      expect(await found(store, 'yellow')).toEqual([['m', line()]])
      // In the meeting, only its current text is found.
      expect(store.meetings.find('m', 'mellow')).toEqual([])
      expect(store.meetings.find('m', 'yellow')).toHaveLength(1)
      store.items.rename('m', 'Renamed', 99)
      expect(await found(store, 'mellow')).toEqual([['m', line()]])
      expect(await found(store, 'mellow renamed')).toEqual([['m', line()]])
      store.meetings.accept('b-1', [aLine('b', 62_000, 'the mellow fellow')])
      expect(await found(store, 'yellow')).toEqual([['m', line()]])
      store.meetings.undo('m')
      expect(await found(store, 'mellow')).toEqual([['m', line()]])
      // A suggestion was never in the transcript.
      store.meetings.propose(aVersion('b-3', 'b', 'the bellows'))
      expect(await found(store, 'bellows')).toEqual([])
      return line()
    })
    const db = new Database(join(folder.home, 'library.db'))
    rebuildSearch(db)
    db.close()
    await withStore(folder.home, async (store) => {
      for (const query of ['mellow', 'yellow', 'renamed mellow'])
        expect(await found(store, query), query).toEqual([['m', id]])
      expect(await found(store, 'bellows')).toEqual([])
    })
  } finally {
    folder.remove()
  }
})
