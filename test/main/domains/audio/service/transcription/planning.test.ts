import { expect, test } from 'vitest'
import {
  promptFor,
  rankHotwords,
} from '../../../../../../src/main/domains/audio/service/transcription/context.ts'
import { nextSegment } from '../../../../../../src/main/domains/audio/service/transcription/next-segment.ts'
import {
  learnedWords,
  suggestedTerms,
} from '../../../../../../src/main/domains/audio/service/transcription/learn.ts'
import { linesOf } from '../../../../../../src/main/domains/audio/service/transcription/lines.ts'
import { createPhoneticMatcher } from '../../../../../../src/main/domains/audio/service/transcription/phonetic-similarity.ts'
import type { Flag, SegmentState } from '../../../../../../src/shared/model/meeting.ts'

const segmentsOf = (count: number, channel = 0, pauseAt: readonly number[] = []) => {
  let startMs = 0
  return Array.from({ length: count }, (_, at) => {
    startMs += pauseAt.includes(at) ? 5_000 : 300
    const segment = {
      id: `${channel}-${at}`,
      channel,
      startMs,
      endMs: startMs + 20_000,
      forcedStart: false,
      state: 'pending' as const,
      isDue: true,
      isAfterOpen: at > 0,
    }
    startMs += 20_000
    return segment
  })
}
type Open = ReturnType<typeof segmentsOf>[number]

/** Returns the segments that are sent first, one for each place that is used. */
function startsOf(open: readonly Open[], places: number): readonly string[] {
  const ordered = open.toSorted((a, b) => a.startMs - b.startMs || a.channel - b.channel)
  const busy = new Set<string>()
  for (let free = places; free > 0; free--) {
    const id = nextSegment(ordered, busy, free)
    if (id === undefined) break
    busy.add(id)
  }
  return [...busy]
}

test('splits a long meeting at its longest pauses, but not a short one', () => {
  expect(startsOf(segmentsOf(40, 0, [9, 21, 28]), 4)).toEqual(['0-0', '0-9', '0-21', '0-28'])
  expect(startsOf(segmentsOf(3), 4)).toEqual(['0-0'])
  expect(startsOf([], 4)).toEqual([])
})

test('starts at a cut in speech only if there is no other option', () => {
  const forced = segmentsOf(16).map((one, at) => ({ ...one, forcedStart: at !== 7 && at !== 0 }))
  expect(startsOf(forced, 2)).toEqual(['0-0', '0-7'])
  const all = segmentsOf(16).map((one) => ({ ...one, forcedStart: true }))
  expect(startsOf(all, 2)).toHaveLength(2)
})

test('starts on each channel, and splits the longest first', () => {
  const both = [...segmentsOf(40), ...segmentsOf(8, 1)]
  const starts = startsOf(both, 6)
  expect(starts.slice(0, 2)).toEqual(['0-0', '1-0'])
  expect(starts).toHaveLength(6)
  expect(starts.filter((id) => id.startsWith('0-')).length).toBeGreaterThanOrEqual(4)
  expect(startsOf(both, 1)).toEqual(['0-0'])
})

test('continues where the text before a segment is known, before it splits anything', () => {
  const [first, ...rest] = segmentsOf(24, 0, [18])
  const open = rest.map((one) => ({ ...one, isAfterOpen: !['0-1', '0-12'].includes(one.id) }))
  expect(first?.id).toBe('0-0')
  expect(nextSegment(open, new Set(), 3)).toBe('0-1')
  expect(nextSegment(open, new Set(['0-1']), 2)).toBe('0-12')
  expect(nextSegment(open, new Set(['0-1', '0-12']), 1)).toBe('0-18')
  expect(nextSegment(open, new Set(['0-1', '0-6', '0-12', '0-18']), 1)).toBeUndefined()
})

test('passes over a segment that waits, and one that another account transcribes', () => {
  const open = segmentsOf(4)
  const waits = open.map((one) => ({ ...one, isDue: one.id !== '0-0' }))
  expect(nextSegment(waits, new Set(), 1)).toBe('0-1')
  const elsewhere = open.map((one) => ({
    ...one,
    state: one.id === '0-0' ? ('inflight' as const) : one.state,
  }))
  expect(nextSegment(elsewhere, new Set(), 1)).toBe('0-1')
  expect(nextSegment(elsewhere, new Set(['0-0']), 1)).toBeUndefined()
})

const earlier = (
  id: string,
  startMs: number,
  text: string,
  state: SegmentState = 'done',
  flags: readonly Flag[] = [],
) => ({
  segment: { id, startMs, endMs: startMs + 10_000, state, flags },
  text,
})

test('uses the end of the preceding texts as context, and none after a pause, flag or gap', () => {
  const before = [earlier('b', 10_000, 'second text.'), earlier('a', 0, 'first text.')]
  const at = { startMs: 20_500 }
  expect(promptFor('', at, 'b', before, 8000)).toBe('first text. second text.')
  expect(promptFor('Weekly meeting', at, 'b', before, 8000)).toBe(
    'Weekly meeting\nfirst text. second text.',
  )
  // A failed or silent segment is in between.
  expect(promptFor('own', at, 'x', before, 8000)).toBe('own')
  expect(promptFor('own', { startMs: 41_000 }, 'b', before, 8000)).toBe('own')
  expect(
    promptFor('', at, 'b', [earlier('b', 10_000, 'loop loop', 'flagged', ['loop'])], 8000),
  ).toBe('')
  expect(
    promptFor(
      '',
      at,
      'b',
      [before[0] ?? earlier('b', 0, ''), earlier('a', 0, 'bad', 'flagged', ['loop'])],
      8000,
    ),
  ).toBe('second text.')
  const long = promptFor('', at, 'b', [earlier('b', 10_000, 'word '.repeat(300))], 8000)
  expect(long.length).toBeLessThanOrEqual(400)
  expect(long.startsWith('word')).toBe(true)
  expect(promptFor('p'.repeat(50), at, 'b', before, 60)).toBe('p'.repeat(50))
})

test('makes hotwords unique, and puts misrecognized ones first when there are too many', () => {
  expect(rankHotwords(['Anna', 'anna', ' ', 'Bern'], [], 100)).toEqual(['Anna', 'Bern'])
  expect(rankHotwords(['A', 'B', 'C', 'D'], ['d', 'c'], 2)).toEqual(['C', 'D'])
})

test('splits lines between sentences, and spreads their times over the ranges with voice', () => {
  const text =
    'Good morning everybody. Let us begin with the numbers. Sales went up by four per cent. Anna will tell us why. Then we look at the budget.'
  const span = { startMs: 100_000, endMs: 125_000 }
  const voiced = [
    { startMs: 101_000, endMs: 106_000 },
    { startMs: 112_000, endMs: 124_000 },
  ]
  const lines = linesOf(text, span, voiced)
  expect(lines.map((line) => line.text).join(' ')).toBe(text)
  expect(lines.length).toBeGreaterThan(1)
  expect(lines[0]?.startMs).toBe(101_000)
  expect(lines.at(-1)?.endMs).toBe(124_000)
  for (const [at, line] of lines.entries()) {
    expect(line.endMs).toBeGreaterThan(line.startMs)
    expect(line.startMs).toBeGreaterThanOrEqual(lines[at - 1]?.endMs ?? 0)
    // No line starts in the long pause.
    expect(line.startMs > 106_000 && line.startMs < 112_000).toBe(false)
  }
})

test('splits long sentences between clauses, and text without spaces anywhere; loses nothing', () => {
  const long = `${'a long clause with several words, '.repeat(20)}and an end.`
  const cut = linesOf(long, { startMs: 0, endMs: 29_000 }, [])
  expect(cut.every((line) => line.text.length <= 200)).toBe(true)
  expect(cut.map((line) => line.text).join(' ')).toBe(long)
  const chinese = '我们讨论新办公室的预算'.repeat(30)
  const lines = linesOf(chinese, { startMs: 0, endMs: 29_000 }, [])
  expect(lines.every((line) => line.text.length <= 100)).toBe(true)
  expect(lines.map((line) => line.text).join('')).toBe(chinese)
  expect(linesOf('', { startMs: 0, endMs: 1000 }, [])).toEqual([])
})

test('learns corrected names and terms, but not common words', () => {
  const learned = learnedWords(
    [
      { heard: 'to', corrected: 'two' },
      { heard: 'cooper net ease', corrected: 'Kubernetes' },
      { heard: 'anna', corrected: 'Anna' },
      { heard: 'regime', corrected: 'regimen' },
      { heard: '张维', corrected: '张伟' },
      { heard: 'hanna', corrected: 'Johanna' },
      { heard: 'coopernetes', corrected: 'Kubernetes' },
      { heard: 'x', corrected: 'Known' },
    ],
    ['known'],
  )
  expect(learned).toEqual(['Kubernetes', '张伟', 'Johanna', 'regimen'])
})

test('suggests no vocabulary for text that was only rephrased', async () => {
  const suggested = await suggestedTerms(
    [
      { heard: 'fellow', corrected: 'dear' },
      { heard: 'And', corrected: 'Hence' },
      { heard: '国家', corrected: '民族' },
      { heard: 'Jon', corrected: 'John' },
      { heard: 'cooper net ease', corrected: 'Kubernetes' },
      { heard: 'glam five', corrected: 'GLM-5' },
      { heard: '张维', corrected: '张伟' },
      { heard: 'cube control', corrected: 'kubectl' },
      { heard: 'cube cuddle', corrected: 'kubectl' },
    ],
    [],
  )
  expect(suggested.toSorted()).toEqual(
    ['GLM-5', 'John', 'Kubernetes', 'kubectl', '张伟'].toSorted(),
  )
})

test('finds a word where it was misrecognized', async () => {
  expect(
    (await createPhoneticMatcher(['Kubernetes'])).detects('we run it on cooper net ease in Berlin'),
  ).toBe(true)
  expect(
    (await createPhoneticMatcher(['Kubernetes'])).detects('we run it on Kubernetes in Berlin'),
  ).toBe(false)
  expect(
    (await createPhoneticMatcher(['Kubernetes'])).detects(
      'we talk about the budget of the new office',
    ),
  ).toBe(false)
  expect(
    (await createPhoneticMatcher(['Catherine Murphy'])).detects('and Kathryn Murphy will come'),
  ).toBe(true)
  expect((await createPhoneticMatcher(['Lectern'])).detects('open the lecturn and begin')).toBe(
    true,
  )
  expect(
    (await createPhoneticMatcher(['Lectern'])).detects('he gave a long answer about trains'),
  ).toBe(false)
  expect((await createPhoneticMatcher(['张伟'])).detects('请章威来说明')).toBe(true)
  expect((await createPhoneticMatcher(['张伟'])).detects('请张伟来说明')).toBe(false)
  expect((await createPhoneticMatcher(['语音识别'])).detects('我们用鱼音识别的服务')).toBe(true)
  expect((await createPhoneticMatcher(['语音识别'])).detects('今天我们讨论预算')).toBe(false)
})
