import { expect, test } from 'vitest'
import { createPartial } from '../../../../../../src/main/domains/audio/service/transcription/partial.ts'
import {
  maxTextLength,
  spokenText,
} from '../../../../../../src/main/domains/audio/service/transcription/speech-duration.ts'
import {
  failure,
  transcriptionSetup,
  row,
  text,
  type ReceivedRequest,
} from './transcription-setup.ts'

/** Texts that a provider may return although they were not said. */
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

test('limits a transcript to speakable length without control characters, for any response', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  const id = setup.meeting(row(answers.length))
  setup.answer = ({ audio }: ReceivedRequest) =>
    text(answers[Math.floor(Number(audio.split(' ')[1]) / 10_500)] ?? 'More words.')
  setup.transcription.nudge(id)
  await setup.finish(id, 100)
  const segments = setup.segments(id)
  for (const { state } of segments) expect(['done', 'silent', 'flagged']).toContain(state)
  const lines = setup.store.meetings.lines(id)
  for (const segment of segments) {
    const own = lines.filter(({ segmentId }) => segmentId === segment.id)
    expect(own.reduce((sum, line) => sum + line.text.length, 0)).toBeLessThanOrEqual(maxTextLength)
    for (const line of own) {
      expect(line.text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect(line.text.isWellFormed()).toBe(true)
    }
    const { versionId } = segment
    const version = versionId === null ? undefined : setup.store.meetings.version(versionId)
    expect(version?.text.length).toBeLessThanOrEqual(maxTextLength)
  }
  // Truncated text still needs review.
  expect(segments.filter(({ state }) => state === 'flagged').length).toBeGreaterThanOrEqual(3)
  expect(setup.texts(id).join(' ')).toContain('<img src=x onerror=alert(1)>')
})

test('a clock set back by a year causes neither a gap nor a wait', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  const year = 365 * 86_400_000
  const id = setup.meeting(row(4))
  setup.now += year
  setup.answer = () => failure(503, 'overloaded')
  setup.transcription.nudge(id)
  await setup.quiet()
  await setup.tick()
  expect(setup.segments(id).some(({ nextTryAt }) => (nextTryAt ?? 0) > setup.now)).toBe(true)
  setup.now -= year
  setup.answer = ({ audio }: ReceivedRequest) => text(`Good words of ${audio}.`)
  await setup.restart()
  await setup.quiet()
  for (const timer of setup.timers) expect(timer.at - setup.now).toBeLessThanOrEqual(3_600_000)
  await setup.finish(id, 10)
  expect(setup.segments(id).map(({ state }) => state)).toEqual(Array(4).fill('done'))
})

test('a clock set back causes no wait without a restart either', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  const id = setup.meeting(row(4))
  setup.answer = () => failure(503, 'overloaded')
  setup.transcription.nudge(id)
  await setup.quiet()
  setup.now -= 365 * 86_400_000
  setup.answer = ({ audio }: ReceivedRequest) => text(`Good words of ${audio}.`)
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.segments(id).map(({ state }) => state)).toEqual(Array(4).fill('done'))
})

test('keeps combining marks that scripts need', () => {
  expect(spokenText(' \u200fשלום\u200e  می‌خواهم\t')).toBe('\u200fשלום\u200e  می‌خواهم')
})

test('reports an endless answer up to a maximum length', () => {
  const reported: string[] = []
  const partial = createPartial(
    {
      store: { savePartial: () => {} },
      events: { onPartial: (_meeting, _segment, partialText) => void reported.push(partialText) },
      mask: (value) => value,
      after(_ms, work) {
        work()
        return () => {}
      },
    },
    { id: 's', meetingId: 'm', again: null },
  )
  for (let n = 0; n < 300; n++) partial.add('x'.repeat(1000))
  expect(reported.every(({ length }) => length <= 2 * maxTextLength)).toBe(true)
})
