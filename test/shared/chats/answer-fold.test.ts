import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  answerFold,
  emptyAnswer,
  foldAnswer,
  type AnswerEvent,
} from '../../../src/shared/chats/answer.ts'
import { growsWithItsInput } from '../../fixtures/growth.ts'

const id = fc.constantFrom('', 'a', 'b')
const tool = fc.constantFrom('search', 'read')
const value = fc.constantFrom(null, 'x', { q: 1 })
const when = fc.constant(5)
const word = fc.constantFrom('a', '中 ', '')
const event: fc.Arbitrary<AnswerEvent> = fc.oneof(
  fc.record({ t: fc.constantFrom('text', 'reasoning', 'thought', 'whole'), text: word, at: when }),
  fc.record({ t: fc.constant('call'), callId: id, tool, arguments: value, at: when }),
  fc.record({
    t: fc.constant('result'),
    callId: id,
    tool,
    result: value,
    status: fc.constant('ok'),
    durationMs: fc.constant(null),
    at: when,
  }),
  fc.record({
    t: fc.constant('tools'),
    calls: fc.array(
      fc.record({ type: fc.constant('function'), outputs: fc.array(fc.constant('o')) }),
      { maxLength: 3 },
    ),
    at: when,
  }),
  fc.record({ t: fc.constant('session'), id: fc.constantFrom('s', 'u'), at: when }),
  fc.record({ t: fc.constant('unknown'), name: word, data: value, at: when }),
)

test('folds many events like single ones, and does not change its input', () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 40 }),
      fc.infiniteStream(fc.boolean()),
      (events, inspections) => {
        const fold = answerFold()
        let one = emptyAnswer
        const given: [unknown, string][] = []
        for (const next of events) {
          fold.take(next)
          one = foldAnswer(one, next)
          if (inspections.next().value === true)
            given.push([fold.answer, JSON.stringify(fold.answer)])
        }
        expect(fold.answer).toEqual(one)
        for (const [answer, before] of given) expect(JSON.stringify(answer)).toBe(before)
      },
    ),
    { seed: 6, numRuns: 500 },
  )
})

const many = (count: number, one: (at: number) => AnswerEvent): readonly AnswerEvent[] =>
  Array.from({ length: count }, (_, at) => one(at))
const call = (callId: string): AnswerEvent => ({
  t: 'call',
  callId,
  tool: 't',
  arguments: null,
  at: 1,
})
const result = (callId: string, of: unknown): AnswerEvent => ({
  t: 'result',
  callId,
  tool: 't',
  result: of,
  status: 'ok',
  durationMs: null,
  at: 2,
})

test.each([
  {
    name: 'alternating thoughts and calls',
    of: (n: number) => many(n, (at) => (at % 2 ? call(`${at}`) : { t: 'thought', text: 'x', at })),
  },
  {
    name: 'calls followed by their results',
    of: (n: number) => [...many(n, (at) => call(`${at}`)), ...many(n, (at) => result(`${at}`, at))],
  },
  {
    name: 'calls and results without IDs',
    of: (n: number) => [...many(n, () => call('')), ...many(n, (at) => result('', at))],
  },
  { name: 'results with one ID', of: (n: number) => many(n, (at) => result('a', at)) },
  { name: 'results without calls', of: (n: number) => many(n, (at) => result(`${at}`, at)) },
  {
    name: 'text, unknown events and sessions',
    of: (n: number) =>
      many(n, (at) =>
        at % 3 ? { t: 'text', text: 'word ', at } : { t: 'unknown', name: 'x', data: 1, at },
      ),
  },
])('takes linear time for $name', ({ of }) => {
  const batches = (events: readonly AnswerEvent[]): void => {
    const fold = answerFold()
    for (const [at, one] of events.entries()) {
      fold.take(one)
      if (at % 500 === 0) expect(fold.answer.steps.length).toBeGreaterThanOrEqual(0)
    }
  }
  const sizes = { 1: of(4000), 8: of(32_000) }
  expect(growsWithItsInput((times) => batches(sizes[times]))).toBe(true)
})
