import { expect, test } from 'vitest'
import {
  briefOf,
  briefState,
  isWorking,
  needsUser,
} from '../../../../../src/renderer/src/domains/library/entries/brief-state.ts'
import {
  completenessParts,
  transcribedPercent,
} from '../../../../../src/renderer/src/domains/library/entries/completeness.ts'
import { fitsFilter } from '../../../../../src/renderer/src/domains/library/entries/rows.ts'
import type { ItemSummary } from '../../../../../src/shared/model/library.ts'
import type { Completeness, Meeting } from '../../../../../src/shared/model/meeting.ts'
import { meetingOf } from './side-data.ts'

const whole = meetingOf().completeness
const facts = (change: Partial<Completeness>): Completeness => ({ ...whole, flagged: 0, ...change })
const parts = (change: Partial<Completeness>, more: Partial<Meeting> = {}) =>
  completenessParts(meetingOf({ completeness: facts(change), ...more })).map(
    ({ key, value, tone, target }) => [key, value, tone, target],
  )

test('a complete meeting shows its length once and that all of it is transcribed', () => {
  expect(parts({})).toEqual([
    ['recorded', 60_000, 'plain', 'end'],
    ['transcribed', 100, 'good', 'waiting'],
  ])
})

test('shows recorded audio that was not saved, ignoring rounding', () => {
  expect(parts({ recordedMs: 60_002 }).map(([key]) => key)).not.toContain('missing')
  expect(parts({ recordedMs: 61_000 })).toContainEqual(['missing', 1000, 'danger', 'end'])
  expect(parts({ recordedMs: null }).map(([key]) => key)).toEqual(['written', 'transcribed'])
})

test('shows 100% only when nothing is missing', () => {
  expect(transcribedPercent(facts({ segmentsMs: 100_000, transcribedMs: 99_990 }))).toBe(99)
  expect(transcribedPercent(facts({ waiting: 1 }))).toBe(99)
  expect(transcribedPercent(facts({ failed: 1 }))).toBe(99)
  expect(transcribedPercent(facts({ segmentsMs: 0, transcribedMs: 0 }))).toBe(100)
  // Not all of the audio was analyzed: more may follow.
  expect(parts({ analysedMs: 30_000 })).toContainEqual(['transcribed', 100, 'plain', 'waiting'])
})

test('links counts of failed, flagged and missing audio to their positions', () => {
  expect(parts({ failed: 2, flagged: 1, gapsMs: 3000 }).slice(2)).toEqual([
    ['failed', 2, 'danger', 'failed'],
    ['check', 1, 'warn', 'flagged'],
    ['gaps', 3000, 'warn', 'gap'],
  ])
})

test('reports audio without speech, and nothing about audio for a transcript without any', () => {
  const silent = { segments: 0, segmentsMs: 0, transcribedMs: 0 }
  expect(parts(silent)).toContainEqual(['noSpeech', 0, 'plain', 'end'])
  expect(parts({ writtenMs: 0, analysedMs: 0, recordedMs: null }, { hasAudio: false })).toEqual([
    ['transcribed', 100, 'good', 'waiting'],
  ])
})

const brief = (change: Partial<Meeting>, more: Partial<Completeness> = {}) =>
  briefOf(meetingOf({ ...change, completeness: facts(more) }))

test('shows running work in a row before lines that need review', () => {
  expect(briefState(brief({ state: 'recording' }))).toMatchObject({
    key: 'recording',
    tone: 'live',
  })
  expect(briefState(brief({ state: 'importing', importProgress: 0.427 }))).toMatchObject({
    key: 'importing',
    value: 42,
    progress: 0.427,
  })
  expect(briefState(brief({}, { waiting: 1, transcribedMs: 15_000, flagged: 2 }))).toMatchObject({
    key: 'transcribing',
    value: 50,
    progress: 0.5,
  })
  expect(briefState(brief({}, { analysedMs: 10_000 }))).toMatchObject({ key: 'transcribing' })
  expect(briefState(brief({}, { failed: 2, flagged: 1 }))).toMatchObject({
    key: 'failed',
    value: 2,
  })
  expect(briefState(brief({}, { flagged: 3 }))).toMatchObject({ key: 'check', value: 3 })
  expect(briefState(brief({}))).toBeNull()
  expect(briefState(brief({}, { writtenMs: 0, analysedMs: 0 }))).toBeNull()
})

test('matches meetings in the list filters', () => {
  const item = (change: Partial<Meeting>, more: Partial<Completeness> = {}): ItemSummary => ({
    id: 'm1',
    kind: 'meeting',
    title: 'Weekly',
    excerpt: '',
    duration: 60,
    document: null,
    conversation: null,
    speech: null,
    starred: false,
    folderId: null,
    tags: [],
    meeting: brief(change, more),
    createdAt: 0,
    updatedAt: 0,
    deletedAt: null,
  })
  const fits = (one: ItemSummary) =>
    (['all', 'working', 'attention'] as const).filter((filter) => fitsFilter(one, filter))
  expect(fits(item({}))).toEqual(['all'])
  expect(fits(item({ state: 'recording' }))).toEqual(['all', 'working'])
  expect(fits(item({ state: 'interrupted' }))).toEqual(['all', 'attention'])
  expect(fits(item({ state: 'import-failed' }))).toEqual(['all', 'attention'])
  // It continues, and the existing text can be reviewed.
  expect(fits(item({}, { waiting: 1, flagged: 1 }))).toEqual(['all', 'working', 'attention'])
  expect(isWorking(brief({ state: 'paused' }))).toBe(true)
  expect(needsUser(brief({}, { failed: 1 }))).toBe(true)
})
