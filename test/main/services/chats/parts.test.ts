import { expect, test } from 'vitest'
import type { AnswerEvent, AssistantTool } from '../../../../src/shared/chat/answer.ts'
import { emptyAnswer, foldAnswer } from '../../../../src/shared/chat/answer.ts'
import { AppError } from '../../../../src/main/errors.ts'
import { endOf } from '../../../../src/main/services/chats/end.ts'
import { joinEvents } from '../../../../src/main/services/chats/join-events.ts'
import { turnsToResend } from '../../../../src/main/services/chats/resend-history.ts'
import { createToolList } from '../../../../src/main/services/chats/tool-list.ts'
import { purposeOf } from '../../../../src/main/services/chats/uploads.ts'
import type { Turn } from '../../../../src/main/store/chats-types.ts'
import { randomFrom } from '../../../fixtures/random.ts'

const text = (words: string): AnswerEvent => ({ t: 'text', text: words, at: 1 })
const tools = (...inputs: readonly string[]): AnswerEvent => ({
  t: 'tools',
  calls: inputs.map((input) => ({ type: 'web_browser', input, outputs: [] })),
  at: 1,
})

test('joins consecutive text of a batch to one event, and keeps the last list of calls', () => {
  expect(
    joinEvents([text('a'), text('b'), tools('x'), text('c'), tools('x', 'y'), text('d')]),
  ).toEqual([text('abc'), tools('x', 'y'), text('d')])
  expect(joinEvents([])).toEqual([])
})

test('joined events produce the same text and reasoning, whatever they are', () => {
  const random = randomFrom(6)
  for (let round = 0; round < 200; round++) {
    const events = Array.from({ length: 12 }, (_, n): AnswerEvent => {
      const kind = (['text', 'text', 'reasoning', 'thought', 'call'] as const)[
        Math.floor(random() * 5)
      ]
      const at = n
      if (kind === 'call' || kind === undefined)
        return { t: 'call', callId: `${n}`, tool: 't', arguments: n, at }
      return { t: kind, text: `${n} `, at }
    })
    const plain = events.reduce(foldAnswer, emptyAnswer)
    const joined = joinEvents(events).reduce(foldAnswer, emptyAnswer)
    expect(joined.text).toBe(plain.text)
    const stepsOf = ({ steps }: typeof plain) =>
      steps.map((step) => [step.kind, 'text' in step ? step.text : null, step.startedAt])
    expect(stepsOf(joined)).toEqual(stepsOf(plain))
  }
})

test('reports a growing list of calls in intervals, each time in its current state', async () => {
  let now = 0
  const reported: (readonly AssistantTool[])[] = []
  const list = createToolList(
    (calls) => void reported.push(calls),
    () => now,
    new AbortController().signal,
  )
  const toolCalls = (input: string) => ({
    type: 'tool_calls' as const,
    calls: [{ type: 'code_interpreter' as const, input, outputs: [] }],
    ids: ['c1'],
  })
  list.add(toolCalls('1'))
  for (let n = 0; n < 50; n++) list.add(toolCalls('+1'))
  expect(reported).toHaveLength(1)
  now = 1000
  list.add(toolCalls('+2'))
  list.flush()
  list.flush()
  expect(reported).toHaveLength(2)
  expect(reported.map(([call]) => String(call?.['input']).length)).toEqual([1, 103])
})

test('repeats earlier turns without citation marks, the newest that fit', () => {
  const turns: Turn[] = [
    { role: 'user', text: 'old '.repeat(100) },
    { role: 'user', text: 'What?' },
    {
      role: 'assistant',
      text: 'This<reference data-ref="1"></reference>, that<reference data-ref="2"/>.',
    },
    { role: 'assistant', text: '' },
  ]
  const store = { turnsBefore: () => turns }
  expect(turnsToResend(store, 'm', 40)).toEqual([
    { role: 'user', text: 'What?' },
    { role: 'assistant', text: 'This, that.' },
  ])
  expect(turnsToResend(store, 'm', 4000)).toHaveLength(3)
})

test('sends the end of a last turn that is too long, without counting all of it', () => {
  const store = {
    turnsBefore: (): Turn[] => [{ role: 'assistant', text: `${'字'.repeat(1e6)}the end` }],
  }
  const [turn, ...others] = turnsToResend(store, 'm', 40)
  expect(others).toEqual([])
  expect(turn?.text).toBe(`…${'字'.repeat(13)}the end`)
})

test('saves an answer without keys, and with the session that may contain it', async () => {
  const keys = {
    maskKnown: (words: string): string => words.replaceAll('secret', '***'),
    openEnd: () => 0,
  }
  const soFar = [
    { t: 'session', id: 's2', at: 1 },
    { t: 'thought', text: 'the sec', at: 1 },
    { t: 'thought', text: 'ret is', at: 2 },
    text('A sec'),
    text('ret'),
  ].reduce((sum, event) => foldAnswer(sum, event as AnswerEvent), emptyAnswer)
  const broken = await endOf(
    soFar,
    { ok: false, thrown: new AppError('STREAM_CUT', 'cut', { retriable: true }), by: 'nobody' },
    's1',
    9,
    keys,
  )
  expect(broken).toMatchObject({
    state: 'broken',
    text: 'A ***',
    sessionId: 's2',
    error: { code: 'STREAM_CUT' },
  })
  expect(broken.steps).toMatchObject([{ kind: 'thought', text: 'the *** is', endedAt: 1 }])
  const nothing = (code: 'OFFLINE' | 'TIMEOUT') =>
    endOf(emptyAnswer, { ok: false, thrown: new AppError(code, 'no'), by: 'nobody' }, 's1', 9, keys)
  // A request that was never received leaves the session as it was; one that may have been received does not.
  expect(await nothing('OFFLINE')).toMatchObject({ state: 'failed', sessionId: null })
  expect(await nothing('TIMEOUT')).toMatchObject({ state: 'failed', sessionId: 's1' })
  expect(
    await endOf(emptyAnswer, { ok: false, thrown: null, by: 'reader' }, null, 9, keys),
  ).toMatchObject({
    state: 'stopped',
    error: null,
  })
})

test('uploads a file with the documented purpose if that purpose accepts it', () => {
  expect(purposeOf({ name: 'a.PDF', bytes: 10 })).toBe('agent')
  expect(purposeOf({ name: 'a.png', bytes: 6 * 1024 * 1024 })).toBe('assistant')
  expect(purposeOf({ name: 'a.md', bytes: 10 })).toBe('assistant')
})
