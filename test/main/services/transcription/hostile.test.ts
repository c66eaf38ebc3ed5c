import { expect, test } from 'vitest'
import { createPartial } from '../../../../src/main/services/meetings/transcription/partial.ts'
import {
  maxTextLength,
  spokenText,
} from '../../../../src/main/services/meetings/transcription/speech-duration.ts'
import { failure, transcriptionSetup, row, text, type Question } from './transcription-setup.ts'

/** What a service may say that nobody said. */
const answers: readonly string[] = [
  // One word of two million characters, and a million sentences.
  'x'.repeat(2_000_000),
  'Yes. '.repeat(400_000),
  `${'\n'.repeat(1_000_000)}end`,
  '\u202eevil\0\u0007\u2066 words\u0085 are here and now, my friends',
  '<img src=x onerror=alert(1)> --> __proto__ {{ constructor }} are words as well',
  '\ud800'.repeat(50),
  '好'.repeat(500_000),
]

test('whatever a service answers, the transcript holds no more than can be said in the time, and no control characters', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  const id = desk.meeting(row(answers.length))
  desk.answer = ({ sound }: Question) =>
    text(answers[Math.floor(Number(sound.split(' ')[1]) / 10_500)] ?? 'More words.')
  desk.hearing.nudge(id)
  await desk.finish(id, 100)
  const segments = desk.segments(id)
  for (const { state } of segments) expect(['done', 'silent', 'flagged']).toContain(state)
  const lines = desk.store.meetings.lines(id)
  for (const segment of segments) {
    const own = lines.filter(({ segmentId }) => segmentId === segment.id)
    expect(own.reduce((sum, line) => sum + line.text.length, 0)).toBeLessThanOrEqual(maxTextLength)
    for (const line of own) {
      expect(line.text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect(line.text.isWellFormed()).toBe(true)
    }
    const { readingId } = segment
    const reading = readingId === null ? undefined : desk.store.meetings.reading(readingId)
    expect(reading?.text.length).toBeLessThanOrEqual(maxTextLength)
  }
  // What was cut off is still a text to be checked.
  expect(segments.filter(({ state }) => state === 'flagged').length).toBeGreaterThanOrEqual(3)
  expect(desk.texts(id).join(' ')).toContain('<img src=x onerror=alert(1)>')
})

test('a clock that is set back by a year neither leaves a hole nor is waited for', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  const year = 365 * 86_400_000
  const id = desk.meeting(row(4))
  desk.now += year
  desk.answer = () => failure(503, 'overloaded')
  desk.hearing.nudge(id)
  await desk.quiet()
  await desk.tick()
  expect(desk.segments(id).some(({ nextTryAt }) => (nextTryAt ?? 0) > desk.now)).toBe(true)
  desk.now -= year
  desk.answer = ({ sound }: Question) => text(`Good words of ${sound}.`)
  await desk.restart()
  await desk.quiet()
  for (const timer of desk.timers) expect(timer.at - desk.now).toBeLessThanOrEqual(3_600_000)
  await desk.finish(id, 10)
  expect(desk.segments(id).map(({ state }) => state)).toEqual(Array(4).fill('done'))
})

test('without a restart a clock that is set back is not waited for either', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  const id = desk.meeting(row(4))
  desk.answer = () => failure(503, 'overloaded')
  desk.hearing.nudge(id)
  await desk.quiet()
  desk.now -= 365 * 86_400_000
  desk.answer = ({ sound }: Question) => text(`Good words of ${sound}.`)
  desk.hearing.nudge(id)
  await desk.quiet()
  expect(desk.segments(id).map(({ state }) => state)).toEqual(Array(4).fill('done'))
})

test('marks that scripts need stay', () => {
  expect(spokenText(' \u200fשלום\u200e  می‌خواهم\t')).toBe('\u200fשלום\u200e  می‌خواهم')
})

test('an answer that never ends is told up to a length', () => {
  const told: string[] = []
  const partial = createPartial(
    {
      events: { onPartial: (_meeting, _segment, said) => void told.push(said) },
      mask: (said) => said,
      after(_ms, work) {
        work()
        return () => {}
      },
    },
    { id: 's', meetingId: 'm', again: null },
  )
  for (let n = 0; n < 300; n++) partial.add('x'.repeat(1000))
  expect(told.every(({ length }) => length <= 2 * maxTextLength)).toBe(true)
})
