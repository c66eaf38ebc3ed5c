import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { replaced } from '../../../../../src/main/domains/audio/store/meetings-corrections.ts'
import type { MeetingSummaryText } from '../../../../../src/shared/model/meeting.ts'
import { joinTexts } from '../../../../../src/shared/text/join.ts'
import { aMedia, codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aLine, aMeeting, aVersion, transcribeAt } from './fixture.ts'

async function withMeeting(work: (store: Store) => unknown): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      store.meetings.create(aMeeting('m'))
      await work(store)
    })
  } finally {
    folder.remove()
  }
}

test('returns bookmarks in time order, and renames and removes them', () =>
  withMeeting(async (store) => {
    store.meetings.addBookmark('m', { id: 'b2', atMs: 2000, label: 'two' })
    store.meetings.addBookmark('m', { id: 'b1', atMs: 1000, label: '' })
    store.meetings.renameBookmark('b1', 'one')
    expect(store.meetings.get('m')?.bookmarks).toEqual([
      { id: 'b1', atMs: 1000, label: 'one' },
      { id: 'b2', atMs: 2000, label: 'two' },
    ])
    store.meetings.removeBookmark('b2')
    expect(store.meetings.get('m')?.bookmarks).toHaveLength(1)
    expect(await codeOf(() => store.meetings.removeBookmark('b2'))).toBe('NOT_FOUND')
    expect(await codeOf(() => store.meetings.renameBookmark('b2', 'x'))).toBe('NOT_FOUND')
  }))

test('counts simultaneous gaps of two channels once, and replaces them as a whole', () =>
  withMeeting((store) => {
    const gap = { channel: 0, reason: 'device' } as const
    store.meetings.addGap('m', { ...gap, id: 'g2', startMs: 1500, endMs: 3000, channel: 1 })
    store.meetings.addGap('m', { ...gap, id: 'g1', startMs: 1000, endMs: 2000 })
    store.meetings.addGap('m', { ...gap, id: 'g3', startMs: 5000, endMs: 5500, channel: null })
    expect(store.meetings.get('m')?.completeness.gapsMs).toBe(2500)
    expect(store.meetings.get('m')?.gaps.map((each) => each.id)).toEqual(['g1', 'g2', 'g3'])
    store.meetings.setGaps('m', [{ ...gap, id: 'g1', startMs: 0, endMs: 10 }])
    expect(store.meetings.get('m')).toMatchObject({
      completeness: { gapsMs: 10 },
      gaps: [{ id: 'g1', startMs: 0, endMs: 10, channel: 0, reason: 'device' }],
    })
  }))

test('rewrites summaries under their ID and lists them newest first', () =>
  withMeeting(async (store) => {
    const summary: MeetingSummaryText = {
      id: 's1',
      templateId: 't',
      templateName: 'Decisions',
      state: 'running',
      points: [],
      engine: '',
      error: null,
      at: 1,
    }
    store.meetings.putSummary('m', summary)
    store.meetings.putSummary('m', { ...summary, id: 's2' })
    const done: MeetingSummaryText = {
      ...summary,
      state: 'failed',
      points: [{ section: 'Decisions', text: 'We ship', lineIds: ['l1', 'l2'] }],
      engine: 'gpt',
      error: { code: 'OFFLINE', message: 'm', retriable: true, at: 3 },
    }
    store.meetings.putSummary('m', done)
    expect(store.meetings.get('m')?.summaries).toEqual([{ ...summary, id: 's2' }, done])
    store.meetings.removeSummary('s2')
    expect(store.meetings.get('m')?.summaries).toEqual([done])
    expect(await codeOf(() => store.meetings.removeSummary('s2'))).toBe('NOT_FOUND')
  }))

test('keeps the order of templates when they are changed', () =>
  withMeeting(async (store) => {
    const one = {
      id: 't1',
      name: 'One',
      builtIn: false,
      sections: [{ title: 'A', instruction: 'a' }],
    }
    store.meetings.putTemplate(one)
    store.meetings.putTemplate({ ...one, id: 't2', name: 'Two' })
    store.meetings.putTemplate({ ...one, name: 'First' })
    expect(store.meetings.templates().map((each) => each.name)).toEqual(['First', 'Two'])
    expect(store.meetings.templates()[0]).toEqual({ ...one, name: 'First' })
    store.meetings.removeTemplate('t1')
    expect(store.meetings.templates()).toHaveLength(1)
    expect(await codeOf(() => store.meetings.removeTemplate('t1'))).toBe('NOT_FOUND')
  }))

test('adds a second speaker when a file has two voices, and maps the IDs of an import', () =>
  withMeeting((store) => {
    store.media.put(aMedia('file'))
    store.meetings.create(
      aMeeting('i', { mediaId: 'file', source: 'import', state: 'importing', channels: ['mono'] }),
    )
    const [mono] = store.meetings.get('i')?.speakers ?? []
    store.meetings.update('i', { channels: ['left', 'right'], importProgress: 0.5 })
    expect(store.meetings.get('i')).toMatchObject({
      channels: ['left', 'right'],
      speakers: [mono, { channel: 1, mark: 1 }],
      importProgress: 0.5,
      originalMediaId: 'file',
    })
    expect(store.meetings.analysed('i')).toEqual([0, 0])
    store.meetings.update('i', { channels: ['mono'], importProgress: null, state: 'stopped' })
    expect(store.meetings.get('i')?.speakers).toEqual([mono])
    expect(store.meetings.byMedia('file')).toBe('i')
    expect(store.media.remove('file')).toBe(false)
    expect(store.meetings.inState(['stopped', 'importing'])).toEqual(['m', 'i'])
    expect(store.meetings.importing()).toEqual([])
    store.meetings.update('i', { state: 'importing', durationMs: 9, importProgress: 0.5 })
    expect(store.meetings.importing()).toMatchObject([
      { id: 'i', title: 'Meeting i', durationMs: 9, importProgress: 0.5, channels: ['mono'] },
    ])
    store.items.remove(['i'], 9)
    expect(store.meetings.importing()).toEqual([])
    expect(store.meetings.byMedia('file')).toBeUndefined()
    expect(store.items.purge(['i'])).toEqual(['file'])
    expect(store.media.remove('file')).toBe(true)
  }))

test('progress of an import is no modification, unlike that of a recording', () =>
  withMeeting((store) => {
    const updatedAt = (id: string) => store.items.summary(id)?.updatedAt
    store.meetings.create(aMeeting('i', { source: 'import', state: 'importing' }))
    store.meetings.update('i', { channels: ['left', 'right'], sampleRate: 48_000 })
    store.meetings.update('i', { durationMs: 2000, importProgress: 0.5 })
    store.meetings.update('i', { state: 'stopped', durationMs: 4000, importProgress: null })
    expect(updatedAt('i')).toBe(1000)
    store.meetings.update('i', { notes: 'n' })
    expect(updatedAt('i')).toBeGreaterThan(1000)
    store.meetings.update('m', { durationMs: 2000 })
    expect(updatedAt('m')).toBeGreaterThan(1000)
  }))

test('returns corrections with the original and the written words, newest edit first', () =>
  withMeeting((store) => {
    transcribeAt(store, 'm', 'a', 0, 0, ['we use electron today', 'and electron again'])
    transcribeAt(store, 'm', 'b', 0, 20_000, ['请联系李明', '明天见'])
    const [first, , chinese] = store.meetings.lines('m')
    const edit = (lineId: string | undefined, text: string) =>
      store.meetings.edit('m', { type: 'text', lineId: lineId ?? '', text })
    edit(first?.id, 'We use Lectern today.')
    edit(chinese?.id, '请联系黎明')
    expect(store.meetings.corrections('m', 10)).toEqual([
      { heard: '李', corrected: '黎' },
      { heard: 'electron', corrected: 'Lectern' },
    ])
    expect(store.meetings.corrections('m', 1)).toHaveLength(1)
    store.meetings.undo('m')
    expect(store.meetings.corrections('m', 10)).toEqual([
      { heard: 'electron', corrected: 'Lectern' },
    ])
  }))

test('treats a replacement of more than a few words as another sentence', () => {
  expect(replaced('a b c d e f g h', 'one two three four five six seven')).toEqual([])
  expect(replaced('Hello, world.', 'hello world')).toEqual([])
  expect(replaced('', 'new')).toEqual([])
})

test('joins texts according to their script', () => {
  expect(joinTexts(['one', ' two ', '', 'three'])).toBe('one two three')
  expect(joinTexts(['你好', '世界'])).toBe('你好世界')
  expect(joinTexts(['说到', 'Lectern', '很好。', 'Yes'])).toBe('说到 Lectern 很好。Yes')
  expect(joinTexts(['안녕', '하세요'])).toBe('안녕 하세요')
  expect(joinTexts(['そう', 'です'])).toBe('そうです')
})

test('saves how a segment was transcribed and updates the counts', () =>
  withMeeting((store) => {
    transcribeAt(store, 'm', 'a', 0, 0, ['one'])
    store.meetings.addSegments('m', 1, [{ ...segment('b'), channel: 1 }], 20_000)
    const error = { code: 'OFFLINE', message: 'm', retriable: true, at: 3 } as const
    const patch = { state: 'inflight', attempts: 2, error, nextTryAt: 77 } as const
    expect(store.meetings.updateSegment('b', patch)).toMatchObject(patch)
    expect(store.meetings.segment('b')).toMatchObject({ ...patch, meetingId: 'm', again: null })
    expect(store.meetings.get('m')?.completeness).toMatchObject({ waiting: 1, failed: 0 })
    store.meetings.updateSegment('b', { state: 'failed', error: null, nextTryAt: null })
    expect(store.meetings.segments('m', 1, 5)).toMatchObject([{ id: 'b', error: null }])
    expect(store.meetings.work('m', ['failed']).map((each) => each.id)).toEqual(['b'])
    expect(store.meetings.work('m', ['inflight'])).toEqual([])
    store.meetings.saveTranscription(aVersion('rb', 'b', ''), { state: 'silent', flags: [] }, [])
    expect(store.meetings.get('m')?.completeness).toMatchObject({
      segments: 2,
      segmentsMs: 20_000,
      transcribedMs: 20_000,
      waiting: 0,
      failed: 0,
    })
    expect(store.meetings.segment('b')).toMatchObject({ state: 'silent', versionId: 'rb' })
    store.meetings.saveTranscription(aVersion('ra', 'a', 'x'), { state: 'done', flags: [] }, [
      aLine('a', 0, 'x'),
    ])
    expect(store.meetings.lines('m', 0, 1)).toHaveLength(1)
    expect(store.meetings.lines('m', 1)).toEqual([])
  }))

const segment = (id: string) => ({
  id,
  channel: 0,
  startMs: 10_000,
  endMs: 20_000,
  forcedStart: true,
  forcedEnd: false,
  voiced: [],
})
