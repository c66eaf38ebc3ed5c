import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf, post } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { dataOf } from './fixtures/streams.ts'

vi.setConfig({ testTimeout: 120_000 })

let service: TestService
let now = Date.UTC(2026, 0, 1)
beforeAll(async () => {
  service = await startTestService({
    clock: () => now,
    library: async () => [
      {
        itemId: 'i',
        title: 'Monday',
        text: 'The rent of the office goes up in May. Lunch was good.',
      },
    ],
  })
})
afterAll(() => service.stop())

interface Item {
  id: string
  type: string
  status: string
  content?: unknown
  name?: string
  namespace?: string
  call_id?: string
  arguments?: string
}
interface Reply {
  id: string
  status: string
  output: Item[]
  notice?: string
  [name: string]: unknown
}

const question = 'When does the rent go up?'
const create = (changes: Json = {}): Promise<Response> =>
  post(service, '/v1/responses', { model: 'gen-4', input: question, ...changes })
const made = async (changes: Json = {}): Promise<Reply> =>
  (await (await create(changes)).json()) as Reply
const get = (path: string): Promise<Response> => service.call(`/v1/responses/${path}`)
const typesOf = ({ output }: Reply): string[] => output.map(({ type }) => type)

test('answers a text with reasoning and a quoting message, with usage and a notice', async () => {
  const reply = await made({ instructions: 'Be short.', temperature: 0.5, max_output_tokens: 400 })
  expect(reply).toMatchObject({
    object: 'response',
    created_at: now / 1000,
    model: 'gen-4',
    status: 'completed',
    instructions: 'Be short.',
    temperature: 0.5,
    top_p: null,
    max_output_tokens: 400,
    text: { format: { type: 'text' } },
    tools: [],
    error: null,
    incomplete_details: null,
    engine: expect.any(String),
    notice: expect.stringMatching(/on-device language model/),
  })
  expect(typesOf(reply)).toEqual(['reasoning', 'message'])
  expect(reply.output[0]?.content).toMatchObject({ type: 'reasoning_text' })
  expect(reply.output[1]).toMatchObject({
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: expect.stringContaining('goes up in May.') }],
  })
  expect(reply['usage']).toMatchObject({
    input_tokens: expect.any(Number),
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: expect.any(Number) },
  })
})

test('returns only stored responses, also after a restart, for seven days', async () => {
  const loose = await made()
  expect(await outcomeOf(await get(loose.id))).toBe('404 invalid_request')
  const stored = await made({ store: true })
  expect(await (await get(stored.id)).json()).toEqual(stored)
  await service.restart()
  expect(await (await get(stored.id)).json()).toEqual(stored)
  now += 7 * 86_400_000 - 1
  expect((await get(stored.id)).status).toBe(200)
  now += 1
  expect(await outcomeOf(await get(stored.id))).toBe('404 invalid_request')
})

test('deletes a response once', async () => {
  const { id } = await made({ store: true })
  const gone = await service.call(`/v1/responses/${id}`, { method: 'DELETE' })
  expect(await gone.json()).toMatchObject({ id, deleted: true })
  expect(await outcomeOf(await service.call(`/v1/responses/${id}`, { method: 'DELETE' }))).toBe(
    '404 invalid_request',
  )
})

test('lists input items newest first, or in the requested order, page by page', async () => {
  const input = ['one', 'two', 'three'].map((text) => ({
    role: 'user',
    content: [{ type: 'input_text', text }],
  }))
  const { id } = await made({ store: true, input })
  type Page = {
    data: { id: string; type: string; content: { text: string }[] }[]
    has_more: boolean
    last_id: string
  }
  const page = async (query = ''): Promise<Page> =>
    (await (await get(`${id}/input_items${query}`)).json()) as Page
  const words = ({ data }: Page): unknown => data.map(({ content: [part] }) => part?.text)
  expect(words(await page())).toEqual(['three', 'two', 'one'])
  const first = await page('?order=asc&limit=2')
  expect([words(first), first.has_more]).toEqual([['one', 'two'], true])
  const rest = await page(`?order=asc&limit=2&after=${first.last_id}`)
  expect([words(rest), rest.has_more]).toEqual([['three'], false])
  for (const query of ['?order=up', '?limit=0', '?limit=101', '?after=nobody'])
    expect(await outcomeOf(await get(`${id}/input_items${query}`))).toBe('400 invalid_request')
  expect((await get(`${id}/input_items?limit=100`)).status).toBe(200)
  expect(await outcomeOf(await get('resp-none/input_items'))).toBe('404 invalid_request')
})

const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
  },
}
const clock = {
  type: 'namespace',
  name: 'time',
  tools: [
    {
      type: 'function',
      name: 'set_alarm',
      parameters: { properties: { hour: { type: 'number' } } },
    },
  ],
}

test.each<[string, unknown]>([
  ['Call get_weather with city: Paris and days = 3', { city: 'Paris', days: 3 }],
  ['Please call get_weather({"city":"São Paulo","days":2})', { city: 'São Paulo', days: 2 }],
  ['get_weather, city is "New York"!', { city: 'New York' }],
  ['get_weather please', {}],
])('"%s" calls the function with the values in the input', async (input, expected) => {
  const reply = await made({ input, tools: [weather, clock] })
  expect(typesOf(reply)).toEqual(['function_call'])
  expect(reply['tools']).toEqual([weather, clock])
  const [call] = reply.output
  expect(call).toMatchObject({ name: 'get_weather', status: 'completed' })
  expect(call?.call_id).toMatch(/^call-/)
  expect(JSON.parse(call?.arguments ?? '')).toEqual(expected)
})

test('calls a function with its namespace, and fills its only parameter', async () => {
  const reply = await made({ input: 'call set_alarm for 7', tools: [weather, clock] })
  expect(reply.output[0]).toMatchObject({
    type: 'function_call',
    namespace: 'time',
    name: 'set_alarm',
    arguments: '{"hour":7}',
  })
})

test('calls only named functions when calls are enabled, and quotes their output', async () => {
  expect(typesOf(await made({ input: 'How is the weather?', tools: [weather] }))).toEqual([
    'reasoning',
    'message',
  ])
  expect(
    typesOf(await made({ input: 'get_weather', tools: [weather], tool_choice: 'none' })),
  ).toEqual(['reasoning', 'message'])
  const after = await made({
    tools: [weather],
    input: [
      { role: 'user', content: 'get_weather: how warm will Paris be?' },
      { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'Paris will be warm: 24 degrees.' },
    ],
  })
  expect(JSON.stringify(after.output)).toContain('24 degrees')
})

test('reports a web search without results', async () => {
  const reply = await made({ tools: [{ type: 'web_search' }] })
  expect(typesOf(reply)).toEqual(['reasoning', 'web_search_call', 'message'])
  expect(reply.output[1]).toMatchObject({
    action: { type: 'search', queries: [question], source: [] },
    result: [],
  })
  expect(reply.notice).toMatch(/Web search isn’t available/)
})

test('returns an incomplete response when there are too few tokens', async () => {
  const reply = await made({ max_output_tokens: 5, reasoning: { effort: 'none' } })
  expect(reply).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ type: 'message', status: 'incomplete' }],
  })
})

test('returns a JSON object on request', async () => {
  const reply = await made({ text: { format: { type: 'json_object' } } })
  const [part] = (reply.output.at(-1)?.content ?? []) as { text: string }[]
  expect(JSON.parse(part?.text ?? '')).toMatchObject({
    quotes: [{ source: 'Monday', text: 'The rent of the office goes up in May.' }],
  })
})

test('quotes an earlier response that still exists', async () => {
  const first = await made({ store: true })
  expect((await create({ previous_response_id: first.id })).status).toBe(200)
  expect(await outcomeOf(await create({ previous_response_id: 'resp-none' }))).toBe(
    '404 invalid_request',
  )
})

test('streams each step and ends with the whole response', async () => {
  const response = await create({ stream: true, store: true, tools: [{ type: 'web_search' }] })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events = dataOf(await response.text()).map(
    (text) => JSON.parse(text) as { type: string; delta?: string; response?: Reply },
  )
  const types = events.map(({ type }) => type)
  expect(types.slice(0, 3)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
  ])
  expect(types).toContain('response.web_search_call.searching')
  expect(types.at(-1)).toBe('response.completed')
  const whole = events.at(-1)?.response
  const text = events
    .filter(({ type }) => type === 'response.output_text.delta')
    .map(({ delta }) => delta)
    .join('')
  expect(whole?.output.at(-1)?.content).toEqual([{ type: 'output_text', text }])
  expect(await (await get(whole?.id ?? '')).json()).toEqual(whole)
})

test.each<[string, Json, string]>([
  ['no model', { model: undefined }, '400 invalid_request'],
  ['an invalid model name', { model: '?' }, '400 model_not_found'],
  ['an unknown model', { model: 'gen-9-large' }, '400 model_not_found'],
  ['an image model', { model: 'gen-image' }, '400 model_not_found'],
  ['the assistant model', { model: 'gen-4-assistant' }, 'ok'],
  ['the model name of another provider', { model: 'glm-5v-turbo' }, 'ok'],
  ['no input', { input: undefined }, '400 invalid_request'],
  ['an empty input', { input: '' }, '400 invalid_request'],
  ['an empty list of items', { input: [] }, '400 invalid_request'],
  ['an unknown item type', { input: [{ type: 'song' }] }, '400 invalid_request'],
  ['an item without content', { input: [{ role: 'user' }] }, '400 invalid_request'],
  [
    'an image',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] },
    'ok',
  ],
  ['an unknown tool type', { tools: [{ type: 'hammer' }] }, '400 invalid_request'],
  ['a tool without a type', { tools: [{}] }, '400 invalid_request'],
  ['a function without a name', { tools: [{ type: 'function' }] }, '400 invalid_request'],
  ['a custom tool', { tools: [{ type: 'custom', name: 'x' }] }, 'ok'],
  ['an invalid tool choice', { tool_choice: 'always' }, '400 invalid_request'],
  ['an unknown text format', { text: { format: { type: 'xml' } } }, '400 invalid_request'],
  ['a limit of 0 tokens', { max_output_tokens: 0 }, '400 invalid_request'],
  ['a temperature of 1', { temperature: 1 }, 'ok'],
  ['a temperature above 1', { temperature: 1.01 }, '400 invalid_request'],
  ['a top_p of 0', { top_p: 0 }, 'ok'],
  ['a negative top_p', { top_p: -0.01 }, '400 invalid_request'],
  ['the longest input', { input: '字'.repeat(128_000) }, 'ok'],
  ['an input that is too long', { input: '字'.repeat(128_001) }, '400 context_length_exceeded'],
])('%s: %o returns %s', async (_, changes, expected) => {
  expect(await outcomeOf(await create(changes))).toBe(expected)
})
