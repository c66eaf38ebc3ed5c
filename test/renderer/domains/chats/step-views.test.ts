import { expect, test } from 'vitest'
import type { AnswerStep } from '../../../../src/shared/chats/answer-step.ts'
import { randomFrom } from '../../../fixtures/random.ts'
import { cellsOf } from '../../../../src/renderer/src/domains/documents/cited-sources/sheet-row.ts'
import {
  saveLink,
  linkedTo,
} from '../../../../src/renderer/src/domains/documents/cited-sources/linked.ts'
import {
  savePreference,
  readHabits,
} from '../../../../src/renderer/src/domains/chats/timeline/timeline-preferences.ts'
import {
  isRunning,
  isShownDuration,
  stepDurationMs,
  workedMs,
} from '../../../../src/renderer/src/domains/chats/timeline/step-times.ts'
import {
  argumentsOf,
  viewOf,
} from '../../../../src/renderer/src/domains/chats/timeline/step-views.ts'
import { lastLineOf } from '../../../../src/renderer/src/kit/text-parts.ts'
import { firstWords } from '../../../../src/renderer/src/kit/text-parts.ts'

type Call = Extract<AnswerStep, { kind: 'call' }>
const call = (tool: string, given: unknown, value: unknown, more: Partial<Call> = {}): Call => ({
  kind: 'call',
  callId: 'c',
  tool,
  arguments: given,
  result: { value, status: 'success' },
  textAt: 0,
  startedAt: 100,
  endedAt: 300,
  durationMs: null,
  ...more,
})
const tool = (type: string, more: object): AnswerStep => ({
  kind: 'tool',
  call: { type, ...more } as Extract<AnswerStep, { kind: 'tool' }>['call'],
  textAt: 0,
  startedAt: 100,
  endedAt: null,
})

test.each([
  [{ queries: ['a', 'b'] }, ['a', 'b']],
  [{ rewritten_query: 'a' }, ['a']],
  ['a', ['a']],
  [
    ['a', '', 3, 'b'],
    ['a', 'b'],
  ],
  ['{"query":"a"}', ['a']],
])('shows a query rewrite that returned %j', (value, after) => {
  expect(viewOf(call('query_rewrite', { question: 'q' }, value), false)).toMatchObject({
    kind: 'rewrite',
    before: 'q',
    after,
  })
})

test('shows a call as a search if it found something or is declared as one, otherwise as received', () => {
  expect(viewOf(call('x', '{"query":"q"}', []), true)).toMatchObject({
    kind: 'retrieval',
    query: 'q',
  })
  expect(viewOf(call('knowledge_retrieval', {}, []), false).kind).toBe('retrieval')
  expect(viewOf(call('query_rewrite', {}, { strange: 1 }), false).kind).toBe('call')
  const failed = { result: { value: { message: 'no' }, status: 'error' } }
  expect(viewOf(call('knowledge_retrieval', {}, null, failed), false)).toEqual({
    kind: 'call',
    raw: { message: 'no' },
  })
})

test('parses arguments that are JSON, and treats none as none', () => {
  expect(argumentsOf(call('x', '{"a":1}', null))).toEqual({ a: 1 })
  expect(argumentsOf(call('x', {}, null))).toBeNull()
  expect(argumentsOf(call('x', null, null))).toBeNull()
  expect(argumentsOf(tool('function', { arguments: '{"a":' }))).toBe('{"a":')
  expect(argumentsOf(tool('web_browser', { input: 'q' }))).toBeNull()
})

test('shows only stored images, never their URL', () => {
  const outputs = [
    { image: 'https://a.example/1.png', mediaId: 'm1' },
    { image: 'https://a.example/2.png', mediaId: null, trouble: 'LIMIT_EXCEEDED' },
  ]
  expect(viewOf(tool('drawing_tool', { input: 'w', outputs }), false)).toMatchObject({
    pictures: [
      { mediaId: 'm1', address: 'https://a.example/1.png' },
      { mediaId: '', address: 'https://a.example/2.png', lost: true },
    ],
  })
})

test('shows any tool output without throwing', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomFrom(seed)
    const value = (depth: number): unknown => {
      const kind = random()
      if (depth > 3 || kind < 0.4)
        return [null, undefined, 0, '', 'x', '{"a"', '[1]', true, NaN][Math.floor(random() * 9)]
      if (kind < 0.7) return [value(depth + 1), value(depth + 1)]
      return { outputs: value(depth + 1), content: value(depth + 1), queries: value(depth + 1) }
    }
    const types = [
      'web_browser',
      'code_interpreter',
      'drawing_tool',
      'retrieval',
      'function',
      'unknown',
    ]
    for (const type of types)
      expect(viewOf(tool(type, { input: value(0), outputs: value(0) }), false)).toHaveProperty(
        'kind',
      )
    for (const name of ['query_rewrite', 'search', 'x'])
      expect(viewOf(call(name, value(0), value(0)), random() < 0.5)).toHaveProperty('kind')
  }
})

test('uses the reported duration, otherwise the events, and counts parallel steps once', () => {
  expect(stepDurationMs(call('x', {}, 1, { durationMs: 42 }), 999)).toBe(42)
  expect(stepDurationMs(call('x', {}, 1), 999)).toBe(200)
  expect(stepDurationMs(call('x', {}, 1, { endedAt: null, result: null }), 999)).toBe(899)
  // A result whose call was never received.
  expect(stepDurationMs(call('x', null, 1, { startedAt: 300 }), 999)).toBeNull()
  expect(isRunning(tool('function', {}))).toBe(true)
  const steps = [
    call('a', {}, 1, { startedAt: 0, endedAt: 100 }),
    call('b', {}, 1, { startedAt: 50, endedAt: 150 }),
    call('c', {}, 1, { startedAt: 400, endedAt: null }),
  ]
  expect(workedMs(steps, 500)).toBe(250)
})

test('shows no duration below a second', () => {
  expect([null, 0, 15, 999, 1000].map(isShownDuration)).toEqual([false, false, false, false, true])
})

test('shows the last or first words of any text on one line', () => {
  expect(lastLineOf('One.\n\nTwo  three.\n')).toBe('Two three.')
  expect(lastLineOf('x'.repeat(5000))).toHaveLength(161)
  expect(firstWords('a\nb')).toBe('a b')
  expect(lastLineOf('')).toBe('')
})

test('shows the cells of a row: named, separated, or alone', () => {
  expect(cellsOf('Name: Ada\nNote: a: b')).toEqual([
    { column: 'Name', value: 'Ada' },
    { column: 'Note', value: 'a: b' },
  ])
  expect(cellsOf('Ada\t1862')).toEqual([
    { column: '', value: 'Ada' },
    { column: '', value: '1862' },
  ])
  expect(cellsOf('年份：1862')).toEqual([{ column: '年份', value: '1862' }])
})

const storage = (value: string | null = null) => {
  let stored = value
  return {
    getItem: () => stored,
    setItem: (_: string, next: string) => {
      stored = next
    },
  }
}
const full = {
  getItem: () => null,
  setItem: () => {
    throw new Error('full')
  },
}

test('saves preferences and links, and resets broken ones', () => {
  const habits = storage()
  savePreference(habits, { thinking: true })
  savePreference(habits, { steps: true })
  expect(readHabits(habits)).toEqual({ steps: true, thinking: true })
  const links = storage()
  saveLink(links, 'd1', 'i1')
  saveLink(links, 'd2', 'i2')
  saveLink(links, 'd1', 'i3')
  expect([linkedTo(links, 'd1'), linkedTo(links, 'd2')]).toEqual(['i3', 'i2'])
  saveLink(links, 'd1', null)
  expect(linkedTo(links, 'd1')).toBeNull()
  for (const broken of ['{', 'null', '7', '[[1,2],["d1"]]']) {
    expect(readHabits(storage(broken))).toEqual({ steps: false, thinking: false })
    expect(linkedTo(storage(broken), 'd1')).toBeNull()
  }
  savePreference(full, { steps: true })
  saveLink(full, 'd1', 'i1')
})
