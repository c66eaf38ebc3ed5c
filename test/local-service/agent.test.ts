import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentQuestion } from '../../src/shared/provider/document-question.ts'
import { engineNotices } from '../../src/shared/provider/engine-notices.ts'
import { resentMessage } from '../../src/shared/provider/resent-turns.ts'
import { chat, eventsOf, question, reply } from './fixtures/agent.ts'
import { embedded, newBase } from './fixtures/knowledge.ts'
import type { Json } from './fixtures/knowledge.ts'
import { numericFailureOf, startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

const handbook = `# Handbook of the Northwind office

## Working hours

Core hours are from ten until three. The rest of the day may be planned freely by everyone.

## Holidays

Everyone has thirty days of paid leave in a year. Unused days expire at the end of March.

## Parking

The garage under the building has forty places. A place costs fifty euros a month and is booked at the front desk.

## Kitchen

The dishwasher is emptied every morning by the team whose week it is.
`

const rules = `# 图书馆规则

## 借阅期限

每本书可以借阅三十天，可以续借一次，续借期限为十五天。

## 逾期罚款

逾期归还每天罚款五角钱，最高不超过书价。

## 开放时间

周一至周五上午八点开馆，晚上九点闭馆。
`

const flight = `# Apollo 12

## Launch

The rocket left the ground at noon in heavy rain.

Lightning struck it twice in the first minute, and all readings were lost.
Apollo 12 was saved by an order that hardly anybody knew.
John Aaron had told the crew to switch a box of electronics to its other supply.

## Landing

The crew landed beside an older probe. It was the nineteenth of November 1969 in Houston.

## Return

The camera was lost on the way home. The reason was the Sun: somebody had pointed it there.

# 大桥

## 设计

这座大桥由一位年轻人设计。工程师林德海为它画了三年的图。

## 通车

大桥在雨中通车。那是一九六八年十月一日。
`

let service: TestService
let base = ''
let history = ''
let library = ''
beforeAll(async () => {
  service = await startTestService({ faults: true })
  base = await newBase(service, { name: 'Office' })
  library = await newBase(service, { name: '图书馆' })
  history = await newBase(service, { name: 'History' })
  await embedded(service, history, 'flight.md', flight, { knowledge_type: '1' })
  await embedded(service, base, 'handbook.md', handbook, { knowledge_type: '1' })
  await embedded(service, library, '规则.md', rules, { knowledge_type: '1' })
})
afterAll(() => service.stop())

describe('answers', () => {
  test.each([
    ['How many days of vacation do I get?', 'thirty days of paid leave', 'handbook.md'],
    ['What does a parking place cost?', 'fifty euros', 'handbook.md'],
    ['Who empties the dishwasher?', 'by the team whose week', 'handbook.md'],
    ['书可以借多久？', '借阅三十天', '规则.md'],
    ['逾期还书每天罚款多少？', '五角钱', '规则.md'],
  ])('answers %s by quoting and citing the passage', async (text, words, name) => {
    const { answer, cited, events } = await reply(service, question(text, [base, library]))
    expect(cited[0]?.text, answer).toContain(words)
    expect(answer).toContain(words)
    expect(cited[0]?.metadata).toMatchObject({
      doc_name: name,
      doc_id: expect.any(String),
      line: expect.any(Number),
    })
    expect(answer).not.toMatch(/language model|语言模型/)
    expect(events.at(-1)).toMatchObject({
      engine: expect.stringContaining('Encoder'),
      notice: expect.stringContaining('No on-device language model'),
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        total_calls: expect.any(Number),
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    })
  })

  test.each([
    ['Who saved Apollo 12?', 'John Aaron', 'line 8'],
    ['When did the crew land beside an older probe?', 'November 1969', 'line 13'],
    ['Why was the camera lost?', 'The reason was the Sun', 'line 17'],
    ['谁设计了这座大桥？', '林德海', '第 23 行'],
    ['大桥什么时候通车？', '一九六八年', '第 27 行'],
  ])(
    'answers %s with the neighboring sentence that has the answer, cited by its line',
    async (text, words, line) => {
      const { answer } = await reply(service, question(text, [history]))
      const [first] = answer.split('\n\n').filter((part) => part.startsWith('>'))
      expect(first, answer).toContain(words)
      expect(first).toContain(`flight.md, ${line}`)
    },
  )

  test.each([
    ['Is the tower open on Sundays?', 'Only in summer.'],
    ['塔楼周日开放吗？', '只在夏天开放。'],
  ])('%s: includes the answer of a quoted question', async (text, words) => {
    const faq = await newBase(service, { name: 'Questions' })
    const pairs =
      'Is the tower open on Sundays?\nOnly in summer.\n\n塔楼周日开放吗？\n只在夏天开放。\n'
    await embedded(service, faq, 'faq.md', pairs, { knowledge_type: '1' })
    const { answer } = await reply(service, question(text, [faq]))
    expect(answer).toContain(words)
  })

  test('cites a chunk of another chunking method by the line of the sentence, too', async () => {
    const cut = await newBase(service, { name: 'Cut' })
    const byOwn = { knowledge_type: '5', custom_separator: ['## '], sentence_size: '2000' }
    await embedded(service, cut, 'flight.md', flight, byOwn)
    const { answer } = await reply(service, question('Who saved Apollo 12?', [cut]))
    expect(answer).toContain('John Aaron')
    expect(answer).toContain('flight.md, line 8')
  })

  test('quotes a sentence with the answer without its neighbors', async () => {
    const { answer } = await reply(
      service,
      question('When did the rocket leave the ground?', [history]),
    )
    expect(answer).toContain('> The rocket left the ground at noon in heavy rain.<reference')
    expect(answer).toContain('flight.md, line 5')
  })

  test('cites a text with page markers by the page of the sentence', async () => {
    const marked = await newBase(service, { name: 'Report' })
    const pages = [
      '<!-- page 41 -->\n\n# Tides\n\nThe gauge hangs below the old pier.',
      '<!-- page 42 -->\n\nThe highest tide was measured in the year 1911.\n\nIt reached the church.',
    ]
    await embedded(service, marked, 'report.md', pages.join('\n\n'), { knowledge_type: '1' })
    const english = await reply(service, question('When was the highest tide measured?', [marked]))
    expect(english.answer).toContain('— report.md, p. 42')
    expect(english.answer).not.toContain('<!--')
    expect(english.cited[0]?.metadata).toMatchObject({
      position: { page: 41 },
      positions: [{ page: 41 }, { page: 42 }],
    })
    const chinese = await reply(
      service,
      question('最高的 tide 是 when measured？高潮 highest', [marked]),
    )
    expect(chinese.answer).toContain('report.md, 第 42 页')
  })

  test('pairs calls with results and sends events in order', async () => {
    const { events, sessionId } = await reply(service, question('Where do I park?', [base]))
    const types = events.map(({ type }) => type)
    expect(types[0]).toBe('session_created')
    expect(types).not.toContain('reasoning')
    expect(types.lastIndexOf('tool_result')).toBeLessThan(types.indexOf('answer'))
    expect(types.filter((type) => type === 'done')).toHaveLength(1)
    expect(events.every((event) => event.sessionId === sessionId)).toBe(true)
    expect(events.filter(({ messageId, usage }) => messageId ?? usage)).toHaveLength(1)
    const calls = events.filter(({ type }) => type === 'tool_call')
    for (const call of calls) {
      const { callId, toolName, arguments: given } = call.data as Json
      expect(given).toEqual(expect.any(Object))
      expect(events[events.indexOf(call) + 1]).toMatchObject({
        type: 'tool_result',
        data: { callId, toolName, status: 'success', durationMs: expect.any(Number) },
      })
    }
    expect(calls.map(({ data }) => (data as Json)['toolName'])).toContain('query_rewrite')
  })

  test('searches only for the question among turns and documents, and reports unread documents', async () => {
    const given = {
      title: 'Notes',
      text: 'A parking place is free.',
      question: 'What does a parking place in the garage cost a month?',
    }
    const prompt = documentQuestion(given, 'Answer.', 'key-111111')
    const turns = [{ role: 'user', text: 'Who empties the dishwasher?' }] as const
    const message = resentMessage(turns, prompt, 'Earlier:', 'key-222222')
    const { answer, cited, events } = await reply(service, question(message, [base]))
    expect(cited[0]?.text).toContain('garage')
    expect(answer).not.toContain('key-')
    expect(events.at(-1)?.notice).toContain(engineNotices.documentsUnread)
  })

  test('sends reasoning when thinking is enabled', async () => {
    const body = question('Where do I park?', [base], { enable_thinking: true })
    const { events } = await reply(service, body)
    expect(events[1]).toMatchObject({ type: 'reasoning', data: expect.stringContaining('park') })
    expect(events.at(-1)?.usage).toMatchObject({
      completion_tokens_details: { reasoning_tokens: expect.any(Number) },
    })
  })

  test.each([
    ['What is the boiling point of mercury?', 'Nothing in the selected knowledge bases'],
    ['Who won the football match in Madrid yesterday?', 'Nothing in the selected knowledge bases'],
    ['量子计算机的原理是什么？', '没有能回答'],
  ])('%s: searches with other words, then reports that nothing matches', async (text, words) => {
    const { answer, cited, found } = await reply(service, question(text, [base, library]))
    expect(answer).toContain(words)
    expect(cited).toEqual([])
    expect(found.length).toBeGreaterThan(1)
  })

  test('searches at most as often as there are steps', async () => {
    const body = question('What is the boiling point of mercury?', [base], { max_steps: 1 })
    expect((await reply(service, body)).found).toHaveLength(1)
  })

  test('answers two questions in one message separately', async () => {
    const { answer, cited } = await reply(
      service,
      question('How many places has the garage? When are the core hours?', [base]),
    )
    expect(answer).toContain('forty places')
    expect(answer).toContain('ten until three')
    expect(new Set(cited.map(({ ref }) => ref)).size).toBeGreaterThan(1)
  })

  test('applies the preset: number of passages, threshold, reranking', async () => {
    const preset = (retrieval: Json): Json => ({
      ...question('parking garage', []),
      retrieval: { know_ids: [base], ...retrieval },
    })
    const few = await reply(service, preset({ top_k: 1, enable_rerank: true }))
    expect(few.found[0]?.slices).toHaveLength(1)
    expect(few.cited[0]?.text).toContain('garage')
    const none = await reply(service, preset({ similarity_threshold: 1 }))
    expect(none.found.every(({ slices }) => slices.length === 0)).toBe(true)
  })
})

describe('sessions', () => {
  test('uses the subject of the first turn in the second', async () => {
    const first = await reply(
      service,
      question('How much is a parking place in the garage?', [base]),
    )
    expect(first.answer).toContain('fifty euros')
    const second = await reply(service, question('Where can I book it?', [base]), first.sessionId)
    expect(second.sessionId).toBe(first.sessionId)
    expect(second.messageId).not.toBe(first.messageId)
    expect(second.answer).toContain('front desk')
    const rewriting = second.events.find(({ type }) => type === 'tool_result')
    expect(rewriting?.data).toMatchObject({
      toolName: 'query_rewrite',
      result: { followsUp: true, keywords: expect.arrayContaining(['parking', 'garage']) },
    })
  })

  test('uses the subject of the first turn in Chinese', async () => {
    const first = await reply(service, question('图书逾期归还怎么罚款？', [library]))
    const second = await reply(service, question('那最高多少？', [library]), first.sessionId)
    expect(second.answer).toContain('不超过书价')
  })

  test('rejects an unknown session', async () => {
    const response = chat(service, question('Hello', [base]), {
      headers: { 'x-session-id': 'none' },
    })
    expect(await numericFailureOf(await response)).toBe('404 404')
  })
})

describe('limits', () => {
  const dot =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const imageContent = (url: unknown): unknown => [{ type: 'image_url', image_url: { url } }]
  const retrieval = (fields: Json): Json => ({ retrieval: { know_ids: ['base'], ...fields } })

  test.each<[string, Json, string]>([
    ['no messages', { messages: undefined }, '400 1213'],
    ['an empty list', { messages: [] }, '400 1213'],
    ['an unsupported role', { messages: [{ role: 'assistant', content: 'x' }] }, '400 1214'],
    ['no role', { messages: [{ content: 'x' }] }, '400 1213'],
    ['no content', { messages: [{ role: 'user' }] }, '400 1213'],
    ['blank content', { messages: [{ role: 'user', content: ' ' }] }, '400 1213'],
    ['numeric content', { messages: [{ role: 'user', content: 7 }] }, '400 1214'],
    ['a content part without a type', { messages: [{ role: 'user', content: [{}] }] }, '400 1213'],
    ['a video', { messages: [{ role: 'user', content: [{ type: 'video_url' }] }] }, '400 1214'],
    [
      'an image URL',
      { messages: [{ role: 'user', content: imageContent('https://a.b/c.png') }] },
      '400 1214',
    ],
    [
      'a GIF',
      { messages: [{ role: 'user', content: imageContent(dot.replace('png', 'gif')) }] },
      '400 1214',
    ],
    ['no retrieval', { retrieval: undefined }, '400 1213'],
    ['no knowledge bases', { retrieval: {} }, '400 1213'],
    ['an empty list of knowledge bases', { retrieval: { know_ids: [] } }, '400 1213'],
    ['an unknown knowledge base', { retrieval: { know_ids: ['unknown'] } }, '404 404'],
    ['top_k 0', retrieval({ top_k: 0 }), '400 1214'],
    ['top_k 21', retrieval({ top_k: 21 }), '400 1214'],
    ['top_n 101', retrieval({ top_n: 101 }), '400 1214'],
    ['enable_rerank as text', retrieval({ enable_rerank: 'yes' }), '400 1214'],
    ['a threshold above 1', retrieval({ similarity_threshold: 1.01 }), '400 1214'],
    ['max_steps 0', { max_steps: 0 }, '400 1214'],
    ['max_steps 1.5', { max_steps: 1.5 }, '400 1214'],
    ['an unknown model', { model: 'gen-9' }, '400 1211'],
    ['enable_thinking as text', { enable_thinking: 'true' }, '400 1214'],
    ['a temperature as text', { temperature: 'hot' }, '400 1214'],
  ])('%s', async (_what, fields, expected) => {
    const body = { ...question('Hello', [base]), ...fields }
    expect(await numericFailureOf(await chat(service, body))).toBe(expected)
  })

  test('accepts values at the limits, with any brand of the model', async () => {
    const body = {
      ...question('Where do I park?', []),
      retrieval: { know_ids: [base], top_k: 20, top_n: 100, similarity_threshold: 0 },
      model: 'glm-5v-turbo',
      max_steps: 100,
      temperature: 0.7,
    }
    const { events } = await reply(service, body)
    expect(events.at(-1)?.notice).toContain('Temperature')
  })
})

describe('faults', () => {
  const fault = (rule: Json): RequestInit => ({ headers: { 'x-fault': JSON.stringify(rule) } })
  const requestBody = (): Json => question('Where do I park?', [base])

  test('sends an error in the middle as an event of the agent', async () => {
    const rule = { answer: 'mid-error', afterEvents: 3 }
    const events = await eventsOf(await chat(service, requestBody(), fault(rule)))
    expect(events).toHaveLength(4)
    expect(events[3]).toEqual({ type: 'error', data: { message: expect.any(String) } })
  })

  test('omits the done event without an end', async () => {
    const events = await eventsOf(await chat(service, requestBody(), fault({ answer: 'no-end' })))
    expect(events.at(-1)?.type).toBe('answer')
  })

  test('returns failures in the format of the endpoint family', async () => {
    const broken = await chat(service, requestBody(), fault({ answer: '429' }))
    expect(await numericFailureOf(broken)).toBe('429 1302')
  })
})
