import { expect, test } from 'vitest'
import { TranscriptionCut } from '../../../src/main/api/index.ts'
import { apiSetup, delta, eventStream, failureOf } from './support.ts'

/** Words whose characters are one to four bytes long. */
const words = ['我们', '不要问', ' ask', ' not ', '国家', '😀', 'é', '。']
const body = Buffer.from(eventStream(words.map(delta)))

/** What a reader can know after `n` bytes: the words of every event whose JSON is complete, and whether the end mark is. */
function knownAfter(n: number): { readonly text: string; readonly ended: boolean } {
  const seen = body.subarray(0, n).toString('latin1')
  const complete = seen.match(/^data: \{.*\}(?=\n|$)/gm)?.length ?? 0
  return { text: words.slice(0, complete).join(''), ended: seen.includes('data: [DONE]') }
}

test('a reply cut after any number of bytes never loses a word, never crashes, and says what it is', async () => {
  const { api, server, target, request, calls } = await apiSetup({
    tuning: { rules: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0, maxWaitMs: 0 } },
  })
  const ask = request({ stream: true })
  for (let n = 0; n <= body.length; n++) {
    const cutBy = n % 2 === 0 ? 'close' : 'reset'
    // Pieces of one to seven bytes around the cut: characters and events arrive torn.
    const splitAt = Array.from({ length: 20 }, (_, i) => Math.max(1, n - 40) + i * (1 + (n % 7)))
    server.queue({ body, cutAfter: n, cutBy: cutBy, splitAt })
    let transcript = ''
    const outcome = await api.transcriptions
      .create(target(), ask, { onDelta: (chunk) => (transcript += chunk) })
      .catch((error: unknown) => error)
    const known = knownAfter(n)
    const call = calls.at(-1)
    if (outcome instanceof Error) {
      // A reset may overtake bytes that were on their way; what was heard is then the beginning of what was sent.
      expect(outcome).toMatchObject({ retriable: true })
      if (outcome instanceof TranscriptionCut) expect([n, outcome.text]).toEqual([n, transcript])
      else expect([n, transcript]).toEqual([n, ''])
      expect([n, known.text.startsWith(transcript)]).toEqual([n, true])
      if (cutBy === 'close') {
        expect([n, transcript, known.ended]).toEqual([n, known.text, false])
        expect(outcome).toMatchObject({ code: 'STREAM_CUT' })
      }
      expect(call).toMatchObject({ outcome: 'failed' })
    } else {
      expect([n, known.ended]).toEqual([n, true])
      expect(outcome).toMatchObject({ text: words.join('') })
      expect(transcript).toBe(words.join(''))
      expect(call).toMatchObject({ outcome: 'ok', errorCode: null })
    }
  }
  expect(calls).toHaveLength(body.length + 1)
}, 120_000)

test('a reply whose end is simply missing is cut too, though the connection closed properly', async () => {
  const { api, server, target, request } = await apiSetup()
  for (let n = 0; n < body.length; n += 10) {
    const known = knownAfter(n)
    if (known.ended || known.text === '') continue
    server.queue({ body: body.subarray(0, n) })
    const error = await failureOf(
      api.transcriptions.create(target(), request({ stream: true }), {}),
    )
    expect(error).toMatchObject({
      code: 'STREAM_CUT',
      retriable: true,
      text: known.text,
      raw: { status: 200, body: body.subarray(0, n).toString() },
    })
  }
})

test('after `done` the text is whole, with or without [DONE]', async () => {
  const { api, server, target, request } = await apiSetup()
  const done = { type: 'transcript.text.done', delta: 'one two' }
  const all = Buffer.from(eventStream([delta('one'), delta(' two'), done]))
  const end = all.indexOf('data: [DONE]')
  server.queue({ body: all, cutAfter: end }, { body: all.subarray(0, end) })
  for (let i = 0; i < 2; i++) {
    const result = await api.transcriptions.create(target(), request({ stream: true }), {})
    expect(result.text).toBe('one two')
  }
})
