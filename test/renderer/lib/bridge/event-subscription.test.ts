import { expect, test, vi } from 'vitest'
import type { StreamEvent, StreamSnapshot } from '../../../../src/shared/contract/events.ts'
import type { Reply } from '../../../../src/shared/contract/reply.ts'
import type { EventBatch } from '../../../../src/shared/model/run.ts'
import { followStream } from '../../../../src/renderer/src/lib/bridge/event-subscription.ts'
import { failure } from '../../fake-data.ts'

/** Miniature stream hub: the position can be attached to, and events can be lost. */
function hub() {
  const listeners = new Set<(event: StreamEvent) => void>()
  const reopens = new Set<() => void>()
  let seq = 0
  let position = 0
  let outcome: StreamSnapshot['outcome']
  let attaches = 0
  let detached = false
  let reply: (() => Reply<StreamSnapshot>) | null = null
  const send = (
    body: { type: 'events'; batch: EventBatch } | { type: 'end' },
    lost = false,
  ): void => {
    const event: StreamEvent = { streamId: 'stream-1', seq: seq++, ...body }
    if (!lost) for (const listener of listeners) listener(event)
  }
  const reported: string[] = []
  const start = () =>
    followStream(
      {
        attach: () => {
          attaches += 1
          if (reply) return Promise.resolve(reply())
          const data = {
            streamId: 'stream-1',
            nextSeq: seq,
            nextEvent: position,
            ...(outcome && { outcome }),
          }
          return Promise.resolve({ ok: true, data })
        },
        detach: () => (detached = true),
        onStream: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
        onReopen: (listener) => (reopens.add(listener), () => void reopens.delete(listener)),
      },
      'stream-1',
      {
        events: ({ json }) => reported.push(json),
        missed: (before) => reported.push(`MISSED ${before}`),
        end: () => reported.push('END'),
        error: (error) => reported.push(`ERROR ${error.code}`),
        gone: () => reported.push('GONE'),
      },
    )
  return {
    reported,
    start,
    say: (json: string, lost = false) =>
      send({ type: 'events', batch: { first: position++, count: 1, json } }, lost),
    end: (lost = false) => {
      outcome = { type: 'end' }
      send({ type: 'end' }, lost)
    },
    fail: () => {
      const event: StreamEvent = {
        streamId: 'stream-1',
        seq: seq++,
        type: 'error',
        error: failure('STREAM_CUT'),
      }
      for (const listener of listeners) listener(event)
    },
    reopen: () => reopens.forEach((listener) => listener()),
    answer: (with_: (() => Reply<StreamSnapshot>) | null) => (reply = with_),
    get attaches() {
      return attaches
    },
    get detached() {
      return detached
    },
    get listening() {
      return listeners.size
    },
  }
}
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

test('reports the position on late attach, then every batch once', async () => {
  const stream = hub()
  stream.say('a')
  stream.start()
  await turn()
  stream.say('b')
  stream.say('c')
  stream.end()
  expect(stream.reported).toEqual(['MISSED 1', 'b', 'c', 'END'])
  expect(stream.listening).toBe(0)
})

test('neither loses nor duplicates events that overtake the snapshot', async () => {
  const stream = hub()
  stream.say('a')
  stream.start()
  // The snapshot is on its way and already counts "a"; these are received before it.
  stream.say('b')
  stream.say('c')
  await turn()
  expect(stream.reported).toEqual(['MISSED 1', 'b', 'c'])
})

test('closes a gap by attaching again', async () => {
  const stream = hub()
  stream.start()
  await turn()
  stream.say('one')
  stream.say('two', true)
  stream.say('three')
  await turn()
  stream.say('four')
  expect(stream.reported).toEqual(['MISSED 0', 'one', 'MISSED 3', 'four'])
  expect(stream.attaches).toBe(2)
})

test('attaches again when the bridge reconnects, and learns of a missed end', async () => {
  const stream = hub()
  stream.start()
  await turn()
  stream.say('one')
  stream.end(true)
  stream.reopen()
  await turn()
  expect(stream.reported).toEqual(['MISSED 0', 'one', 'MISSED 1', 'END'])
})

test('does not request a snapshot in a tight loop that never closes the gap', async () => {
  vi.useFakeTimers()
  const stream = hub()
  stream.answer(() => ({ ok: true, data: { streamId: 'stream-1', nextSeq: 0 } }))
  stream.start()
  stream.say('a', true)
  stream.say('b')
  await vi.advanceTimersByTimeAsync(2000)
  expect(stream.attaches).toBeLessThan(8)
  vi.useRealTimers()
})

test('distinguishes a failure from an unknown stream', async () => {
  const failing = hub()
  failing.start()
  await turn()
  failing.fail()
  expect(failing.reported.at(-1)).toBe('ERROR STREAM_CUT')
  const unknown = hub()
  unknown.answer(() => ({ ok: false, error: failure('NOT_FOUND') }))
  unknown.start()
  await turn()
  expect(unknown.reported).toEqual(['GONE'])
})

test('detaches when leaving and receives nothing more', async () => {
  const stream = hub()
  const leave = stream.start()
  await turn()
  leave()
  stream.say('late')
  expect(stream.detached).toBe(true)
  expect(stream.reported).toEqual(['MISSED 0'])
})
