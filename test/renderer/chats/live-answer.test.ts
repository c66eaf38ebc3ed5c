import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followAnswer } from '../../../src/renderer/src/features/chats/thread/live-answer.ts'
import { shownUnits } from '../../../src/shared/chat/shown-answer.ts'
import type { ChatMessage } from '../../../src/shared/model/chat.ts'
import { failure } from '../fake-data.ts'
import { bench } from '../stores.ts'
import { events, piece, runningAnswer } from './messages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An answer that nobody gives any more: its stream is unknown. */
function abandoned(state: () => ChatMessage['state'] = () => 'running') {
  const app = bench({ fail: { 'streams.attach': failure('NOT_FOUND') } })
  const message = runningAnswer('m1', { text: 'Half an' })
  app.main.answer('chats.message', () => ({ ...message, state: state() }))
  app.main.answer('chats.events', () => ({ batches: [events(0, piece(' answer'))], next: null }))
  const told: ChatMessage[] = []
  const live = followAnswer(app.client, message, {
    grown: () => undefined,
    over: (last) => void told.push(last),
  })
  const looks = () => app.main.asked.filter(({ route }) => route === 'chats.message').length
  return { app, live, told, looks }
}

test('an answer whose end was never stored is looked after with growing pauses, and then taken for cut off', async () => {
  const { told, looks } = abandoned()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(looks()).toBeLessThan(6)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(told).toHaveLength(1)
  expect(told[0]).toMatchObject({
    state: 'broken',
    text: expect.stringContaining('Half an'),
    error: { code: 'STREAM_CUT', retriable: true },
  })
  expect(looks()).toBeLessThan(12)
  const before = looks()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(looks()).toBe(before)
})

test('an end that is stored a little later is shown as it is', async () => {
  let state: ChatMessage['state'] = 'running'
  const { told } = abandoned(() => state)
  await vi.advanceTimersByTimeAsync(3_000)
  state = 'done'
  await vi.advanceTimersByTimeAsync(30_000)
  expect(told.map((one) => one.state)).toEqual(['done'])
})

test('an answer that was deleted is not looked after', async () => {
  const app = bench({
    fail: { 'streams.attach': failure('NOT_FOUND'), 'chats.message': failure('NOT_FOUND') },
  })
  followAnswer(app.client, runningAnswer('m1'), { grown: () => undefined, over: () => undefined })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(app.main.asked.filter(({ route }) => route === 'chats.message')).toHaveLength(1)
})

test('a page holds no more of a running answer than a message carries', async () => {
  const app = bench()
  const message = runningAnswer('m1', { text: '' })
  const long = 'x'.repeat(300_000)
  app.main.answer('chats.events', () => ({
    batches: [0, 1, 2, 3].map((n) => events(n, piece(long))),
    next: null,
  }))
  app.main.answer('streams.attach', ({ streamId }: { streamId: string }) => ({
    streamId,
    text: '',
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
