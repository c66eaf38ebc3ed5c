import { expect, test } from 'vitest'
import type { NewSegment } from '../../../../../../src/main/domains/audio/store/meetings-types.ts'
import { transcriptionSetup, row, text } from './transcription-setup.ts'

const loop = 'and then the '.repeat(20)

test('requests a loop again without context, and takes the good answer', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  setup.answer = ({ audio, prompt }) => {
    if (!audio.startsWith('0 10500')) return text('Good words of somebody.')
    return text(prompt === '' ? 'What was really said.' : loop)
  }
  const id = setup.meeting(row(3))
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.segments(id).map(({ state, flags }) => [state, flags])).toEqual([
    ['done', []],
    ['done', []],
    ['done', []],
  ])
  expect(setup.requests.map(({ audio, prompt }) => [audio, prompt])).toEqual([
    ['0 0 10000', ''],
    ['0 10500 20500', 'Good words of somebody.'],
    ['0 10500 20500', ''],
    ['0 21000 31000', 'Good words of somebody. What was really said.'],
  ])
  // Every raw response is saved, including the loop.
  expect(setup.store.replies.byItem(id)).toHaveLength(4)
})

test('requests a persistent loop in halves', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  setup.answer = ({ audio }) => {
    if (audio === '0 0 10000') return text(loop)
    return text(audio === '0 0 5000' ? 'The first half' : 'and the second half.')
  }
  const id = setup.meeting(row(1))
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.requests.map(({ audio }) => audio)).toEqual([
    '0 0 10000',
    '0 0 5000',
    '0 5000 10000',
  ])
  expect(setup.texts(id)).toEqual(['The first half and the second half.'])
  expect(setup.segments(id)[0]).toMatchObject({ state: 'done', flags: [] })
})

test('saves and flags a text that no retry improves, and never uses it as context', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  setup.answer = ({ audio }) => {
    const start = Number(audio.split(' ')[1])
    return text(
      start >= 10_500 && start < 21_000 ? 'you you you you '.repeat(10) : `Fine ${start}.`,
    )
  }
  const id = setup.meeting(row(4))
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.segments(id).map(({ state }) => state)).toEqual(['done', 'flagged', 'done', 'done'])
  expect(setup.segments(id)[1]?.flags).toEqual(['loop'])
  expect(setup.texts(id).filter((line) => line.startsWith('you you'))).not.toHaveLength(0)
  expect(setup.requests.filter(({ prompt }) => prompt.includes('you'))).toEqual([])
  const after = setup.requests.filter(({ audio }) => audio.startsWith('0 21000'))
  expect(after.map(({ prompt }) => prompt)).toEqual([''])
})

test('at most flags a refrain: all of it stays', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  const refrain = 'We will rock you, we will rock you, we will rock you!'
  setup.answer = ({ audio }) =>
    text(
      audio === '0 0 5000'
        ? 'We will rock you, we will rock you,'
        : audio === '0 5000 10000'
          ? 'we will rock you!'
          : refrain,
    )
  const id = setup.meeting(row(1))
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.texts(id).join(' ')).toBe(refrain)
  expect(setup.segments(id)[0]?.state).toBe('flagged')
})

test('words on both sides of a forced cut appear once, whichever side is transcribed first', async () => {
  const forced: Partial<NewSegment>[] = [
    { startMs: 0, endMs: 29_000, forcedEnd: true },
    { startMs: 28_000, endMs: 50_000, forcedStart: true },
  ]
  const words = ({ audio }: { readonly audio: string }) =>
    text(
      audio.startsWith('0 0 ')
        ? 'And so we drove to the station'
        : 'To the station. And waited there.',
    )
  const setup = await transcriptionSetup({ places: 1 })
  setup.answer = words
  const id = setup.meeting(forced)
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.texts(id)).toEqual(['And so we drove to the station', 'And waited there.'])
  expect(setup.segments(id).map(({ state, flags }) => [state, flags])).toEqual([
    ['done', []],
    ['done', ['seam']],
  ])
  const again = setup.meeting(forced)
  setup.answer = (one) =>
    one.audio.startsWith('0 0 ') && setup.now === Date.UTC(2026, 0, 1)
      ? { ...text('x'), status: 500 }
      : words(one)
  setup.transcription.nudge(again)
  await setup.finish(again)
  expect(setup.texts(again)).toEqual(['And so we drove', 'To the station.', 'And waited there.'])
})

test('sends the meeting’s prompt and hotwords with every segment, up to a hundred hotwords', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  const hotwords = Array.from({ length: 130 }, (_, n) => `Word${n}`)
  const id = setup.meeting(row(2), { prompt: 'Weekly meeting.', hotwords })
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.requests[0]).toMatchObject({
    prompt: 'Weekly meeting.',
    hotwords: hotwords.slice(0, 100),
  })
  expect(setup.requests[1]?.prompt).toBe('Weekly meeting.\nThese are the words of 0 0 10000.')
})

test('flags loudspeaker audio in the microphone, whichever channel is transcribed first', async () => {
  for (const first of [0, 1]) {
    const setup = await transcriptionSetup({ places: 1 })
    const id = setup.meeting(
      [
        { channel: 0, startMs: 200, endMs: 10_200 },
        { channel: 1, startMs: 0, endMs: 10_000 },
        { channel: 0, startMs: 60_000, endMs: 70_000 },
      ],
      { channels: ['mic', 'others'] },
    )
    let early = true
    setup.answer = ({ audio }) => {
      if (audio.startsWith('0 60000')) return text('I will write that down for everybody.')
      if (early && audio.startsWith(`${1 - first} `)) {
        early = false
        return failure500
      }
      return text('We should look at the budget before the end of the week.')
    }
    setup.transcription.nudge(id)
    await setup.finish(id)
    const [mic, , late] = [0, 1, 2].map(
      (at) =>
        setup.segments(id).toSorted((a, b) => a.channel - b.channel || a.startMs - b.startMs)[
          at === 2 ? 1 : at === 1 ? 2 : 0
        ],
    )
    expect(mic).toMatchObject({ channel: 0, state: 'flagged', flags: ['echo'] })
    expect(late).toMatchObject({ channel: 0, state: 'done', flags: [] })
    expect(setup.texts(id)).toHaveLength(3)
  }
})

const failure500 = { status: 500, body: '{}', headers: { 'content-type': 'application/json' } }

test('reports the text while it is received, and saves only complete answers', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  const delta = (fragment: string): string =>
    `data: ${JSON.stringify({ type: 'transcript.text.delta', delta: fragment })}\n\n`
  const head = delta('Hello ')
  let broken = true
  setup.answer = () => {
    const body = `${head}${delta('world.')}data: [DONE]\n\n`
    const stream = {
      headers: { 'content-type': 'text/event-stream' },
      body,
      splitAt: [head.length],
      betweenMs: 400,
    }
    return broken ? { ...stream, cutAfter: head.length } : stream
  }
  const id = setup.meeting(row(1))
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.texts(id)).toEqual([])
  expect(setup.segments(id)[0]).toMatchObject({
    state: 'pending',
    attempts: 1,
    error: { code: 'STREAM_CUT' },
  })
  broken = false
  await setup.tick()
  await setup.finish(id)
  expect(setup.texts(id)).toEqual(['Hello world.'])
})

test('another pass creates suggestions, which are in the transcript only once accepted', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(6))
  setup.answer = ({ audio }) =>
    text(audio.startsWith('0 21000') ? 'we run it on cooper net ease.' : 'Other words.')
  setup.transcription.nudge(id)
  await setup.finish(id)
  setup.answer = ({ hotwords }) =>
    text(hotwords.includes('Kubernetes') ? 'We run it on Kubernetes.' : 'wrong')
  const want = { accountId: 'account-1', prompt: '', hotwords: ['Kubernetes'] }
  expect(await setup.transcription.again(id, { type: 'words', words: ['Kubernetes'] }, want)).toBe(
    1,
  )
  expect(setup.transcribed.at(-1)?.segments).toMatchObject([{ startMs: 21_000, anotherPass: true }])
  await setup.quiet()
  expect(setup.requests).toHaveLength(7)
  expect(setup.texts(id)[2]).toBe('we run it on cooper net ease.')
  const proposals = setup.store.meetings.versions(id)
  expect(proposals).toMatchObject([{ state: 'proposed', text: 'We run it on Kubernetes.' }])
  const { lines, removed } = setup.transcription.accept(
    id,
    proposals.map((version) => version.id),
  )
  expect(setup.segments(id).filter((segment) => segment.anotherPass)).toEqual([])
  expect(lines.map((line) => line.text)).toEqual(['We run it on Kubernetes.'])
  expect(removed).toHaveLength(1)
  expect(setup.texts(id)[2]).toBe('We run it on Kubernetes.')
  // The same request already has its response.
  expect(
    await setup.transcription.again(id, { type: 'range', startMs: 21_000, endMs: 22_000 }, want),
  ).toBe(1)
  await setup.quiet()
  expect(setup.requests).toHaveLength(7)
  expect(setup.store.meetings.withWork()).toEqual([])
})

test('a persistently failing second pass leaves the existing text, and ends', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(2))
  setup.transcription.nudge(id)
  await setup.finish(id)
  const before = setup.texts(id)
  setup.answer = () => ({
    status: 500,
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  const want = { accountId: 'account-1', prompt: 'p', hotwords: [] }
  expect(await setup.transcription.again(id, { type: 'all' }, want)).toBe(2)
  await setup.quiet()
  while (setup.timers.length > 0) await setup.tick()
  expect(setup.texts(id)).toEqual(before)
  expect(setup.segments(id).map(({ state }) => state)).toEqual(['done', 'done'])
  expect(setup.segments(id)).toMatchObject([
    { anotherPass: true, error: { code: 'SERVER_ERROR' } },
    { anotherPass: true, error: { code: 'SERVER_ERROR' } },
  ])
  const sent = setup.requests.length
  await setup.restart()
  await setup.quiet()
  expect(setup.requests).toHaveLength(sent)
})

test('prefers a live meeting over an import, and several meetings share the slots', async () => {
  const setup = await transcriptionSetup({ places: 2 })
  setup.answer = () => ({ ...text('Words.'), delayMs: 15 })
  const imported = setup.meeting(row(12))
  const other = setup.meeting(row(12).map((one) => ({ ...one, endMs: (one.startMs ?? 0) + 9_000 })))
  setup.transcription.nudge(imported)
  setup.transcription.nudge(other)
  await new Promise((resolve) => setTimeout(resolve, 60))
  const live = setup.meeting([{ startMs: 0, endMs: 5_000 }], {
    state: 'recording',
    source: 'recording',
  })
  const sent = setup.requests.length
  setup.transcription.nudge(live)
  await setup.finish(imported)
  await setup.finish(other)
  const place = setup.requests.findIndex(({ audio }) => audio === '0 0 5000')
  expect(place - sent).toBeLessThanOrEqual(2)
  // Neither of the two imports waited for the other.
  const half = setup.requests
    .slice(0, 12)
    .map(({ audio }) => Number(audio.split(' ')[2]) - Number(audio.split(' ')[1]))
  expect(half.filter((ms) => ms === 9_000).length).toBeGreaterThanOrEqual(4)
  expect(half.filter((ms) => ms === 10_000).length).toBeGreaterThanOrEqual(4)
})
