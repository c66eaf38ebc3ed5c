import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPageSet } from '../../../../src/main/platform/bridge/events.ts'
import { createStreamHub } from '../../../../src/main/platform/bridge/streams.ts'
import type { StreamEvent } from '../../../../src/shared/contract/events.ts'
import type { PushedEvent } from '../../../../src/shared/contract/transport.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const silent = { info() {}, warn() {}, error() {} }

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
  return { hub: createStreamHub(pages, silent), seen: (id: string) => seen.get(id) ?? [] }
}

const failure = { code: 'STREAM_CUT', message: 'cut', retriable: true, at: 0 } as const

test('sends deltas of a batch as one event, in order, without gaps in seq', () => {
  const { hub, seen } = setup(['a'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  for (const word of ['one ', 'two ', 'three ']) writer.delta(word)
  vi.advanceTimersByTime(30)
  writer.delta('four')
  writer.end('one two three four')
  expect(seen('a').map((event) => [event.seq, event.type])).toEqual([
    [0, 'delta'],
    [1, 'delta'],
    [2, 'end'],
  ])
  expect(seen('a')[0]).toMatchObject({ text: 'one two three ' })
})

test('sends exactly one terminal event, whatever is called after it', () => {
  const { hub, seen } = setup(['a'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  writer.fail(failure)
  writer.end('late')
  writer.delta('later')
  vi.advanceTimersByTime(1000)
  expect(seen('a').map((event) => event.type)).toEqual(['error'])
})

test('pushes batched text before the end, and stores it before pushing', () => {
  const { hub, seen } = setup(['a'])
  const stored: string[] = []
  const writer = hub.open('stream-1', {
    connectionIds: ['a'],
    beforePush: (text) => {
      expect(seen('a').length).toBe(stored.length)
      stored.push(text)
    },
  })
  writer.delta('half')
  vi.advanceTimersByTime(30)
  writer.delta(' a word')
  writer.fail(failure)
  expect(stored).toEqual(['half', 'half a word'])
  expect(seen('a').map((event) => event.type)).toEqual(['delta', 'delta', 'error'])
})

test('sends the text so far to a late page, and continues without gaps or repeats', () => {
  const { hub, seen } = setup(['a', 'b'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  writer.delta('first ')
  vi.advanceTimersByTime(30)
  writer.delta('second ')
  const snapshot = hub.attach('stream-1', 'b')
  expect(snapshot).toEqual({ streamId: 'stream-1', text: 'first second ', nextSeq: 2 })
  writer.delta('third')
  vi.advanceTimersByTime(30)
  expect(seen('b')).toEqual([{ streamId: 'stream-1', seq: 2, type: 'delta', text: 'third' }])
})

test('continues the stream without a page that left, and reports the result on its return', () => {
  const { hub, seen } = setup(['a'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  hub.dropConnection('a')
  writer.delta('text')
  writer.end('text')
  expect(seen('a')).toEqual([])
  expect(hub.attach('stream-1', 'a')).toMatchObject({ text: 'text', outcome: { type: 'end' } })
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
  const hub = createStreamHub(pages, silent)
  hub.open('stream-1', { connectionIds: ['bad', 'good'] }).end('text')
  expect(got).toHaveLength(1)
})

test('continues after a store failure: the next batch contains the whole text again', () => {
  const { hub, seen } = setup(['a'])
  const stored: string[] = []
  let broken = true
  const writer = hub.open('stream-1', {
    connectionIds: ['a'],
    beforePush: (text) => {
      if (broken) throw new Error('disk full')
      stored.push(text)
    },
  })
  writer.delta('first ')
  vi.advanceTimersByTime(30)
  broken = false
  writer.delta('second')
  writer.end('first second')
  expect(stored).toEqual(['first second'])
  expect(seen('a').map((event) => event.type)).toEqual(['delta', 'delta', 'end'])
})

test('sends batches of events in order with the text, and reports the position on return', () => {
  const { hub, seen } = setup(['a', 'b'])
  const writer = hub.open('stream-1', { connectionIds: ['a'] })
  expect(hub.attach('stream-1', 'a')).toEqual({ streamId: 'stream-1', text: '', nextSeq: 0 })
  writer.events({ first: 0, count: 2, json: '[1,2]' })
  writer.delta('a word')
  writer.events({ first: 2, count: 1, json: '[3]' })
  expect(seen('a').map((event) => [event.seq, event.type])).toEqual([
    [0, 'events'],
    [1, 'delta'],
    [2, 'events'],
  ])
  expect(hub.attach('stream-1', 'b')).toMatchObject({ nextSeq: 3, nextEvent: 3 })
  writer.end('a word')
  writer.events({ first: 3, count: 1, json: '[4]' })
  expect(seen('b').map((event) => [event.seq, event.type])).toEqual([[3, 'end']])
})
