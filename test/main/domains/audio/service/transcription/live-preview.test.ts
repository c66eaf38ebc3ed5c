import { expect, test } from 'vitest'
import type { Accounts } from '../../../../../../src/main/domains/settings/index.ts'
import { createLivePreview } from '../../../../../../src/main/domains/audio/service/transcription/live-preview.ts'
import type { Api } from '../../../../../../src/main/provider-client/api.ts'
import { localAccountId } from '../../../../../../src/shared/provider/profiles.ts'
import type { Meeting, Segment, Span } from '../../../../../../src/shared/model/meeting.ts'

/** A live meeting with an engine that the test controls: it answers with the range it was given. */
function setup(accountId = localAccountId) {
  const shown: string[] = []
  const partial: string[] = []
  const requests: { readonly span: Span; readonly answer: (text?: string) => Promise<void> }[] = []
  const state = { now: 0, busy: false, fails: false }
  let span: Span = { startMs: 0, endMs: 0 }
  const preview = createLivePreview({
    store: { get: () => ({ accountId, hotwords: [] }) as unknown as Meeting },
    accounts: {
      target: async () => ({ limits: { transcription: { hotwords: 9 } } }),
    } as unknown as Accounts,
    api: {
      transcriptions: {
        create: (_target: unknown, _request: unknown, options: { signal: AbortSignal }) => {
          const { promise, resolve, reject } = Promise.withResolvers<unknown>()
          options.signal.addEventListener('abort', () => reject(new Error('aborted')))
          if (state.fails) reject(new Error('no engine'))
          const given = span
          requests.push({
            span: given,
            async answer(text = `${given.startMs} to ${given.endMs}`) {
              resolve({ text, noSpeech: text === '' })
              await settled()
            },
          })
          return promise
        },
      },
    } as unknown as Api,
    audio: {
      async extractSegment(_id, _channel, given) {
        span = given
        return new Uint8Array(1)
      },
    },
    clock: () => state.now,
    mask: (text) => text.replaceAll('secret', '***'),
    isBusy: () => state.busy,
    onPreview: (_id, { channel, startMs, text }) => shown.push(`${channel} ${startMs} ${text}`),
    onPartial: (_id, segmentId, text) => partial.push(`${segmentId} ${text}`),
  })
  return { preview, shown, partial, requests, state }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const speech = (startMs: number, endMs: number, sentenceEndMs: number | null = endMs) => ({
  startMs,
  endMs,
  sentenceEndMs,
})
const segment = (id: string, startMs: number, endMs: number) =>
  ({ id, channel: 0, startMs, endMs }) as Segment

test('shows the text of a sentence at the pause after it, masked, and again once more was said', async () => {
  const { preview, shown, requests } = setup()
  preview.speech('m', 0, speech(100, 1000, null))
  await settled()
  expect(requests).toEqual([])
  preview.speech('m', 0, speech(100, 1400))
  await settled()
  await requests[0]?.answer('A secret plan.')
  preview.speech('m', 0, speech(100, 1400, 1000))
  await settled()
  expect(requests).toHaveLength(1)
  preview.speech('m', 0, speech(100, 5000, 1000))
  await settled()
  await requests[1]?.answer()
  expect(shown).toEqual(['0 100 A *** plan.', '0 100 100 to 5000'])
})

test('shows the text of a sentence after which the speaker went on at once', async () => {
  const { preview, requests } = setup()
  preview.speech('m', 0, speech(0, 1400, null))
  preview.speech('m', 0, speech(0, 2200, 1500))
  await settled()
  expect(requests.map(({ span }) => span)).toEqual([{ startMs: 0, endMs: 2200 }])
})

test('transcribes one range at a time, rests half as long as that took, and never while segments wait', async () => {
  const { preview, requests, state } = setup()
  preview.speech('m', 0, speech(0, 2000))
  await settled()
  preview.speech('m', 1, speech(0, 2000))
  await settled()
  expect(requests).toHaveLength(1)
  state.now = 800
  await requests[0]?.answer()
  preview.speech('m', 1, speech(0, 2000))
  await settled()
  expect(requests).toHaveLength(1)
  state.now = 1200
  state.busy = true
  preview.speech('m', 1, speech(0, 2000))
  await settled()
  expect(requests).toHaveLength(1)
  state.busy = false
  preview.speech('m', 1, speech(0, 2000))
  await settled()
  expect(requests).toHaveLength(2)
})

test('keeps the text as that of its segment until this one is transcribed', async () => {
  const { preview, shown, partial, requests } = setup()
  preview.speech('m', 0, speech(0, 2000))
  await settled()
  await requests[0]?.answer('Hello.')
  preview.found('m', [segment('other', 3000, 4000), segment('s', 0, 2300)])
  expect(partial).toEqual(['s Hello.'])
  expect(shown).toEqual(['0 0 Hello.', '0 0 '])
})

test('drops a text that arrives after its segment, or that repeats itself', async () => {
  const { preview, shown, requests, state } = setup()
  preview.speech('m', 0, speech(0, 2000))
  await settled()
  preview.found('m', [segment('s', 0, 2300)])
  await requests[0]?.answer('Too late.')
  expect(shown).toEqual([])
  state.now = 10
  preview.speech('m', 0, speech(3000, 5000))
  await settled()
  await requests[1]?.answer(`Well. ${'And so on and so on. '.repeat(20)}`)
  preview.speech('m', 0, null)
  expect(shown).toEqual([])
})

test('drops a text that arrives after its channel went silent', async () => {
  const { preview, shown, requests } = setup()
  preview.speech('m', 0, speech(0, 2000))
  await settled()
  preview.speech('m', 1, null)
  preview.speech('m', 0, null)
  await requests[0]?.answer('Too late.')
  expect(shown).toEqual([])
})

test('sends nothing of a meeting that another account transcribes', async () => {
  const { preview, requests } = setup('provider')
  preview.speech('m', 0, speech(0, 5000))
  await settled()
  expect(requests).toEqual([])
})

test('gives way to a segment of another channel, and pauses after a failure', async () => {
  const { preview, requests, state } = setup()
  preview.speech('m', 1, speech(0, 2000))
  await settled()
  preview.found('m', [segment('s', 0, 2300)])
  await settled()
  state.fails = true
  preview.speech('m', 1, speech(0, 2000))
  await settled()
  expect(requests).toHaveLength(2)
  state.now = 29_000
  preview.speech('m', 1, speech(0, 4000))
  await settled()
  expect(requests).toHaveLength(2)
  state.now = 30_000
  preview.speech('m', 1, speech(0, 4000))
  await settled()
  expect(requests).toHaveLength(3)
})
