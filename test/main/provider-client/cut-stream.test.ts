import { expect, test } from 'vitest'
import { TranscriptionCut } from '../../../src/main/provider-client/index.ts'
import { apiSetup, delta, eventStream, failureOf } from './support.ts'

/** Texts with characters of one to four bytes. */
const words = ['我们', '不要问', ' ask', ' not ', '国家', '😀', 'é', '。']
const body = Buffer.from(eventStream(words.map(delta)))

/**
 * Returns what can be known after `n` bytes: the text of every event with complete JSON, and whether the end mark was
 * received.
 */
function knownAfter(n: number): { readonly text: string; readonly ended: boolean } {
  const seen = body.subarray(0, n).toString('latin1')
  const complete = seen.match(/^data: \{.*\}(?=\n|$)/gm)?.length ?? 0
  return { text: words.slice(0, complete).join(''), ended: seen.includes('data: [DONE]') }
}

test('loses no text, never crashes, and classifies a response cut after any number of bytes', async () => {
  const { api, server, target, request, calls } = await apiSetup({
    tuning: { rules: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0, maxWaitMs: 0 } },
  })
  const ask = request({ stream: true })
  for (let n = 0; n <= body.length; n++) {
    const cutBy = n % 2 === 0 ? 'close' : 'reset'
    // Chunks of one to seven bytes around the cut: characters and events arrive split.
    const splitAt = Array.from({ length: 20 }, (_, i) => Math.max(1, n - 40) + i * (1 + (n % 7)))
    server.queue({ body, cutAfter: n, cutBy: cutBy, splitAt })
    let transcript = ''
    const outcome = await api.transcriptions
      .create(target(), ask, { onDelta: (chunk) => (transcript += chunk) })
      .catch((error: unknown) => error)
    const known = knownAfter(n)
    const call = calls.at(-1)
    if (outcome instanceof Error) {
      // A reset may overtake bytes in transit; the received text is then a prefix of what was sent.
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

test('treats a response without an end as cut, though the connection closed properly', async () => {
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

test('completes the text after `done`, with or without [DONE]', async () => {
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
