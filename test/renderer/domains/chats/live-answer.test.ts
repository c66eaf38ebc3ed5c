import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followAnswer } from '../../../../src/renderer/src/domains/chats/thread/live-answer.ts'
import { shownUnits } from '../../../../src/shared/chats/shown-answer.ts'
import type { ChatMessage } from '../../../../src/shared/model/chat.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import { events, textEvent, runningAnswer } from './messages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a running answer that is no longer produced: its stream is unknown. */
function abandoned(state: () => ChatMessage['state'] = () => 'running') {
  const app = rendererSetup({ fail: { 'streams.attach': failure('NOT_FOUND') } })
  const message = runningAnswer('m1', { text: 'Half an' })
  app.main.answer('chats.message', () => ({ ...message, state: state() }))
  app.main.answer('chats.events', () => ({
    batches: [events(0, textEvent(' answer'))],
    next: null,
  }))
  const reported: ChatMessage[] = []
  const live = followAnswer(app.client, message, {
    grown: () => undefined,
    over: (last) => void reported.push(last),
  })
  const polls = () => app.main.requests.filter(({ route }) => route === 'chats.message').length
  return { app, live, reported, polls }
}

test('polls an answer whose end was never stored with growing delays, then marks it as interrupted', async () => {
  const { reported, polls } = abandoned()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(polls()).toBeLessThan(6)
  expect(reported).toEqual([])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(reported).toHaveLength(1)
  expect(reported[0]).toMatchObject({
    state: 'broken',
    text: expect.stringContaining('Half an'),
    error: { code: 'STREAM_CUT', retriable: true },
  })
  expect(polls()).toBeLessThan(12)
  const before = polls()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(polls()).toBe(before)
})

test('shows an end that is stored a little later', async () => {
  let state: ChatMessage['state'] = 'running'
  const { reported } = abandoned(() => state)
  await vi.advanceTimersByTimeAsync(3_000)
  state = 'done'
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reported.map((one) => one.state)).toEqual(['done'])
})

test('does not poll a deleted answer', async () => {
  const app = rendererSetup({
    fail: { 'streams.attach': failure('NOT_FOUND'), 'chats.message': failure('NOT_FOUND') },
  })
  followAnswer(app.client, runningAnswer('m1'), { grown: () => undefined, over: () => undefined })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(app.main.requests.filter(({ route }) => route === 'chats.message')).toHaveLength(1)
})

test('retains only as much of a running answer as a message contains', async () => {
  const app = rendererSetup()
  const message = runningAnswer('m1', { text: '' })
  const long = 'x'.repeat(300_000)
  app.main.answer('chats.events', () => ({
    batches: [0, 1, 2, 3].map((n) => events(n, textEvent(long))),
    next: null,
  }))
  app.main.answer('streams.attach', ({ streamId }: { streamId: string }) => ({
    streamId,
    nextSeq: 4,
    nextEvent: 4,
  }))
  const live = followAnswer(app.client, message, { grown: () => undefined, over: () => undefined })
  await vi.advanceTimersByTimeAsync(1000)
  expect(live.next).toBe(4)
  expect(live.parts.length).toBe(shownUnits.text)
  expect(live.answer.shortened).toEqual({ text: 1_200_000, steps: false })
  live.leave()
})
