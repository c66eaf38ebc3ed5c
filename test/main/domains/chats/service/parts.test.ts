import { expect, test } from 'vitest'
import type { AnswerEvent } from '../../../../../src/shared/chats/answer.ts'
import { emptyAnswer, foldAnswer } from '../../../../../src/shared/chats/answer.ts'
import { AppError } from '../../../../../src/main/errors.ts'
import { endOf } from '../../../../../src/main/domains/chats/service/end.ts'
import { turnsToResend } from '../../../../../src/main/domains/chats/service/resend-history.ts'
import {
  joinEvents,
  createMaskedText,
} from '../../../../../src/main/domains/chats/service/answer-events.ts'
import { createRedactor } from '../../../../../src/main/platform/security/redact.ts'
import { purposeOf } from '../../../../../src/main/domains/chats/service/uploads.ts'
import type { Turn } from '../../../../../src/main/domains/chats/store/chats-types.ts'
import { randomFrom } from '../../../../fixtures/random.ts'

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

test('joins the fragments of a call to one event of a batch, and its lists of outputs to one list', () => {
  const toolEvent = (place: number, input: string, ...logs: readonly string[]): AnswerEvent => ({
    t: 'tool',
    place,
    call: { type: 'code_interpreter', input, outputs: logs.map((each) => ({ logs: each })) },
    at: 1,
  })
  const whole = { ...toolEvent(0, 'x'), whole: true } as AnswerEvent
  expect(
    joinEvents([
      toolEvent(0, 'a'),
      toolEvent(0, 'b', '1'),
      toolEvent(0, '', '2'),
      toolEvent(1, 'c'),
      whole,
    ]),
  ).toEqual([toolEvent(0, 'ab', '1', '2'), toolEvent(1, 'c'), whole])
})

test('appends the fragments of an assistant’s call, and replaces it by a complete one', () => {
  const events: readonly AnswerEvent[] = [
    { t: 'tool', place: 0, call: { type: 'function', name: 'f', arguments: '{"a"' }, at: 1 },
    { t: 'tool', place: 0, call: { type: 'function', name: '', arguments: ':1}' }, at: 2 },
    { t: 'tool', place: 1, call: { type: 'drawing_tool', outputs: [{ image: 'u' }] }, at: 3 },
    {
      t: 'tool',
      place: 1,
      call: { type: 'drawing_tool', outputs: [{ image: 'u', mediaId: 'm' }] },
      whole: true,
      at: 4,
    },
  ]
  expect(events.reduce(foldAnswer, emptyAnswer).steps).toMatchObject([
    { call: { name: 'f', arguments: '{"a":1}' }, startedAt: 1, endedAt: null },
    { call: { outputs: [{ image: 'u', mediaId: 'm' }] }, startedAt: 3, endedAt: 3 },
  ])
})

test('masks a key that spans several fragments of a call', () => {
  const secret = 'secret-0123456789'
  const redactor = createRedactor()
  redactor.register(secret)
  const reported: AnswerEvent[] = []
  const words = createMaskedText(redactor, (event) => void reported.push(event))
  for (const fragment of Array.from(`{"key": "${secret}", "half": "${secret.slice(0, 14)}`))
    words.add({ t: 'tool', place: 0, call: { type: 'function', arguments: fragment }, at: 1 })
  words.end()
  const [step] = reported.reduce(foldAnswer, emptyAnswer).steps
  expect(step).toMatchObject({ call: { arguments: '{"key": "[redacted]", "half": "[redacted]' } })
  expect(JSON.stringify(reported)).not.toContain('secret-')
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
    savePart: () => Promise.reject(new Error('The answer has no parts')),
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
