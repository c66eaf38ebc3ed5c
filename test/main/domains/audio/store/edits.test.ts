import { expect, test } from 'vitest'
import { codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { Line, MeetingEdit } from '../../../../../src/shared/model/meeting.ts'
import { aLine, aVersion, aSegment, transcribeAt, newMeeting, textsOf } from './fixture.ts'

async function withMeeting(work: (store: Store, lines: readonly Line[]) => unknown): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      newMeeting(store, 'm')
      await work(store, store.meetings.lines('m'))
    })
  } finally {
    folder.remove()
  }
}

const idAt = (lines: readonly Line[], at: number): string => lines[at]?.id ?? ''

test('changes, indexes, undoes and redoes the text of a line', () =>
  withMeeting(async (store, lines) => {
    const found = async (query: string) =>
      (await store.search.search({ query, limit: 5 })).hits.map((hit) => hit.partId)
    const changed = store.meetings.edit('m', {
      type: 'text',
      lineId: idAt(lines, 0),
      text: ' Lectern two three ',
    })
    expect(changed.lines).toMatchObject([{ text: 'Lectern two three', edited: true }])
    expect(await found('lectern')).toEqual([idAt(lines, 0)])
    expect(await found('one')).toEqual([])
    expect(store.items.summary('m')?.excerpt).toMatch(/^Lectern two three four five/)
    store.meetings.undo('m')
    expect(store.meetings.lines('m')).toEqual(lines)
    expect(await found('lectern')).toEqual([])
    store.meetings.redo('m')
    expect(store.meetings.lines('m')[0]).toMatchObject({ text: 'Lectern two three', edited: true })
    const empty: MeetingEdit = { type: 'text', lineId: idAt(lines, 0), text: '  ' }
    expect(await codeOf(() => store.meetings.edit('m', empty))).toBe('REFUSED')
    const gone: MeetingEdit = { type: 'text', lineId: 'none', text: 'x' }
    expect(await codeOf(() => store.meetings.edit('m', gone))).toBe('NOT_FOUND')
  }))

test('clears the review flag of a corrected line, and of its segment with the last one', () =>
  withMeeting((store, lines) => {
    const flags = ['loop', 'too-fast'] as const
    const [first, second] = [
      aLine('m-a', 0, 'one one', { flags }),
      aLine('m-a', 1000, 'two', { flags }),
    ]
    store.meetings.saveTranscription(
      { ...aVersion('again', 'm-a', 'one one two'), flags },
      { state: 'flagged', flags },
      [first, second],
    )
    const [one, two] = store.meetings.lines('m')
    const stateOf = () => store.meetings.segment('m-a')
    const counted = () => store.meetings.get('m')?.completeness.flagged
    expect([counted(), lines.length]).toEqual([1, 6])
    store.meetings.edit('m', { type: 'text', lineId: one?.id ?? '', text: 'one' })
    expect(store.meetings.lines('m', 0, 2)).toMatchObject([{ flags: [] }, { flags }])
    expect(stateOf()).toMatchObject({ state: 'flagged', flags })
    const removed = store.meetings.edit('m', { type: 'remove', lineIds: [two?.id ?? ''] })
    expect(removed.segmentIds).toEqual(['m-a'])
    expect(stateOf()).toMatchObject({ state: 'done', flags: [] })
    expect(counted()).toBe(0)
    store.meetings.undo('m')
    store.meetings.undo('m')
    expect(stateOf()).toMatchObject({ state: 'flagged', flags })
    expect(store.meetings.lines('m', 0, 2)).toMatchObject([{ flags }, { flags }])
    store.meetings.redo('m')
    store.meetings.redo('m')
    expect([stateOf()?.state, counted()]).toEqual(['done', 0])
  }))

test('splits a line into two lines of the same segment, at a time within the line', () =>
  withMeeting(async (store, lines) => {
    const lineId = idAt(lines, 0)
    store.meetings.edit('m', { type: 'split', lineId, offset: 4, atMs: 99_000 })
    expect(store.meetings.lines('m', 0, 2)).toMatchObject([
      { id: lineId, text: 'one', startMs: 0, endMs: 999, segmentId: 'm-a' },
      { text: 'two three', startMs: 999, endMs: 1000, segmentId: 'm-a' },
    ])
    store.meetings.undo('m')
    store.meetings.edit('m', { type: 'split', lineId, offset: 8, atMs: 400 })
    expect(textsOf(store, 'm').slice(0, 2)).toEqual(['one two', 'three'])
    for (const offset of [0, 5, 99]) {
      const edit: MeetingEdit = { type: 'split', lineId: idAt(lines, 3), offset, atMs: 0 }
      expect(await codeOf(() => store.meetings.edit('m', edit))).toBe('REFUSED')
    }
  }))

test('keeps a split line when its segment is transcribed again, and undo still merges it', () =>
  withMeeting((store, lines) => {
    store.meetings.edit('m', { type: 'split', lineId: idAt(lines, 0), offset: 4, atMs: 400 })
    const split = store.meetings.lines('m')
    store.meetings.saveTranscription(
      aVersion('again', 'm-a', 'other words'),
      { state: 'done', flags: ['seam'] },
      [aLine('m-a', 0, 'other words')],
    )
    expect(store.meetings.lines('m')).toEqual(split)
    store.meetings.undo('m')
    expect(store.meetings.lines('m')).toEqual(lines)
    // The result is saved separately, as a suggestion.
    expect(store.meetings.versions('m')).toMatchObject([{ id: 'again', state: 'proposed' }])
  }))

test('merges lines into one over their whole time, joined according to their script', () =>
  withMeeting(async (store, lines) => {
    store.meetings.edit('m', { type: 'merge', lineIds: [idAt(lines, 1), idAt(lines, 0)] })
    expect(store.meetings.lines('m')[0]).toMatchObject({
      id: idAt(lines, 0),
      text: 'one two three four five',
      startMs: 0,
      endMs: 2000,
    })
    store.meetings.edit('m', { type: 'merge', lineIds: [idAt(lines, 4), idAt(lines, 5)] })
    expect(textsOf(store, 'm')).toContain('你好世界第二句')
    const across: MeetingEdit = { type: 'merge', lineIds: [idAt(lines, 0), idAt(lines, 2)] }
    expect(await codeOf(() => store.meetings.edit('m', across))).toBe('REFUSED')
    store.meetings.undo('m')
    store.meetings.undo('m')
    expect(store.meetings.lines('m')).toEqual(lines)
    const over: MeetingEdit = { type: 'merge', lineIds: [idAt(lines, 0), idAt(lines, 4)] }
    expect(await codeOf(() => store.meetings.edit('m', over))).toBe('REFUSED')
  }))

test('names, adds and merges speakers; later lines follow the merged speaker', () =>
  withMeeting(async (store, lines) => {
    const [mine, others] = store.meetings.get('m')?.speakers ?? []
    const speakerId = others?.id ?? ''
    store.meetings.edit('m', { type: 'renameSpeaker', speakerId, name: 'Ada' })
    store.meetings.edit('m', { type: 'addSpeaker', name: 'Lin', lineIds: [idAt(lines, 2)] })
    const lin = store.meetings.get('m')?.speakers.find((speaker) => speaker.name === 'Lin')
    expect(lin).toMatchObject({ channel: null, mark: 2 })
    expect(store.meetings.lines('m')[2]?.speakerId).toBe(lin?.id)
    const merged = store.meetings.edit('m', {
      type: 'mergeSpeakers',
      speakerId,
      intoId: lin?.id ?? '',
    })
    expect(merged.lines.map((line) => line.id)).toEqual([idAt(lines, 3)])
    expect(store.meetings.get('m')?.speakers.map((each) => each.id)).toEqual([mine?.id, lin?.id])
    transcribeAt(store, 'm', 'm-d', 1, 80_000, ['later'])
    expect(store.meetings.lines('m').at(-1)?.speakerId).toBe(lin?.id)
    const gone: MeetingEdit = { type: 'renameSpeaker', speakerId, name: 'x' }
    expect(await codeOf(() => store.meetings.edit('m', gone))).toBe('NOT_FOUND')
    const self: MeetingEdit = {
      type: 'mergeSpeakers',
      speakerId: lin?.id ?? '',
      intoId: lin?.id ?? '',
    }
    expect(await codeOf(() => store.meetings.edit('m', self))).toBe('REFUSED')
    store.meetings.undo('m')
    expect(store.meetings.lines('m').at(-1)?.speakerId).toBe(speakerId)
    store.meetings.undo('m')
    store.meetings.undo('m')
    expect(store.meetings.get('m')?.speakers).toEqual([mine, others])
    expect(store.meetings.lines('m').slice(0, 6)).toEqual(lines)
  }))

test('clears the redo stack with a new edit, unless it changes nothing, and keeps 500 edits', () =>
  withMeeting(async (store) => {
    const speakerId = store.meetings.get('m')?.speakers[0]?.id ?? ''
    const name = (to: string) =>
      store.meetings.edit('m', { type: 'renameSpeaker', speakerId, name: to })
    name('A')
    name('B')
    store.meetings.undo('m')
    name('A')
    expect(store.meetings.get('m')).toMatchObject({ canUndo: true, canRedo: true })
    name('C')
    expect(store.meetings.get('m')).toMatchObject({ canUndo: true, canRedo: false })
    expect(await codeOf(() => store.meetings.redo('m'))).toBe('REFUSED')
    for (let n = 0; n < 510; n++) name(`name ${n}`)
    let undone = 0
    for (; store.meetings.get('m')?.canUndo; undone++) store.meetings.undo('m')
    expect(undone).toBe(500)
    expect(store.meetings.get('m')?.speakers[0]?.name).toBe('name 9')
    expect(await codeOf(() => store.meetings.undo('m'))).toBe('REFUSED')
  }))

test('prevents a redo that would restore lines replaced by a new result', () =>
  withMeeting((store, lines) => {
    store.meetings.edit('m', { type: 'text', lineId: idAt(lines, 5), text: 'kept' })
    store.meetings.edit('m', { type: 'text', lineId: idAt(lines, 0), text: 'gone' })
    store.meetings.undo('m')
    store.meetings.undo('m')
    store.meetings.saveTranscription(aVersion('r2', 'm-a', 'fresh'), { state: 'done', flags: [] }, [
      aLine('m-a', 0, 'fresh'),
    ])
    store.meetings.redo('m')
    expect(textsOf(store, 'm')).toEqual(['fresh', 'six seven', 'eight', '你好世界', 'kept'])
    expect(store.meetings.get('m')?.canRedo).toBe(false)
  }))

test('replaces edited lines with an accepted version, and restores them exactly', () =>
  withMeeting(async (store, lines) => {
    store.meetings.edit('m', { type: 'text', lineId: idAt(lines, 0), text: 'mine' })
    const before = { lines: store.meetings.lines('m'), segments: store.meetings.segments('m') }
    store.meetings.wantAgain(['m-a'], { accountId: 'a2', prompt: '', hotwords: ['x'] })
    expect(store.meetings.withWork()).toEqual(['m'])
    expect(store.meetings.work('m', ['pending'])).toMatchObject([
      { id: 'm-a', meetingId: 'm', again: { accountId: 'a2', hotwords: ['x'] } },
    ])
    expect(
      store.meetings.propose(aVersion('same', 'm-a', 'One, two three. Four five!')).state,
    ).toBe('older')
    expect(store.meetings.withWork()).toEqual([])
    const proposed = store.meetings.propose(aVersion('new', 'm-a', 'uno dos'))
    expect(proposed.state).toBe('proposed')
    const changed = store.meetings.accept('new', [aLine('m-a', 0, 'uno dos')])
    expect(changed.removed).toEqual([idAt(lines, 0), idAt(lines, 1)])
    expect(store.meetings.segment('m-a')).toMatchObject({ versionId: 'new', state: 'done' })
    expect(store.meetings.version('r-m-a')?.state).toBe('older')
    expect(await codeOf(() => store.meetings.accept('new', []))).toBe('REFUSED')
    const after = { lines: store.meetings.lines('m'), segments: store.meetings.segments('m') }
    store.meetings.undo('m')
    expect({ lines: store.meetings.lines('m'), segments: store.meetings.segments('m') }).toEqual(
      before,
    )
    expect(store.meetings.version('new')?.state).toBe('proposed')
    store.meetings.redo('m')
    expect({ lines: store.meetings.lines('m'), segments: store.meetings.segments('m') }).toEqual(
      after,
    )
    store.meetings.undo('m')
    store.meetings.decline(['new'])
    expect(store.meetings.versions('m')).toEqual([])
  }))

test('returns the text before a segment, newest first, as edited by the user', () =>
  withMeeting((store, lines) => {
    store.meetings.addSegments('m', 0, [aSegment('m-z', 90_000)], 95_000)
    store.meetings.edit('m', { type: 'text', lineId: idAt(lines, 5), text: '改正' })
    expect(store.meetings.before('m-z', 5).map(({ segment, text }) => [segment.id, text])).toEqual([
      ['m-c', '你好世界改正'],
      ['m-a', 'one two three four five'],
    ])
    expect(store.meetings.before('m-z', 1)).toHaveLength(1)
  }))

test('replaces all matches as one change that is searched and can be undone', () =>
  withMeeting(async (store, lines) => {
    const found = async (query: string) =>
      (await store.search.search({ query, limit: 5 })).hits.map((hit) => hit.partId)
    const replace = (query: string, replacement: string, options = {}): MeetingEdit => ({
      type: 'replace',
      query,
      replacement,
      matchCase: false,
      wholeWords: false,
      ...options,
    })
    const literal = { matchCase: false, wholeWords: false }
    expect(store.meetings.find('m', 'E T', literal)).toMatchObject([
      { lineId: idAt(lines, 0), ranges: [[2, 5]] },
    ])
    // A match that begins in one line and ends in the next is only counted.
    expect(store.meetings.matchesAcross('m', 'three four', literal)).toBe(1)
    expect(store.meetings.edit('m', replace('three four', 'x')).lines).toEqual([])
    const changed = store.meetings.edit('m', replace('FIVE', 'Lectern'))
    expect(changed.lines).toMatchObject([{ text: 'four Lectern', edited: true }])
    expect(await found('lectern')).toEqual([idAt(lines, 1)])
    expect(await found('five')).toEqual([])
    expect(store.meetings.edit('m', replace('FIVE', 'x', { matchCase: true })).lines).toEqual([])
    expect(store.meetings.edit('m', replace('o', 'x', { wholeWords: true })).lines).toEqual([])
    // A line without any text left is removed.
    expect(store.meetings.edit('m', replace('eight', ' ')).removed).toHaveLength(1)
    expect(store.meetings.edit('m', replace('世界', '大家')).lines).toMatchObject([
      { text: '你好大家' },
    ])
    for (let step = 0; step < 3; step++) store.meetings.undo('m')
    expect(store.meetings.lines('m')).toEqual(lines)
    store.meetings.redo('m')
    expect(store.meetings.lines('m')[1]).toMatchObject({ text: 'four Lectern' })
    // What was transcribed is still among the versions.
    expect(store.meetings.versions('m', ['m-a']).map(({ text }) => text)).toEqual([
      'one two three four five',
    ])
  }))
