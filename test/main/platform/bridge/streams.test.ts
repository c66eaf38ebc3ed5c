import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPageSet } from '../../../../src/main/platform/bridge/events.ts'
import { createStreamHub } from '../../../../src/main/platform/bridge/streams.ts'
import type { StreamEvent } from '../../../../src/shared/contract/events.ts'
import type { PushedEvent } from '../../../../src/shared/contract/transport.ts'
import type { EventBatch } from '../../../../src/shared/model/run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setup(ids: readonly string[]) {
  const pages = createPageSet()
  const seen = new Map<string, StreamEvent[]>()
  for (const id of ids) {
    seen.set(id, [])
    pages.connect({
      id,
      push: (event: PushedEvent) => {
        if (event.channel === 'stream') seen.get(id)?.push(event.event)
      },
    })
  }
  return { hub: createStreamHub(pages), seen: (id: string) => seen.get(id) ?? [] }
}

const failure = { code: 'STREAM_CUT', message: 'cut', retriable: true, at: 0 } as const
const one = (first: number): EventBatch => ({ first, count: 1, json: `[${first}]` })

test('sends batches of events in order, without gaps in seq, before the end', () => {
  const { hub, seen } = setup(['a'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  writer.events({ first: 0, count: 2, json: '[1,2]' })
  writer.events(one(2))
  writer.end()
  expect(seen('a')).toEqual([
    { streamId: 'stream-1', seq: 0, type: 'events', batch: { first: 0, count: 2, json: '[1,2]' } },
    { streamId: 'stream-1', seq: 1, type: 'events', batch: one(2) },
    { streamId: 'stream-1', seq: 2, type: 'end' },
  ])
})

test('sends exactly one terminal event, whatever is called after it', () => {
  const { hub, seen } = setup(['a'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  writer.fail(failure)
  writer.end()
  writer.events(one(0))
  vi.advanceTimersByTime(1000)
  expect(seen('a').map((event) => event.type)).toEqual(['error'])
  expect(hub.attach('stream-1', 'a')).toMatchObject({ outcome: { type: 'error', error: failure } })
})

test('reports the position to a late page, and continues without gaps or repeats', () => {
  const { hub, seen } = setup(['a', 'b'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  expect(hub.attach('stream-1', 'a')).toEqual({ streamId: 'stream-1', nextSeq: 0 })
  writer.events({ first: 0, count: 2, json: '[1,2]' })
  writer.events(one(2))
  expect(hub.attach('stream-1', 'b')).toEqual({ streamId: 'stream-1', nextSeq: 2, nextEvent: 3 })
  writer.events(one(3))
  expect(seen('b')).toEqual([{ streamId: 'stream-1', seq: 2, type: 'events', batch: one(3) }])
})

test('continues the stream without a page that left, and reports the result on its return', () => {
  const { hub, seen } = setup(['a'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  hub.dropConnection('a')
  writer.events(one(0))
  writer.end()
  expect(seen('a')).toEqual([])
  expect(hub.attach('stream-1', 'a')).toMatchObject({ nextEvent: 1, outcome: { type: 'end' } })
  vi.advanceTimersByTime(6 * 60_000)
  expect(() => hub.attach('stream-1', 'a')).toThrow('Stream not found')
})

test('allows an ID for only one stream', () => {
  const { hub } = setup([])
  hub.open('stream-1', { connectionIds: [] })
  expect(() => hub.open('stream-1', { connectionIds: [] })).toThrow('already in use')
})

test('does not let a page with a throwing channel affect the others', () => {
  const pages = createPageSet()
  const got: StreamEvent[] = []
  pages.connect({
    id: 'bad',
    push: () => {
      throw new Error('gone')
    },
  })
  pages.connect({ id: 'good', push: (e) => void (e.channel === 'stream' && got.push(e.event)) })
  createStreamHub(pages)
    .open('stream-1', { connectionIds: ['bad', 'good'] })
    .end()
  expect(got).toHaveLength(1)
})
