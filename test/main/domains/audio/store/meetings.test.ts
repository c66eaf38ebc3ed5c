import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { ErrorCode } from '../../../../../src/shared/contract/reply.ts'
import { codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aLine, aMeeting, aVersion, aSegment, transcribeAt, textsOf } from './fixture.ts'

test('treats a meeting as an item with its own counts, from creation to its transcript', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      store.meetings.create(aMeeting('m1', { hotwords: ['Lectern'], prompt: 'About Lectern' }))
      expect(store.meetings.get('m1')).toMatchObject({
        id: 'm1',
        title: 'Meeting m1',
        startedAt: 1000,
        state: 'stopped',
        channels: ['mic', 'others'],
        speakers: [
          { name: '', channel: 0, mark: 0 },
          { name: '', channel: 1, mark: 1 },
        ],
        hotwords: ['Lectern'],
        prompt: 'About Lectern',
        originalMediaId: null,
        originalName: null,
        originalBytes: null,
        originalMime: null,
        canUndo: false,
        canRedo: false,
      })
      store.meetings.update('m1', { durationMs: 60_000, recordedMs: 60_100, notes: 'n' })
      const added = store.meetings.addSegments(
        'm1',
        0,
        [aSegment('s1', 1000), aSegment('s2', 20_000)],
        40_000,
      )
      expect(added.map((segment) => segment.id)).toEqual(['s1', 's2'])
      // The same segment found again is not changed.
      expect(store.meetings.addSegments('m1', 0, [aSegment('s1b', 1000)], 50_000)).toEqual([])
      expect(store.meetings.analysed('m1')).toEqual([50_000, 0])
      expect(store.meetings.unlooked()).toEqual(['m1'])
      store.meetings.addSegments('m1', 1, [], 60_000)
      store.meetings.addSegments('m1', 0, [], 60_000)
      expect(store.meetings.unlooked()).toEqual([])
      expect(store.meetings.withWork()).toEqual(['m1'])
      expect(store.meetings.work('m1', ['pending']).map((each) => each.id)).toEqual(['s1', 's2'])
      const changed = store.meetings.saveTranscription(
        aVersion('r1', 's1', 'Good morning everybody'),
        { state: 'flagged', flags: ['too-fast'] },
        [aLine('s1', 1000, 'Good morning'), aLine('s1', 2000, 'everybody')],
      )
      expect(changed.lines.map((line) => line.text)).toEqual(['Good morning', 'everybody'])
      expect(changed.lines[0]?.speakerId).toBe(store.meetings.get('m1')?.speakers[0]?.id)
      store.meetings.updateSegment('s2', { state: 'failed', attempts: 3, nextTryAt: null })
      expect(store.meetings.get('m1')?.completeness).toEqual({
        recordedMs: 60_100,
        writtenMs: 60_000,
        analysedMs: 60_000,
        segmentsMs: 20_000,
        transcribedMs: 10_000,
        segments: 2,
        waiting: 0,
        failed: 1,
        flagged: 1,
        gapsMs: 0,
      })
      const { items } = store.items.list({ kinds: ['meeting'], bin: false, limit: 10 })
      expect(items).toMatchObject([
        {
          id: 'm1',
          kind: 'meeting',
          duration: 60,
          excerpt: 'Good morning everybody',
          meeting: { state: 'stopped', completeness: { failed: 1 } },
        },
      ])
      const { hits } = await store.search.search({ query: 'everybody', limit: 5 })
      const line = store.meetings.lines('m1')[1]
      expect(hits).toMatchObject([{ itemId: 'm1', kind: 'meeting', partId: line?.id, offset: 0 }])
      expect(await codeOf(() => store.meetings.lines('none'))).toBe('NOT_FOUND')
      expect(store.meetings.get('none')).toBeUndefined()
    })
  } finally {
    folder.remove()
  }
})

test('keeps the text of an attempt until its result is saved', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      store.meetings.create(aMeeting('m'))
      store.meetings.addSegments('m', 0, [aSegment('s1', 0), aSegment('s2', 20_000)], 40_000)
      store.meetings.savePartial('s1', 'Good mor')
      store.meetings.updateSegment('s1', { state: 'failed', attempts: 1 })
      expect(store.meetings.segment('s1')?.partial).toBe('Good mor')
      expect(store.meetings.segments('m')[1]).not.toHaveProperty('partial')
    })
    await withStore(folder.home, (store) => {
      expect(store.meetings.segment('s1')).toMatchObject({ state: 'failed', partial: 'Good mor' })
      store.meetings.saveTranscription(
        aVersion('r1', 's1', 'Good morning'),
        { state: 'done', flags: [] },
        [aLine('s1', 0, 'Good morning')],
      )
      expect(store.meetings.segment('s1')).not.toHaveProperty('partial')
    })
  } finally {
    folder.remove()
  }
})

test('lists failed meetings until they are dismissed or succeed', async () => {
  const folder = temporaryHome()
  const failure = (code: ErrorCode) => ({ code, message: '', retriable: false, at: 1 })
  const fail = (store: Store, id: string, code: ErrorCode): void =>
    void store.meetings.updateSegment(id, { state: 'failed', error: failure(code) })
  try {
    await withStore(folder.home, (store) => {
      for (const id of ['m1', 'm2', 'm3']) {
        store.meetings.create(aMeeting(id))
        const segments = [aSegment(`${id}-a`, 0), aSegment(`${id}-b`, 20_000)]
        store.meetings.addSegments(id, 0, segments, 40_000)
      }
      expect(store.meetings.failures()).toEqual([])
      fail(store, 'm1-b', 'SERVER_ERROR')
      fail(store, 'm1-a', 'NO_KEY')
      fail(store, 'm2-a', 'CANCELLED')
      fail(store, 'm2-b', 'CONTENT_BLOCKED')
      fail(store, 'm3-a', 'LEFT_UNFINISHED')
      expect(store.meetings.failures().map(({ id, error }) => [id, error?.code])).toEqual([
        ['m2', 'CONTENT_BLOCKED'],
        ['m1', 'NO_KEY'],
      ])
      store.meetings.dismissFailures('m1')
      store.items.remove(['m2'], 1)
      expect(store.meetings.failures()).toEqual([])
      // A failed retry is a new failure.
      store.meetings.updateSegment('m1-a', { state: 'pending', error: null })
      fail(store, 'm1-a', 'SERVER_ERROR')
      expect(store.meetings.failures().map(({ id }) => id)).toEqual(['m1'])
    })
  } finally {
    folder.remove()
  }
})

test('replaces existing lines with a new result, except lines edited by the user', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      store.meetings.create(aMeeting('m'))
      transcribeAt(store, 'm', 's1', 0, 0, ['one', 'two'])
      store.meetings.saveTranscription(
        aVersion('r1b', 's1', 'three'),
        { state: 'done', flags: [] },
        [aLine('s1', 0, 'three')],
      )
      expect(textsOf(store, 'm')).toEqual(['three'])
      expect(store.meetings.versions('m', ['s1']).map((each) => each.state)).toEqual([
        'current',
        'older',
      ])
      const line = store.meetings.lines('m')[0]
      store.meetings.edit('m', { type: 'text', lineId: line?.id ?? '', text: 'mine' })
      const result = store.meetings.saveTranscription(
        aVersion('r1c', 's1', 'four'),
        { state: 'done', flags: [] },
        [aLine('s1', 0, 'four')],
      )
      expect(result).toEqual({ lines: [], removed: [] })
      expect(textsOf(store, 'm')).toEqual(['mine'])
      expect(store.meetings.versions('m')).toMatchObject([{ id: 'r1c', state: 'proposed' }])
      store.meetings.accept('r1c', [aLine('s1', 0, 'four')])
      expect(textsOf(store, 'm')).toEqual(['four'])
      store.meetings.undo('m')
      expect(textsOf(store, 'm')).toEqual(['mine'])
      store.meetings.undo('m')
      expect(textsOf(store, 'm')).toEqual(['three'])
      expect(store.meetings.get('m')).toMatchObject({ canUndo: false, canRedo: true })
    })
  } finally {
    folder.remove()
  }
})

test('finds the accounts that have segments to transcribe, and counts them', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async ({ meetings, items }) => {
      const made = (
        id: string,
        accountId: string,
        changes: Parameters<typeof aMeeting>[1] = {},
      ) => {
        meetings.create(aMeeting(id, { accountId, ...changes }))
        const segments = [0, 20_000, 40_000].map((at) => aSegment(`${id}-${at / 20_000}`, at))
        meetings.addSegments(id, 0, segments, 50_000)
      }
      const want = { accountId: 'second', prompt: '', hotwords: [] }
      made('first-pass', 'first')
      made('both', 'first')
      meetings.updateSegment('both-0', { state: 'done' })
      made('second-pass', 'third')
      for (const n of [0, 1, 2]) meetings.updateSegment(`second-pass-${n}`, { state: 'silent' })
      meetings.wantAgain(['both-0', 'second-pass-0', 'second-pass-1'], want)
      // It used up its attempts.
      const error = { code: 'TIMEOUT', message: '', retriable: true, at: 1 } as const
      meetings.updateSegment('second-pass-1', { attempts: 5, error })
      made('unwritten', 'fourth', { state: 'importing' })
      made('partly-written', 'fifth', { state: 'importing' })
      meetings.update('partly-written', { importProgress: 0.5, durationMs: 35_000 })
      made('binned', 'sixth')
      items.remove(['binned'], 5)
      made('stopped', 'seventh')
      meetings.update('stopped', { error: { ...error, code: 'CANCELLED' } })

      expect(meetings.workAccounts().toSorted()).toEqual(['fifth', 'first', 'second'])
      const works = (id: string) => meetings.workOf(id).toSorted()
      expect(works('first')).toEqual(['both', 'first-pass'])
      expect(works('second')).toEqual(['both', 'second-pass'])
      expect(works('third')).toEqual([])
      expect(works('fifth')).toEqual(['partly-written'])
      const ids = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']
      expect(ids.map((id) => meetings.countOf([id]))).toEqual([5, 2, 0, 0, 2, 0, 0])
      expect(meetings.countOf(ids)).toBe(9)
      const search = { at: 5, except: ['both-0'], exceptGroups: [] }
      expect(meetings.nextToRetranscribe({ ...search, accountId: 'second' })?.id).toBe(
        'second-pass-0',
      )
      expect(meetings.nextToRetranscribe({ ...search, accountId: 'first' })).toBeUndefined()
    })
  } finally {
    folder.remove()
  }
})
