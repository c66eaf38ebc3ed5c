import { expect, test } from 'vitest'
import {
  createEventLog,
  eventLine,
  spokenText,
} from '../../../../src/renderer/src/domains/playground/runs/event-log.ts'
import { beginningOf, shapeOf, vectorStart } from '../../../../src/renderer/src/kit/json-shape.ts'
import { batch } from '../../fake-playground.ts'

test('keeps events in order: rejects a batch after a gap, skips a known one', () => {
  const log = createEventLog()
  expect(log.add(batch(0, ['a', 'b']))).toBe(true)
  expect(log.add(batch(3, ['d']))).toBe(false)
  expect(log.add(batch(0, ['a', 'b']))).toBe(true)
  expect(log.add(batch(2, ['c']))).toBe(true)
  expect(log.count).toBe(3)
  expect([0, 1, 2, 3, -1].map((at) => log.at(at))).toEqual(['a', 'b', 'c', undefined, undefined])
})

test('reads a hundred thousand events in small batches at any index', () => {
  const log = createEventLog()
  const size = 7
  const total = 100_002
  for (let first = 0; first < total; first += size)
    log.add(
      batch(
        first,
        Array.from({ length: size }, (_, i) => ({ type: 't', n: first + i })),
      ),
    )
  expect(log.count).toBe(total)
  for (const at of [0, 6, 7, 49_999, 50_000, total - 1, 3])
    expect(log.at(at)).toEqual({ type: 't', n: at })
})

test('shows an unreadable batch as received', () => {
  const log = createEventLog()
  log.add({ first: 0, count: 1, json: '{broken' })
  expect(log.at(0)).toBe('{broken')
  expect(eventLine(log.at(0))).toEqual({ type: '', text: '{broken' })
})

test('summarizes an event in one line: its text, or the input and output of a tool', () => {
  expect(eventLine({ type: 'thought', text: 'I look\n it  up' })).toEqual({
    type: 'thought',
    text: 'I look it up',
  })
  expect(
    eventLine({ type: 'tool_call', callId: 'c', tool: 'find', arguments: { q: 'x' } }).text,
  ).toBe('find {"q":"x"}')
  const long = eventLine({ type: 'audio', pcm: 'A'.repeat(1_000_000) })
  expect(long.text.length).toBeLessThan(260)
  expect(
    eventLine({ type: 'batch', vectors: [Array.from({ length: 2048 }, () => 0.5)] }).text,
  ).toBe('{"vectors":[[0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,"…"]]}')
})

test('joins the answer from its parts, without reasoning', () => {
  expect(
    spokenText([
      { type: 'reasoning', text: 'hm' },
      { type: 'answer', text: 'By ' },
      { type: 'delta', text: 'the ' },
      { type: 'text', text: 'sun.' },
      { type: 'done', answer: 'By the sun.' },
      null,
    ]),
  ).toBe('By the sun.')
})

test('summarizes vectors, but not short lists of numbers', () => {
  const vector = Array.from({ length: 16 }, () => 0.25)
  expect(shapeOf(vector)).toEqual({ kind: 'vector', length: 16, norm: 1 })
  expect(vectorStart([0.000123456, -2], 2)).toEqual(['0.000123', '-2'])
  expect(shapeOf([1, 2, 3]).kind).toBe('list')
  expect(shapeOf({ a: 1 })).toEqual({ kind: 'object', entries: [['a', 1]] })
  expect(shapeOf(null)).toEqual({ kind: 'plain', text: 'null' })
})

test('shows the beginning of a long text without splitting a character', () => {
  expect(beginningOf('short')).toBeNull()
  expect(beginningOf('\n'.repeat(40))?.length).toBeLessThan(20)
  const beginning = beginningOf(`x${'😀'.repeat(2000)}`)
  expect(beginning).not.toBeNull()
  expect(beginning?.isWellFormed()).toBe(true)
})
