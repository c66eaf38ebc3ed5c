import { afterAll, beforeAll, expect, test } from 'vitest'
import { headOf, jsonPages } from '../../../../../src/main/domains/audio/exports/json-pages.ts'
import { writeJson } from '../../../../../src/main/domains/audio/exports/json.ts'
import { remade } from '../../../../../src/main/domains/audio/exports/reassign-ids.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { meetingJson, type MeetingJson } from '../../../../../src/shared/contract/meeting-json.ts'
import { codeOf, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { aMeeting, aVersion, transcribeAt } from './fixture.ts'

const home = temporaryHome()
const to = temporaryHome()
let first: Store
let second: Store
beforeAll(async () => {
  first = await openStore(storeOptions(home.home))
  second = await openStore(storeOptions(to.home))
  aWholeMeeting(first)
})
afterAll(async () => {
  await first.close()
  await second.close()
  home.remove()
  to.remove()
})

/** Creates a meeting `m` with data for every part of the JSON. */
function aWholeMeeting(store: Store): void {
  const { meetings } = store
  meetings.create(
    aMeeting('m', { title: 'Weekly', hotwords: ['Lectern'], prompt: 'About the release' }),
  )
  transcribeAt(store, 'm', 'a', 0, 0, ['We ship in may.', 'The index stays.'])
  transcribeAt(store, 'm', 'b', 1, 3000, ['Who tells them?', '我来通知客户。'])
  transcribeAt(store, 'm', 'c', 0, 70_000, ['See you.'])
  meetings.addSegments(
    'm',
    1,
    [
      {
        id: 'd',
        channel: 1,
        startMs: 80_000,
        endMs: 84_000,
        forcedStart: true,
        forcedEnd: true,
        voiced: [],
      },
    ],
    84_000,
  )
  meetings.updateSegment('d', { state: 'failed' })
  meetings.wantAgain(['c'], { accountId: 'a1', prompt: '', hotwords: [] })
  meetings.propose(aVersion('r-again', 'c', 'See you soon.'))
  const [line, other, question] = meetings.lines('m')
  const speaker = meetings.get('m')?.speakers[1]
  if (!line || !other || !question || !speaker) throw new Error('the meeting has no lines')
  meetings.edit('m', { type: 'text', lineId: line.id, text: 'We ship in May.' })
  meetings.edit('m', { type: 'renameSpeaker', speakerId: speaker.id, name: '王芳' })
  meetings.edit('m', { type: 'addSpeaker', name: 'Carol', lineIds: [other.id] })
  meetings.addBookmark('m', { id: 'mark', atMs: 1500, label: 'the date' })
  meetings.setGaps('m', [
    { id: 'g1', startMs: 20_000, endMs: 21_500, channel: null, reason: 'suspended' },
    { id: 'g2', startMs: 30_000, endMs: 31_000, channel: 1, reason: 'device' },
  ])
  for (const [id, lineIds] of [
    ['s1', [line.id, question.id]],
    ['s2', []],
  ] as const)
    meetings.putSummary('m', {
      id,
      templateId: 'built-in-decisions',
      templateName: 'Decisions, actions, open questions',
      state: 'done',
      points: [{ section: 'Decisions', text: `We ship (${id})`, lineIds }],
      engine: `an engine\n${'that says much of itself. '.repeat(40)}`,
      error: null,
      at: 9000,
    })
  meetings.update('m', { notes: 'call back', durationMs: 84_000 })
}

const exported = (store: Store, id: string): MeetingJson => {
  const meeting = store.meetings.get(id)
  if (!meeting) throw new Error('there is no such meeting')
  const segments = store.meetings.segments(id)
  const text = writeJson({
    meeting,
    lines: store.meetings.lines(id),
    segments,
    versions: store.meetings.versions(
      id,
      segments.map((one) => one.id),
    ),
    originalSha256: null,
    appVersion: '1.0.0',
  })
  return meetingJson.parse(JSON.parse(text))
}

/** Replaces the IDs of a JSON by their positions, because a restored meeting has new ones. */
function placed(json: MeetingJson): unknown {
  const { speakers, segments, readings, lines, bookmarks, gaps, summaries } = json
  const lists = { speakers, segments, readings, lines, bookmarks, gaps, summaries }
  const names = new Map(
    Object.entries(lists).flatMap(([kind, all]) =>
      all.map(({ id }, at) => [id, `${kind}-${at}`] as const),
    ),
  )
  const named = JSON.stringify(json, (_, value: unknown) =>
    typeof value === 'string' ? (names.get(value) ?? value) : value,
  )
  return JSON.parse(named)
}

const from = { mediaId: null, accountId: 'this-computer' }
let serial = 0
/** Runs every step one after the other, as the app does; returns the number of steps. */
function restoreAll(store: Store, id: string, json: MeetingJson): number {
  const whole = remade(json, `new-${(serial += 1)}`)
  const restore = store.meetings.restoring(id, headOf(whole).head, from)
  let steps = 1
  while (!restore.clear()) steps += 1
  for (const page of jsonPages(whole)) {
    restore.put(page)
    steps += 1
  }
  while (!restore.finish(null)) steps += 1
  return steps
}

test('imports a meeting as the same meeting with new IDs', () => {
  const json = exported(first, 'm')
  expect(json.lines.map(({ text }) => text)).toContain('We ship in May.')
  expect(json.summaries).toHaveLength(2)
  restoreAll(second, 'copy', json)
  expect(placed(exported(second, 'copy'))).toEqual(placed(json))
  const [meeting, copy] = [first.meetings.get('m'), second.meetings.get('copy')]
  expect(copy?.startedAt).toBe(meeting?.startedAt)
  expect(copy).toMatchObject({ state: 'stopped', hasAudio: false, canUndo: false })
  expect(copy?.completeness).toMatchObject({ failed: 1, segments: 4 })
})

test('imports a copy next to its original, without shared rows, and finds its text', async () => {
  restoreAll(first, 'copy', exported(first, 'm'))
  const ids = (id: string): string[] => first.meetings.lines(id).map((line) => line.id)
  expect(ids('copy').some((id) => ids('m').includes(id))).toBe(false)
  const found = await first.search.search({ query: '通知客户', limit: 10 })
  expect(found.hits.map(({ itemId }) => itemId).toSorted()).toEqual(['copy', 'm'])
  const [line] = first.meetings.lines('copy')
  first.meetings.edit('copy', { type: 'text', lineId: line?.id ?? '', text: 'changed' })
  expect(first.meetings.lines('m').some(({ text }) => text === 'changed')).toBe(false)
})

test('restores nothing if the ID exists, and does not change the existing meeting', async () => {
  const json = { ...exported(first, 'm'), title: 'Other' }
  const before = exported(second, 'copy')
  expect(await codeOf(() => restoreAll(second, 'copy', json))).not.toBe('none')
  expect(exported(second, 'copy')).toEqual(before)
})
