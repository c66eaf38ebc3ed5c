import { tableHtml } from '../../src/local-service/engines/pages/layout/ruled-table.ts'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { engineNotices } from '../../src/shared/provider/engine-notices.ts'
import { transcriptLine } from '../../src/shared/audio/transcript-text.ts'
import { predefinedAssistants } from '../../src/shared/provider/assistants.ts'
import { documentQuestion } from '../../src/shared/provider/document-question.ts'
import { quoteAnswer } from '../../src/local-service/assistants/quote.ts'
import { outcomeOf, post, uploaded } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { dataOf } from './fixtures/streams.ts'
import { eventually } from '../fixtures/eventually.ts'

vi.setConfig({ testTimeout: 120_000 })

let service: TestService
let stuck: (() => void) | undefined
beforeAll(async () => {
  service = await startTestService({
    library: async (query) => {
      if (query === 'never') await new Promise<void>((resolve) => (stuck = resolve))
      return [
        {
          itemId: 'a',
          title: 'Monday',
          text: 'Hello everyone.\nThe rent of the office goes up in May. Lunch was good.',
          times: [751, 754],
        },
        {
          itemId: 'b',
          title: '会议',
          page: 12,
          text: '房东把办公室的租金提高到每月八千元。天气很好。',
        },
      ]
    },
  })
})
afterAll(() => service.stop())

const assistant = (purpose: string): string =>
  predefinedAssistants.find((one) => one.purpose === purpose)?.id ?? ''
const order = (purpose: string, content: unknown, changes: Json = {}): Json => ({
  assistant_id: assistant(purpose),
  model: 'gen-4-assistant',
  messages: [{ role: 'user', content }],
  ...changes,
})
const chat = (purpose: string, content: unknown, changes: Json = {}): Promise<Response> =>
  post(service, '/paas/v4/assistant', order(purpose, content, changes))

interface Call {
  type: string
  [name: string]: unknown
}
interface Whole {
  conversation_id: string
  choices: { message: { role: string; content: string; tool_calls?: Call[] } }[]
  usage: { total_tokens: number }
  engine: string
  notice: string
}
const whole = async (purpose: string, content: unknown, changes: Json = {}): Promise<Whole> =>
  (await (await chat(purpose, content, { stream: false, ...changes })).json()) as Whole
const answerOf = async (
  purpose: string,
  content: unknown,
  changes: Json = {},
): Promise<{ text: string; calls: Call[]; notice: string }> => {
  const { choices, notice } = await whole(purpose, content, changes)
  const { content: text = '', tool_calls: calls = [] } = choices[0]?.message ?? {}
  return { text, calls, notice }
}

interface Chunk {
  conversation_id: string
  status: string
  choices: {
    delta: { type: string; role: string; content?: string; tool_calls?: Call[] }
    finish_reason: string | null
  }[]
  usage?: unknown
  engine?: string
  notice?: string
}

test('streams an answer: tool calls, text in chunks, a last chunk, [DONE]', async () => {
  const response = await chat('chat', 'When does the rent go up?', { request_id: 'request-1' })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events = dataOf(await response.text())
  expect(events.at(-1)).toBe('[DONE]')
  const chunks = events.slice(0, -1).map((text) => JSON.parse(text) as Chunk)
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))
  expect(deltas[0]).toMatchObject({
    type: 'tool_calls',
    role: 'tool',
    tool_calls: [
      {
        type: 'retrieval',
        retrieval: {
          outputs: [
            {
              text: 'The rent of the office goes up in May.',
              document: 'Monday',
              meeting_id: 'a',
              seconds: 754,
            },
          ],
        },
      },
    ],
  })
  const text = deltas.map(({ content = '' }) => content).join('')
  expect(text).toContain(
    '“The rent of the office goes up in May.”<reference data-ref="1"></reference> (Monday, 12:34)',
  )
  expect(text).not.toMatch(/language model|Lunch/)
  expect(chunks.map(({ status }) => status)).toEqual([
    ...chunks.slice(1).map(() => 'in_progress'),
    'completed',
  ])
  expect(chunks.at(-1)).toMatchObject({
    assistant_id: assistant('chat'),
    request_id: 'request-1',
    choices: [{ finish_reason: 'stop' }],
    usage: { total_tokens: expect.any(Number) },
    engine: expect.any(String),
    notice: engineNotices.quotes,
  })
})

test('returns a plain answer as one message, in the language of the question', async () => {
  const reply = await whole('chat', [{ type: 'text', text: '办公室的租金是多少？' }])
  const [choice] = reply.choices
  expect(choice?.message.role).toBe('assistant')
  expect(choice?.message.content).toContain(
    '“房东把办公室的租金提高到每月八千元。”<reference data-ref="1"></reference>（会议，第 12 页）',
  )
  expect(choice?.message.content).not.toContain('语言模型')
})

test('reports that it found no answer', async () => {
  const { text } = await answerOf('chat', 'Who painted the ceiling of the chapel?')
  expect(text).toMatch(/found nothing in your material that answers/)
})

test('continues, counts and pages conversations, and preserves them after a restart', async () => {
  const first = await whole('papers', 'Hello')
  const { conversation_id } = first
  const second = await whole('papers', 'Hello again', { conversation_id })
  expect(second.conversation_id).toBe(conversation_id)
  await whole('papers', 'Another')
  await service.restart()
  const list = async (changes: Json): Promise<{ conversation_list: Json[]; has_more: boolean }> => {
    const body = { assistant_id: assistant('papers'), ...changes }
    const response = await post(service, '/paas/v4/assistant/conversation/list', body)
    const reply = (await response.json()) as {
      success: boolean
      code: number
      data: { conversation_list: Json[]; has_more: boolean }
    }
    expect([reply.success, reply.code]).toEqual([true, 200])
    return reply.data
  }
  expect(await list({ page_size: 1 })).toMatchObject({ has_more: true })
  const last = await list({ page: 2, page_size: 1 })
  expect(last.has_more).toBe(false)
  expect(last.conversation_list).toMatchObject([
    {
      id: conversation_id,
      usage: { total_tokens: first.usage.total_tokens + second.usage.total_tokens },
      create_time: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
  expect(await outcomeOf(await chat('papers', 'x', { conversation_id: 'nobody' }))).toBe('404 404')
  expect(await outcomeOf(await chat('chat', 'x', { conversation_id }))).toBe('400 1214')
})

test('calculates and summarizes pasted or attached tables in data analysis', async () => {
  const sum = await answerOf('data', 'What is (1,250 + 380) * 1.19?')
  expect(sum.text).toContain('= 1939.7')
  expect(sum.calls).toEqual([
    {
      type: 'code_interpreter',
      code_interpreter: {
        input: '(1,250 + 380) * 1.19',
        outputs: [{ type: 'logs', logs: '1939.7', error_msg: '' }],
      },
    },
  ])
  const pasted = await answerOf('data', 'Sum this:\nmonth,sales\nMay,120\nJune,150\nJuly,90')
  expect(pasted.text).toContain('sales: count 3, sum 360, mean 120, median 120, min 90, max 150')
  const file_id = await uploaded(
    service,
    Buffer.from('name;price\na;"1,000"\nb;3.5\nc;n/a'),
    'prices.csv',
    'agent',
  )
  const none = await answerOf('data', 'How much?', { attachments: [{ file_id }] })
  expect(none.calls[0]?.type).toBe('retrieval')
  const good = await uploaded(service, Buffer.from('name;price\na;10\nb;3.5'), 'p.csv', 'agent')
  const attached = await answerOf('data', 'How much?', { attachments: [{ file_id: good }] })
  expect(attached.text).toContain('price: count 2, sum 13.5')
})

test('turns outlines into flowcharts, mind maps and pages', async () => {
  const chart = await answerOf(
    'flowcharts',
    '1. Write\n2. Approved?\n   - yes: send it\n   - no: rewrite',
  )
  expect(chart.text).toContain('```mermaid\nflowchart TD\n')
  expect(chart.text).toContain('n2{"Approved?"}')
  expect(chart.text).toContain('n2 -->|"yes"| n3')
  const map = await answerOf('mindMaps', '搬家\n- 租金\n  - 押金\n- 家具')
  expect(map.text).toContain(
    'mindmap\n  n1["搬家"]\n    n2["租金"]\n      n3["押金"]\n    n4["家具"]',
  )
  expect((await answerOf('slides', '# A\n## B\n- c\n## D\n- e')).text).toContain('## B\n- c\n\n---')
  const vague = await answerOf('flowcharts', 'Draw how coffee is made')
  expect(vague.text).toMatch(/Write an outline/)
  expect(vague.calls).toEqual([])
})

test('draws the words in the drawing assistant and states its limits', async () => {
  const { calls, text, notice } = await answerOf('drawing', 'A lighthouse at night')
  const [call] = calls as unknown as { drawing_tool: { outputs: { image: string }[] } }[]
  const imageResponse = await fetch(call?.drawing_tool.outputs[0]?.image ?? '')
  const { width } = await loadImage(Buffer.from(await imageResponse.arrayBuffer()))
  expect(width).toBe(1024)
  expect(text).toBe('This is a simple image of your text.')
  expect(notice).toMatch(/No on-device image model/)
})

test.each([
  ['webSearch', /Web search isn’t available/],
  ['programming', /Coding isn’t available/],
  ['fiction', /Fiction writing isn’t available/],
])('reports what the assistant for %s cannot do and quotes the Library', async (purpose, words) => {
  const { text, calls } = await answerOf(purpose, 'When does the rent go up?')
  expect(text).toMatch(words)
  expect(text).toContain('goes up in May.')
  expect(calls[0]?.type).toBe('retrieval')
})

test('quotes a PDF in the paper assistant and reports what it could not read', async () => {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const text = 'The giraffe sleeps for two hours each night.'
  pdf.addPage([400, 300]).drawText(text, { x: 30, y: 200, size: 14, font })
  const paper = await uploaded(service, await pdf.save(), 'giraffes.pdf', 'agent')
  const broken = await uploaded(service, Buffer.from('%PDF-1.7 no'), 'broken.pdf', 'agent')
  const attachments = [{ file_id: paper }, { file_id: broken }]
  const answer = await answerOf('papers', 'How long does the giraffe sleep?', { attachments })
  // The citation is of the first result, which has the page.
  expect(answer.text).toContain(
    `“${text}”<reference data-ref="1"></reference> (giraffes.pdf, p. 1)`,
  )
  expect(answer.calls).toMatchObject([
    { retrieval: { outputs: [{ text, document: 'giraffes.pdf', page: 1 }] } },
  ])
  expect(answer.text).not.toContain('Monday')
  expect(answer.text).toMatch(/couldn’t read “broken.pdf”/)
  expect(answer.notice).toMatch(/couldn’t read “broken.pdf”/)
  expect((await answerOf('papers', 'What is it?')).text).toMatch(/Attach the paper/)
})

test('quotes a row of a table with its cells apart', async () => {
  const table =
    '<table>\n<tr><th>Month</th><th>Costs</th></tr>\n<tr><td>March</td><td>€ 160,025.75</td></tr>\n</table>'
  const { quotes } = await quoteAnswer({
    question: 'What were the costs in March?',
    passages: [{ source: 'accounts', page: 1, text: table }],
    text: { rank: async (_, texts) => texts.map(() => ({ score: 1, raw: 1, method: 'encoder' })) },
    signal: new AbortController().signal,
  })
  expect(quotes.map(({ text, line }) => [text, line])).toEqual([
    ['Month | Costs', 1],
    ['March | € 160,025.75', 2],
  ])
  // The reader of pages writes a table on one line.
  const cell = (text: string) => ({ text, bold: false, columns: 1, rows: 1 })
  const { quotes: read } = await quoteAnswer({
    question: 'What were the costs of the rent of March?',
    passages: [
      {
        source: 'a',
        page: 1,
        text: tableHtml([
          [cell('Item'), cell('Costs')],
          [cell('Rent of March'), cell('100')],
          [cell('2025'), cell('200')],
        ]),
      },
    ],
    text: { rank: async (_, texts) => texts.map(() => ({ score: 1, raw: 1, method: 'encoder' })) },
    signal: new AbortController().signal,
  })
  expect(read.map(({ text }) => text)).toContain('Rent of March | 100')
})

test('sorts a prompt into sections and corrects clear grammar errors', async () => {
  const prompt = await answerOf(
    'prompts',
    'You are a lawyer. Write a reminder. They owe us 80 euros. At most 80 words.',
  )
  expect(prompt.text).toContain('## Role\n- You are a lawyer.\n\n## Task\n- Write a reminder.')
  expect(prompt.text).toContain(
    '## Context\n- They owe us 80 euros.\n\n## Format\n- At most 80 words.',
  )
  const errors = await answerOf('grammar', 'i have a apple and and an unicorn')
  expect(errors.text).toContain('I have an apple and a unicorn.')
  const fine = await answerOf('grammar', 'I had had an hour, and its end was near, e.g. for him.')
  expect(fine.text).toMatch(/found no errors/)
})

test('reports that translation and images in messages are ignored', async () => {
  const { text, notice } = await answerOf(
    'chat',
    [
      { type: 'text', text: 'When does the rent go up?' },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
    ],
    { extra_parameters: { translate: { from: 'en', to: 'zh' } }, metadata: { a: 1 } },
  )
  expect(text).toMatch(/Translation from en to zh isn’t available/)
  expect(notice).toMatch(/Images inside messages aren’t read/)
})

test('lists twelve assistants, or the requested ones', async () => {
  interface List {
    success: boolean
    code: number
    msg: string
    data: { assistant_id: string; starter_prompts: string[]; tags: unknown[] }[]
  }
  const list = async (assistant_id_list: unknown): Promise<List> =>
    (await (await post(service, '/paas/v4/assistant/list', { assistant_id_list })).json()) as List
  const all = await list([])
  expect(all).toMatchObject({ success: true, code: 200, msg: expect.any(String) })
  expect(all.data.map(({ assistant_id }) => assistant_id)).toEqual(
    predefinedAssistants.map(({ id }) => id),
  )
  for (const row of all.data) expect(row.starter_prompts.length).toBeGreaterThan(0)
  expect((await list([assistant('data'), 'nobody'])).data).toHaveLength(1)
  const failure = await post(service, '/paas/v4/assistant/list', {})
  expect(await outcomeOf(failure)).toBe('400 1213')
})

test('describes the assistants in the language of the request', async () => {
  const texts = async (language: string): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'accept-language': language }
    const body = { assistant_id_list: [] }
    const list = await post(service, '/paas/v4/assistant/list', body, { headers })
    const { data } = (await list.json()) as { data: readonly Record<string, unknown>[] }
    expect(data).toHaveLength(12)
    return JSON.stringify(
      data.map(({ name, description, tags, starter_prompts }) => [
        name,
        description,
        tags,
        starter_prompts,
      ]),
    )
  }
  expect(await texts('en-US,en')).not.toMatch(/\p{Script=Han}/u)
  expect(await texts('*')).not.toMatch(/\p{Script=Han}/u)
  const chinese = await texts('zh-CN')
  expect(chinese).toContain('引用资料库中的内容回答。')
  expect(chinese).not.toContain('Library')
})

test('stops the work when the caller disconnects, and answers the next one', async () => {
  const gone = new AbortController()
  const response = await post(service, '/paas/v4/assistant', order('chat', 'never'), {
    signal: gone.signal,
  })
  expect(response.status).toBe(200)
  await eventually(() => expect(stuck).toBeDefined())
  gone.abort()
  stuck?.()
  expect((await answerOf('chat', 'When does the rent go up?')).text).toContain('in May.')
})

test.each<[string, Json, string]>([
  ['no assistant', { assistant_id: undefined }, '400 1213'],
  ['an unknown assistant', { assistant_id: '65940acff94777010aa6b797' }, '400 1214'],
  ['no model', { model: undefined }, '400 1213'],
  ['the alternative model', { model: 'glm-4-alltools' }, 'ok'],
  ['an unknown model', { model: 'gen-4' }, '400 1211'],
  ['no messages', { messages: undefined }, '400 1213'],
  ['an empty list', { messages: [] }, '400 1214'],
  [
    'a message with the role assistant',
    { messages: [{ role: 'assistant', content: 'x' }] },
    '400 1214',
  ],
  [
    'an unknown content part',
    { messages: [{ role: 'user', content: [{ type: 'song' }] }] },
    '400 1214',
  ],
  ['a request ID that is too short', { request_id: '12345' }, '400 1214'],
  ['the shortest request ID', { request_id: '123456' }, 'ok'],
  ['the longest request ID', { request_id: 'x'.repeat(64) }, 'ok'],
  ['a request ID that is too long', { request_id: 'x'.repeat(65) }, '400 1214'],
  ['a user ID that is too short', { user_id: '12345' }, '400 1214'],
  ['the longest user ID', { user_id: 'x'.repeat(128) }, 'ok'],
  ['a user ID that is too long', { user_id: 'x'.repeat(129) }, '400 1214'],
  ['a missing file', { attachments: [{ file_id: 'file-none' }] }, '400 1214'],
  ['an attachment without a file', { attachments: [{}] }, '400 1213'],
  [
    'a translation without a target language',
    { extra_parameters: { translate: { from: 'en' } } },
    '400 1213',
  ],
  ['a boolean as text', { do_sample: 'no' }, '400 1214'],
  ['invalid metadata', { metadata: 'x' }, '400 1214'],
])('a chat with %s: %o returns %s', async (_, changes, expected) => {
  expect(await outcomeOf(await chat('grammar', 'Fine words here.', changes))).toBe(expected)
})

test.each<[Json, string]>([
  [{ assistant_id: undefined }, '400 1213'],
  [{ page: 0 }, '400 1214'],
  [{ page_size: 0 }, '400 1214'],
  [{ page_size: 100 }, 'ok'],
  [{ page_size: 101 }, '400 1214'],
])('a list of conversations with %o returns %s', async (changes, expected) => {
  const body = { assistant_id: assistant('chat'), ...changes }
  expect(await outcomeOf(await post(service, '/paas/v4/assistant/conversation/list', body))).toBe(
    expected,
  )
})

test('quotes a transcript with the times of its lines', async () => {
  const question = documentQuestion(
    {
      title: 'Weekly',
      text: [
        transcriptLine('0:07', 'Mara', 'Good morning. The weather is nice.'),
        transcriptLine('12:03', 'Me', 'We move the release to the end of May.'),
      ].join('\n'),
      question: 'When do we move the release?',
    },
    'Answer.',
    'key-111111',
  )
  const { text } = await answerOf('chat', question)
  expect(text).toContain('“We move the release to the end of May.” [12:03]')
  expect(text).not.toMatch(/weather|language model/)
})
