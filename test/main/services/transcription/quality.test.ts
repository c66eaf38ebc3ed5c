import { expect, test } from 'vitest'
import type { NewSegment } from '../../../../src/main/store/meetings-types.ts'
import { transcriptionSetup, row, text } from './transcription-setup.ts'

const loop = 'and then the '.repeat(20)

test('a loop is asked for again without context, and the good answer is taken', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  desk.answer = ({ sound, prompt }) => {
    if (!sound.startsWith('0 10500')) return text('Good words of somebody.')
    return text(prompt === '' ? 'What was really said.' : loop)
  }
  const id = desk.meeting(row(3))
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.segments(id).map(({ state, flags }) => [state, flags])).toEqual([
    ['done', []],
    ['done', []],
    ['done', []],
  ])
  expect(desk.asked.map(({ sound, prompt }) => [sound, prompt])).toEqual([
    ['0 0 10000', ''],
    ['0 10500 20500', 'Good words of somebody.'],
    ['0 10500 20500', ''],
    ['0 21000 31000', 'Good words of somebody. What was really said.'],
  ])
  // Every answer is kept as received, the loop as well.
  expect(desk.store.replies.byItem(id)).toHaveLength(4)
})

test('a loop that stays is asked for in halves', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  desk.answer = ({ sound }) => {
    if (sound === '0 0 10000') return text(loop)
    return text(sound === '0 0 5000' ? 'The first half' : 'and the second half.')
  }
  const id = desk.meeting(row(1))
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.asked.map(({ sound }) => sound)).toEqual(['0 0 10000', '0 0 5000', '0 5000 10000'])
  expect(desk.texts(id)).toEqual(['The first half and the second half.'])
  expect(desk.segments(id)[0]).toMatchObject({ state: 'done', flags: [] })
})

test('what nothing helps is kept, flagged and never fed forward', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  desk.answer = ({ sound }) => {
    const start = Number(sound.split(' ')[1])
    return text(
      start >= 10_500 && start < 21_000 ? 'you you you you '.repeat(10) : `Fine ${start}.`,
    )
  }
  const id = desk.meeting(row(4))
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.segments(id).map(({ state }) => state)).toEqual(['done', 'flagged', 'done', 'done'])
  expect(desk.segments(id)[1]?.flags).toEqual(['loop'])
  expect(desk.texts(id).filter((line) => line.startsWith('you you'))).not.toHaveLength(0)
  expect(desk.asked.filter(({ prompt }) => prompt.includes('you'))).toEqual([])
  const after = desk.asked.filter(({ sound }) => sound.startsWith('0 21000'))
  expect(after.map(({ prompt }) => prompt)).toEqual([''])
})

test('a refrain is flagged at most: all of it stays', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  const refrain = 'We will rock you, we will rock you, we will rock you!'
  desk.answer = ({ sound }) =>
    text(
      sound === '0 0 5000'
        ? 'We will rock you, we will rock you,'
        : sound === '0 5000 10000'
          ? 'we will rock you!'
          : refrain,
    )
  const id = desk.meeting(row(1))
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.texts(id).join(' ')).toBe(refrain)
  expect(desk.segments(id)[0]?.state).toBe('flagged')
})

test('words on both sides of a forced cut stand once, whichever side comes first', async () => {
  const forced: Partial<NewSegment>[] = [
    { startMs: 0, endMs: 29_000, forcedEnd: true },
    { startMs: 28_000, endMs: 50_000, forcedStart: true },
  ]
  const words = ({ sound }: { readonly sound: string }) =>
    text(
      sound.startsWith('0 0 ')
        ? 'And so we drove to the station'
        : 'To the station. And waited there.',
    )
  const desk = await transcriptionSetup({ places: 1 })
  desk.answer = words
  const id = desk.meeting(forced)
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.texts(id)).toEqual(['And so we drove to the station', 'And waited there.'])
  expect(desk.segments(id).map(({ state, flags }) => [state, flags])).toEqual([
    ['done', []],
    ['done', ['seam']],
  ])
  const again = desk.meeting(forced)
  desk.answer = (one) =>
    one.sound.startsWith('0 0 ') && desk.now === Date.UTC(2026, 0, 1)
      ? { ...text('x'), status: 500 }
      : words(one)
  desk.hearing.nudge(again)
  await desk.finish(again)
  expect(desk.texts(again)).toEqual(['And so we drove', 'To the station.', 'And waited there.'])
})

test('the meeting’s own prompt and hotwords go with every segment, at most a hundred of them', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  const hotwords = Array.from({ length: 130 }, (_, n) => `Word${n}`)
  const id = desk.meeting(row(2), { prompt: 'Weekly meeting.', hotwords })
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.asked[0]).toMatchObject({
    prompt: 'Weekly meeting.',
    hotwords: hotwords.slice(0, 100),
  })
  expect(desk.asked[1]?.prompt).toBe('Weekly meeting.\nThese are the words of 0 0 10000.')
})

test('what comes over the speakers into the microphone is flagged there, whichever channel is heard first', async () => {
  for (const first of [0, 1]) {
    const desk = await transcriptionSetup({ places: 1 })
    const id = desk.meeting(
      [
        { channel: 0, startMs: 200, endMs: 10_200 },
        { channel: 1, startMs: 0, endMs: 10_000 },
        { channel: 0, startMs: 60_000, endMs: 70_000 },
      ],
      { channels: ['mic', 'others'] },
    )
    let early = true
    desk.answer = ({ sound }) => {
      if (sound.startsWith('0 60000')) return text('I will write that down for everybody.')
      if (early && sound.startsWith(`${1 - first} `)) {
        early = false
        return failure500
      }
      return text('We should look at the budget before the end of the week.')
    }
    desk.hearing.nudge(id)
    await desk.finish(id)
    const [mic, , late] = [0, 1, 2].map(
      (at) =>
        desk.segments(id).toSorted((a, b) => a.channel - b.channel || a.startMs - b.startMs)[
          at === 2 ? 1 : at === 1 ? 2 : 0
        ],
    )
    expect(mic).toMatchObject({ channel: 0, state: 'flagged', flags: ['echo'] })
    expect(late).toMatchObject({ channel: 0, state: 'done', flags: [] })
    expect(desk.texts(id)).toHaveLength(3)
  }
})

const failure500 = { status: 500, body: '{}', headers: { 'content-type': 'application/json' } }

test('the text is told while it comes, and only whole answers count', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  const delta = (piece: string): string =>
    `data: ${JSON.stringify({ type: 'transcript.text.delta', delta: piece })}\n\n`
  const head = delta('Hello ')
  let broken = true
  desk.answer = () => {
    const body = `${head}${delta('world.')}data: [DONE]\n\n`
    const stream = {
      headers: { 'content-type': 'text/event-stream' },
      body,
      splitAt: [head.length],
      betweenMs: 400,
    }
    return broken ? { ...stream, cutAfter: head.length } : stream
  }
  const id = desk.meeting(row(1))
  desk.hearing.nudge(id)
  await desk.quiet()
  expect(desk.texts(id)).toEqual([])
  expect(desk.segments(id)[0]).toMatchObject({
    state: 'pending',
    attempts: 1,
    error: { code: 'STREAM_CUT' },
  })
  broken = false
  await desk.tick()
  await desk.finish(id)
  expect(desk.texts(id)).toEqual(['Hello world.'])
})

test('another pass makes proposals, which stand in the transcript only when they are accepted', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(6))
  desk.answer = ({ sound }) =>
    text(sound.startsWith('0 21000') ? 'we run it on cooper net ease.' : 'Other words.')
  desk.hearing.nudge(id)
  await desk.finish(id)
  desk.answer = ({ hotwords }) =>
    text(hotwords.includes('Kubernetes') ? 'We run it on Kubernetes.' : 'wrong')
  const want = { accountId: 'account-1', prompt: '', hotwords: ['Kubernetes'] }
  expect(await desk.hearing.again(id, { type: 'words', words: ['Kubernetes'] }, want)).toBe(1)
  expect(desk.heard.at(-1)?.segments).toMatchObject([{ startMs: 21_000, anotherPass: true }])
  await desk.quiet()
  expect(desk.asked).toHaveLength(7)
  expect(desk.texts(id)[2]).toBe('we run it on cooper net ease.')
  const proposals = desk.store.meetings.readings(id)
  expect(proposals).toMatchObject([{ state: 'proposed', text: 'We run it on Kubernetes.' }])
  const { lines, removed } = desk.hearing.accept(
    id,
    proposals.map((reading) => reading.id),
  )
  expect(desk.segments(id).filter((segment) => segment.anotherPass)).toEqual([])
  expect(lines.map((line) => line.text)).toEqual(['We run it on Kubernetes.'])
  expect(removed).toHaveLength(1)
  expect(desk.texts(id)[2]).toBe('We run it on Kubernetes.')
  // The very same question has its answer already.
  expect(
    await desk.hearing.again(id, { type: 'range', startMs: 21_000, endMs: 22_000 }, want),
  ).toBe(1)
  await desk.quiet()
  expect(desk.asked).toHaveLength(7)
  expect(desk.store.meetings.withWork()).toEqual([])
})

test('another pass that keeps failing leaves what stands, and ends', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(2))
  desk.hearing.nudge(id)
  await desk.finish(id)
  const before = desk.texts(id)
  desk.answer = () => ({ status: 500, body: '{}', headers: { 'content-type': 'application/json' } })
  const want = { accountId: 'account-1', prompt: 'p', hotwords: [] }
  expect(await desk.hearing.again(id, { type: 'all' }, want)).toBe(2)
  await desk.quiet()
  while (desk.timers.length > 0) await desk.tick()
  expect(desk.texts(id)).toEqual(before)
  expect(desk.segments(id).map(({ state }) => state)).toEqual(['done', 'done'])
  expect(desk.segments(id)).toMatchObject([
    { anotherPass: true, error: { code: 'SERVER_ERROR' } },
    { anotherPass: true, error: { code: 'SERVER_ERROR' } },
  ])
  const sent = desk.asked.length
  await desk.restart()
  await desk.quiet()
  expect(desk.asked).toHaveLength(sent)
})

test('a live meeting goes before an import, and several meetings share the places', async () => {
  const desk = await transcriptionSetup({ places: 2 })
  desk.answer = () => ({ ...text('Words.'), delayMs: 15 })
  const imported = desk.meeting(row(12))
  const other = desk.meeting(row(12).map((one) => ({ ...one, endMs: (one.startMs ?? 0) + 9_000 })))
  desk.hearing.nudge(imported)
  desk.hearing.nudge(other)
  await new Promise((resolve) => setTimeout(resolve, 60))
  const live = desk.meeting([{ startMs: 0, endMs: 5_000 }], {
    state: 'recording',
    source: 'recording',
  })
  const sent = desk.asked.length
  desk.hearing.nudge(live)
  await desk.finish(imported)
  await desk.finish(other)
  const place = desk.asked.findIndex(({ sound }) => sound === '0 0 5000')
  expect(place - sent).toBeLessThanOrEqual(2)
  // Neither of the two imports waited for the other.
  const half = desk.asked
    .slice(0, 12)
    .map(({ sound }) => Number(sound.split(' ')[2]) - Number(sound.split(' ')[1]))
  expect(half.filter((ms) => ms === 9_000).length).toBeGreaterThanOrEqual(4)
  expect(half.filter((ms) => ms === 10_000).length).toBeGreaterThanOrEqual(4)
})
