import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../../../../fixtures/scripted-server.ts'
import { row, transcriptionSetup } from './transcription-setup.ts'

const words = ['我们', '不要问', ' ask', ' not ', '国家', '😀', ' é', '。']
const whole = words.join('')
const headers = { 'content-type': 'text/event-stream' }
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
const common = { id: 'cut', created: 1, model: 'gen-asr-2512' }
const body = Buffer.from(
  words.map((delta) => event({ ...common, type: 'transcript.text.delta', delta })).join('') +
    event({ ...common, type: 'transcript.text.done', text: whole }) +
    'data: [DONE]\n\n',
)

/** Returns the text of every event that is complete within the first `n` bytes, and whether the end was received. */
function knownAfter(n: number): { readonly text: string; readonly ended: boolean } {
  const seen = body.subarray(0, n).toString('latin1')
  const complete = seen.match(/^data: \{.*delta".*\}(?=\n|$)/gm)?.length ?? 0
  return {
    text: words.slice(0, complete).join(''),
    ended: /^data: \{.*text\.done.*\}(?=\n|$)/m.test(seen),
  }
}

test('saves the text of a response cut at every tenth byte, waits, and completes on retry', async () => {
  const setup = await transcriptionSetup()
  const full: ScriptedReply = { headers, body }
  let cuts = 0
  for (let n = 0; n <= body.length; n += 10) {
    setup.answer = () => ({
      headers,
      body,
      cutAfter: n,
      splitAt: [Math.max(1, n - 3), Math.max(2, n - 1)],
    })
    const id = setup.meeting(row(1))
    const segment = () => setup.segments(id)[0]
    const resultText = () => setup.store.meetings.version(segment()?.versionId ?? '')?.text
    setup.transcription.nudge(id)
    await setup.quiet()
    const known = knownAfter(n)
    if (known.ended) {
      expect([n, resultText(), segment()?.partial]).toEqual([n, whole, undefined])
      continue
    }
    cuts += 1
    expect([n, segment()?.partial ?? '']).toEqual([n, known.text])
    expect([n, segment()?.state, segment()?.error?.retriable]).toEqual([n, 'pending', true])
    setup.answer = () => full
    await setup.finish(id)
    expect([n, resultText(), segment()?.partial]).toEqual([n, whole, undefined])
    expect(setup.store.meetings.versions(id, [segment()?.id ?? ''])).toHaveLength(1)
  }
  expect(cuts).toBeGreaterThan(50)
}, 120_000)

test('keeps the text of a stopped transcription and of a restart, until the result is saved', async () => {
  const setup = await transcriptionSetup()
  const twoEvents = body.indexOf('\n\n', body.indexOf('\n\n') + 1) + 2
  setup.answer = () => ({ headers, body: body.subarray(0, twoEvents), hang: true })
  const id = setup.meeting(row(1))
  const segment = () => setup.segments(id)[0]
  setup.transcription.nudge(id)
  await expect.poll(() => setup.timers.length).toBeGreaterThan(0)
  // The timer of the growing text: it is saved before it is reported.
  for (const timer of setup.timers.splice(0)) timer.work()
  const shown = setup.partials.at(-1)?.text ?? ''
  expect(shown).not.toBe('')
  expect(segment()?.partial).toBe(shown)
  await setup.transcription.stop(id)
  const received = words.slice(0, 2).join('')
  expect(segment()).toMatchObject({ state: 'failed', error: { code: 'CANCELLED' } })
  expect(segment()?.partial?.startsWith(shown)).toBe(true)
  expect(received.startsWith(segment()?.partial ?? 'x')).toBe(true)
  await setup.restart()
  expect(segment()?.partial?.startsWith(shown)).toBe(true)
  setup.answer = () => ({ headers, body })
  setup.transcription.fill(id)
  await setup.finish(id)
  expect(segment()).not.toHaveProperty('partial')
  expect(setup.store.meetings.version(segment()?.versionId ?? '')?.text).toBe(whole)
})
