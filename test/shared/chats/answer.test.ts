import { expect, test } from 'vitest'
import { closeAnswer, emptyAnswer, foldAnswer } from '../../../src/shared/chats/answer.ts'
import type { AnswerEvent, AnswerSoFar } from '../../../src/shared/chats/answer.ts'
import { randomFrom } from '../../fixtures/random.ts'

const fold = (...events: readonly AnswerEvent[]): AnswerSoFar =>
  events.reduce(foldAnswer, emptyAnswer)
const call = (
  callId: string,
  tool: string,
  at: number,
  given: unknown = { q: 1 },
): AnswerEvent => ({
  t: 'call',
  callId,
  tool,
  arguments: given,
  at,
})
const result = (callId: string, tool: string, at: number, value: unknown = 'r'): AnswerEvent => ({
  t: 'result',
  callId,
  tool,
  result: value,
  status: 'success',
  durationMs: null,
  at,
})

test('joins fragments of one kind, and ends thinking with text or another step', () => {
  const answer = fold(
    { t: 'reasoning', text: 'a', at: 1 },
    { t: 'reasoning', text: 'b', at: 2 },
    { t: 'thought', text: 'c', at: 3 },
    { t: 'text', text: 'Hi', at: 4 },
    { t: 'text', text: ' there', at: 5 },
    { t: 'thought', text: 'd', at: 6 },
    call('1', 'search', 7),
  )
  expect(answer.text).toBe('Hi there')
  expect(answer.steps).toEqual([
    { kind: 'reasoning', text: 'ab', textAt: 0, startedAt: 1, endedAt: 3 },
    { kind: 'thought', text: 'c', textAt: 0, startedAt: 3, endedAt: 4 },
    { kind: 'thought', text: 'd', textAt: 8, startedAt: 6, endedAt: 7 },
    expect.objectContaining({ kind: 'call', callId: '1', textAt: 8, endedAt: null }),
  ])
})

test('matches results to calls by ID in any order', () => {
  const answer = fold(
    call('a', 'search', 1),
    call('b', 'search', 2),
    call('c', 'rewrite', 3),
    result('b', 'search', 4, 'of b'),
    result('c', 'rewrite', 5, 'of c'),
    result('a', 'search', 6, 'of a'),
  )
  expect(answer.steps.map((step) => (step.kind === 'call' ? step.result?.value : null))).toEqual([
    'of a',
    'of b',
    'of c',
  ])
  expect(answer.steps.map((step) => (step.kind === 'call' ? step.endedAt : null))).toEqual([
    6, 4, 5,
  ])
})

test('assigns results without ID to the oldest open call of the tool, and keeps unmatched ones', () => {
  const answer = fold(
    call('', 'search', 1),
    call('', 'search', 2),
    result('', 'search', 3, 'first'),
    result('x', 'draw', 4, 'stranger'),
    result('', 'search', 5, 'second'),
  )
  expect(answer.steps).toMatchObject([
    { tool: 'search', result: { value: 'first' }, startedAt: 1, endedAt: 3 },
    { tool: 'search', result: { value: 'second' }, startedAt: 2, endedAt: 5 },
    { tool: 'draw', result: { value: 'stranger' }, arguments: null, startedAt: 4 },
  ])
})

test('pairs reused IDs in order and loses nothing', () => {
  const answer = fold(
    call('0', 'search', 1, 'one'),
    result('0', 'search', 2, 'r1'),
    call('0', 'search', 3, 'two'),
    call('0', 'search', 4, 'three'),
    result('0', 'search', 5, 'r2'),
    result('0', 'search', 6, 'r3'),
  )
  expect(
    answer.steps.map((step) => (step.kind === 'call' ? [step.arguments, step.result?.value] : [])),
  ).toEqual([
    ['one', 'r1'],
    ['two', 'r2'],
    ['three', 'r3'],
  ])
})

test('merges duplicates, and adds arguments to a call reported after its result', () => {
  const answer = fold(
    result('a', 'search', 1, [1]),
    call('a', 'search', 2, { q: 'late' }),
    result('a', 'search', 3, [1]),
    call('b', 'search', 4, { q: 'b' }),
    call('b', 'search', 5, { q: 'b' }),
  )
  expect(answer.steps).toMatchObject([
    { callId: 'a', arguments: { q: 'late' }, result: { value: [1] }, startedAt: 1, endedAt: 1 },
    { callId: 'b', arguments: { q: 'b' }, result: null },
  ])
})

test('replaces an assistant’s calls with later ones, and ends them with their outputs', () => {
  const browser = (outputs: readonly unknown[]) =>
    ({ type: 'web_browser', input: 'q', outputs }) as const
  const open = fold(
    { t: 'reasoning', text: 'hm', at: 1 },
    { t: 'tools', calls: [browser([])], at: 2 },
  )
  expect(open.steps).toMatchObject([{ endedAt: 2 }, { kind: 'tool', startedAt: 2, endedAt: null }])
  const more = [
    { t: 'tools', calls: [browser([{ title: 'x' }]), { type: 'function' }], at: 3 },
    { t: 'text', text: 'So', at: 4 },
  ] as const
  expect(more.reduce(foldAnswer, open).steps).toMatchObject([
    {},
    { call: { outputs: [{ title: 'x' }] }, startedAt: 2, endedAt: 3 },
    // It remained silent: the following text ends it.
    { call: { type: 'function' }, startedAt: 3, endedAt: 4 },
  ])
})

test('replaces the text with a correction, and keeps session and unknown events', () => {
  const answer = fold(
    { t: 'session', id: 's', at: 1 },
    { t: 'text', text: 'Hel', at: 2 },
    { t: 'unknown', name: 'plan', data: { a: 1 }, at: 3 },
    { t: 'whole', text: 'Hello', at: 4 },
  )
  expect(answer).toEqual({
    text: 'Hello',
    sessionId: 's',
    steps: [{ kind: 'unknown', name: 'plan', data: { a: 1 }, textAt: 3, startedAt: 3 }],
  })
})

test('closes everything at the end, and keeps the time of ended steps', () => {
  const answer = closeAnswer(
    fold(
      { t: 'thought', text: 'a', at: 1 },
      call('1', 's', 2),
      call('2', 's', 3),
      result('2', 's', 4),
    ),
    9,
  )
  expect(answer.steps).toMatchObject([{ endedAt: 2 }, { endedAt: 9, result: null }, { endedAt: 4 }])
})

test('loses no text or result for any events, and is deterministic', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomFrom(seed)
    const pick = <T>(from: readonly [T, ...T[]]): T =>
      from[Math.floor(random() * from.length)] ?? from[0]
    const events = Array.from({ length: 60 }, (_, at): AnswerEvent => {
      const id = pick(['', 'a', 'b', 'c'])
      const tool = pick(['search', 'rewrite', ''])
      const kind = pick(['text', 'reasoning', 'thought', 'call', 'result', 'unknown'] as const)
      if (kind === 'call') return call(id, tool, at, { at })
      if (kind === 'result') return result(id, tool, at, { at })
      if (kind === 'unknown') return { t: 'unknown', name: 'x', data: at, at }
      return { t: kind, text: `${at};`, at }
    })
    const answer = fold(...events)
    const eventsOf = (kind: AnswerEvent['t']): readonly AnswerEvent[] =>
      events.filter(({ t }) => t === kind)
    const words = (t: 'text' | 'reasoning' | 'thought'): string =>
      events.map((event) => (event.t === t ? event.text : '')).join('')
    expect(answer.text).toBe(words('text'))
    for (const kind of ['reasoning', 'thought'] as const)
      expect(answer.steps.map((step) => (step.kind === kind ? step.text : '')).join('')).toBe(
        words(kind),
      )
    const calls = answer.steps.filter((step) => step.kind === 'call')
    const given = calls.filter((step) => step.arguments !== null)
    expect(given.length).toBe(eventsOf('call').length)
    expect(calls.filter((step) => step.result !== null).length).toBe(eventsOf('result').length)
    expect(answer.steps.filter(({ kind }) => kind === 'unknown').length).toBe(
      eventsOf('unknown').length,
    )
    expect(fold(...events)).toEqual(answer)
    for (const step of closeAnswer(answer, 99).steps)
      if (step.kind !== 'unknown') expect(step.endedAt).not.toBeNull()
  }
})
