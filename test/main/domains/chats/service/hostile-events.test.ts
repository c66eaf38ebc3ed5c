import { expect, test } from 'vitest'
import { readChatJson } from '../../../../../src/main/domains/chats/exports/read-json.ts'
import { remade } from '../../../../../src/main/domains/chats/exports/reassign-chat-ids.ts'
import {
  argumentsOf,
  viewOf,
} from '../../../../../src/renderer/src/domains/chats/timeline/step-views.ts'
import { maxSteps } from '../../../../../src/shared/chats/answer.ts'
import { type AnswerStep } from '../../../../../src/shared/chats/answer-step.ts'
import { sourcesOf } from '../../../../../src/shared/chats/sources.ts'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import { messageOf, written } from '../exports/made.ts'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../../app/chat-setup.ts'
import { chatSetup } from './chat-setup.ts'

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
/** A JSON text that contains a JSON text, and so on. */
const inEachOther = (levels: number): string =>
  Array.from({ length: levels }).reduce<string>((text) => JSON.stringify({ a: text }), '1')
const raw = (json: string): string => `data: ${json}\n\n`
const words = agentAnswer(['Words before. ', 'Words after.'])
const around = (event: string): string => sse(words.slice(0, 2)) + raw(event) + sse(words.slice(2))

/** Agent events that contain a value chosen by the provider. */
const carrying: readonly (readonly [string, (value: string) => string])[] = [
  ['an unknown event', (value) => `{"type":"telemetry","data":${value}}`],
  [
    'the arguments of a call',
    (value) =>
      `{"type":"tool_call","data":{"callId":"1","toolName":"search","arguments":${value}}}`,
  ],
  [
    'the result of a call',
    (value) =>
      `{"type":"tool_result","data":{"callId":"1","toolName":"search","result":${value},"status":"success"}}`,
  ],
  ['an answer that is not text', (value) => `{"type":"answer","data":${value}}`],
]
const values: readonly (readonly [string, string])[] = [
  ['lists nested 480 levels deep', deep(480)],
  ['objects nested 480 levels deep', objects(480)],
  ['a JSON text of lists nested 100,000 levels deep', JSON.stringify(deep(100_000))],
  ['a JSON text of objects nested 100,000 levels deep', JSON.stringify(objects(100_000))],
  [
    'hundreds of thousands of deeply nested values',
    `${'['.repeat(400)}${'0,'.repeat(450_000)}0${']'.repeat(400)}`,
  ],
  ['nested JSON texts', JSON.stringify(inEachOther(16))],
  ['a text of 4 MB', JSON.stringify('x'.repeat(4_000_000))],
  ['a list of 300,000 items', `[${'0,'.repeat(300_000)}0]`],
  [
    'names of prototype properties',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}',
  ],
  ['lone surrogates', '"\\ud800 and \\u0000"'],
]

/**
 * Expects that every place can display or write the answer: its steps, its sources, and each export, which can be imported again.
 */
async function expectShown(answer: ChatMessage): Promise<void> {
  const sources = sourcesOf(answer)
  for (const step of answer.steps) {
    viewOf(step, sources.length > 0)
    argumentsOf(step)
  }
  const question = messageOf({ id: answer.parentId ?? '' })
  const talk = [question, { ...answer, siblings: [answer.id] }]
  for (const format of ['md', 'html'] as const)
    expect((await written(format, talk)).length).toBeLessThan(40_000_000)
  const json = await written('json', talk, { head: { leafId: answer.id } })
  expect(remade(readChatJson(json), 'new').messages).toHaveLength(2)
}

test.each(
  carrying.flatMap(([name, make]) => values.map((value) => [name, make, ...value] as const)),
)('%s, %o, %s: preserves the text and ends the answer', async (_, make, __, value) => {
  const { server, begin, ask, over, store } = await chatSetup()
  server.queue({ body: around(make(value)) })
  const id = begin(agent)
  const turn = await ask(id, 'What?')
  const answer = await over(turn.answer?.id ?? '')
  expect(answer).toMatchObject({ state: 'done', error: null })
  expect(answer.text).toContain('Words before. ')
  expect(answer.text).toContain('Words after.')
  expect(store.chats.window(id, null, 10).messages).toHaveLength(2)
  await expectShown(answer)
  expect(Object.prototype).not.toHaveProperty('polluted')
})

test('preserves a long answer and its reasoning exactly', async () => {
  const { server, begin, ask, over, store } = await chatSetup()
  // Surrogate pairs at every possible cut position.
  const long = `x${'😀汉'.repeat(220_000)}`
  const thought = { type: 'reasoning', sessionId: 's1', data: long }
  server.queue({ body: sse([thought, ...agentAnswer([long])]) })
  const turn = await ask(begin(agent), 'What?')
  const answer = await over(turn.answer?.id ?? '')
  const parts = [...store.chats.parts(answer.id)]
  const joined = (kind: 'text' | 'steps') =>
    parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('')
  for (const each of [answer, store.chats.message(answer.id)]) {
    expect(each?.shortened).toEqual({ text: long.length, steps: true })
    expect((each?.text ?? '') + joined('text') === long).toBe(true)
    const [shown] = each?.steps ?? []
    expect(shown?.kind === 'reasoning' && long.startsWith(shown.text)).toBe(true)
  }
  const [step] = JSON.parse(joined('steps')) as AnswerStep[]
  expect(step?.kind === 'reasoning' && step.text === long).toBe(true)
})

/** Assistant tool calls that contain a value chosen by the provider. */
const calling: readonly (readonly [string, (value: string) => string])[] = [
  ['an unknown call', (value) => `{"type":"telescope","telescope":${value}}`],
  [
    'a function',
    (value) =>
      `{"type":"function","function":{"name":"f","arguments":${value},"outputs":[{"content":${value}}]}}`,
  ],
  [
    'a search',
    (value) =>
      `{"type":"web_browser","web_browser":{"input":"q","outputs":[{"title":${value},"link":${value}}]}}`,
  ],
]

test.each(
  calling.flatMap(([name, make]) => values.map((value) => [name, make, ...value] as const)),
)('assistant call, %s, %o, with %s: ends the answer with its text', async (_, make, __, value) => {
  const { server, begin, ask, over } = await chatSetup()
  server.queue({
    body:
      raw(
        `{"conversation_id":"c1","choices":[{"index":0,"delta":{"role":"tool","tool_calls":[${make(value)}]}}]}`,
      ) + assistantAnswer(['Words.']),
  })
  const turn = await ask(begin(assistant), 'What?')
  const answer = await over(turn.answer?.id ?? '')
  expect(answer).toMatchObject({ state: 'done', text: 'Words.' })
  await expectShown(answer)
  expect(Object.prototype).not.toHaveProperty('polluted')
})

test('stores endless names, negative times and too many events in a form that can be imported', async () => {
  const { server, begin, ask, over } = await chatSetup()
  const long = 'n'.repeat(50_000)
  const result = { callId: '1', toolName: long, result: 'r', status: long, durationMs: -1e300 }
  const many = Array.from({ length: 30_000 }, (_, at) => ({
    type: at % 2 ? 'beat' : 'tick',
    data: at,
  }))
  server.queue({
    body:
      sse([
        ...words.slice(0, 2),
        { type: 'tool_result', data: result },
        ...many,
        { type: 'answer', data: 'More words.' },
      ]) +
      sse([
        {
          type: 'done',
          messageId: long,
          engine: long,
          notice: long,
          request_id: long,
          data: 'Words, all of them.',
        },
      ]),
  })
  const turn = await ask(begin(agent), 'What?')
  const answer = await over(turn.answer?.id ?? '')
  expect(answer).toMatchObject({ state: 'done', text: 'Words, all of them.' })
  expect(answer.steps[0]).toMatchObject({ kind: 'call', durationMs: null })
  expect(answer.steps).toHaveLength(maxSteps)
  await expectShown(answer)
})

test.each([deep(100_000), objects(100_000)])(
  'ends the stream with one clear failure and the received text for an unwritable value',
  async (value) => {
    const { server, begin, ask, over } = await chatSetup()
    server.queue({ body: around(`{"type":"telemetry","data":${value}}`) })
    const turn = await ask(begin(agent), 'What?')
    expect(await over(turn.answer?.id ?? '')).toMatchObject({
      state: 'broken',
      text: 'Words before. ',
      error: { code: 'MALFORMED_REPLY' },
    })
  },
)
