import { expect, test } from 'vitest'
import { apiSetup, failureOf } from './support.ts'

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_780_000_000,
  model: 'glm-5',
  instructions: 'Be brief.',
  max_output_tokens: 100,
  status: 'completed',
  temperature: 0.5,
  top_p: 0.9,
  text: { format: { type: 'json_object' } },
  tools: [
    { type: 'function', name: 'f', description: 'does f', parameters: { type: 'object' } },
    { type: 'namespace', name: 'n', description: 'of n', tools: [{ type: 'function', name: 'g' }] },
    { type: 'custom', name: 'c' },
    { type: 'web_search' },
    { type: 'later_kind', a: 1 },
  ],
  error: null,
  incomplete_details: null,
  output: [
    {
      type: 'reasoning',
      id: 'o1',
      status: 'completed',
      content: { type: 'reasoning_text', text: 'Hm.' },
    },
    {
      type: 'message',
      id: 'o2',
      status: 'completed',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'one' },
        { type: 'output_text', text: 'two' },
      ],
    },
    {
      type: 'function_call',
      id: 'o3',
      status: 'completed',
      namespace: 'n',
      name: 'g',
      call_id: 'call_1',
      arguments: '{"a":1}',
    },
    {
      type: 'web_search_call',
      id: 'o4',
      status: 'completed',
      action: { type: 'search', queries: ['q'], source: ['https://example.org'] },
      result: [{ title: 't' }],
    },
    { type: 'later_kind', b: 2 },
  ],
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 2 },
  },
}

const read = {
  id: 'resp_1',
  status: 'completed',
  model: 'glm-5',
  createdAt: 1_780_000_000,
  instructions: 'Be brief.',
  maxOutputTokens: 100,
  temperature: 0.5,
  topP: 0.9,
  textFormat: 'json_object',
  tools: [
    { type: 'function', name: 'f', description: 'does f', parameters: { type: 'object' } },
    {
      type: 'namespace',
      name: 'n',
      description: 'of n',
      tools: [{ type: 'function', name: 'g', description: '', parameters: null }],
    },
    { type: 'custom', name: 'c', description: '' },
    { type: 'web_search' },
    { type: 'unknown', raw: { type: 'later_kind', a: 1 } },
  ],
  error: null,
  incompleteReason: null,
  output: [
    { type: 'reasoning', id: 'o1', status: 'completed', texts: ['Hm.'] },
    { type: 'message', id: 'o2', status: 'completed', role: 'assistant', texts: ['one', 'two'] },
    {
      type: 'function_call',
      id: 'o3',
      status: 'completed',
      namespace: 'n',
      name: 'g',
      callId: 'call_1',
      arguments: '{"a":1}',
    },
    {
      type: 'web_search_call',
      id: 'o4',
      status: 'completed',
      queries: ['q'],
      sources: ['https://example.org'],
      results: [{ title: 't' }],
    },
    { type: 'unknown', raw: { type: 'later_kind', b: 2 } },
  ],
  cachedTokens: 4,
  reasoningTokens: 2,
}

test('parses every kind of tool and output, with usage', async () => {
  const { api, server, target, calls } = await apiSetup()
  const body = JSON.stringify(response)
  server.queue({ body })
  const answer = await api.responses.retrieve(target(), { id: 'resp_1' }, {})
  expect(answer.value).toEqual(read)
  expect(answer).toMatchObject({
    usage: { promptTokens: 10, completionTokens: 6 },
    raw: { contentType: '', body },
  })
  expect(calls).toMatchObject([{ operation: 'responses.retrieve', promptTokens: 10 }])
})

test('percent-encodes IDs, sends only the bearer, and rejects invalid IDs', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ body: JSON.stringify(response) })
  await api.responses.retrieve(target(), { id: 'a/b?c 人' }, { requestId: 'request-1' })
  const [sent] = server.requests
  expect(sent).toMatchObject({ method: 'GET', url: '/api/v1/responses/a%2Fb%3Fc%20%E4%BA%BA' })
  expect(sent?.body).toHaveLength(0)
  expect(sent?.headers['request-id']).toBeUndefined()
  for (const id of ['', '.', '..'])
    expect(await failureOf(api.responses.retrieve(target(), { id }, {}))).toMatchObject({
      code: 'INVALID_INPUT',
      params: { what: 'response_id' },
    })
  expect(server.requests).toHaveLength(1)
})

test('returns a failed stored Response as a result, but not a failure envelope', async () => {
  const { api, server, target } = await apiSetup()
  const failed = {
    ...response,
    status: 'failed',
    error: { code: 'server_error', message: 'broke' },
    output: [],
  }
  server.queue(
    { body: JSON.stringify(failed) },
    { body: JSON.stringify({ ...failed, object: undefined }) },
    { body: '{"status":"failed","error":{"code":"permission_denied","message":"x"}}' },
    { status: 401, body: '{"code":401,"message":"gateway"}' },
    { status: 404, body: '{"error":{"code":"invalid_request","message":"x"}}' },
  )
  const get = async () => api.responses.retrieve(target(), { id: 'r' }, {})
  for (let i = 0; i < 2; i++)
    expect((await get()).value).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: 'broke' },
    })
  expect(await failureOf(get())).toMatchObject({ code: 'PERMISSION_DENIED' })
  expect(await failureOf(get())).toMatchObject({ code: 'KEY_REJECTED' })
  expect(await failureOf(get())).toMatchObject({ code: 'SERVICE_NOT_FOUND' })
})

test('parses missing, nested and single fields', async () => {
  const { api, server, target } = await apiSetup()
  const odd = {
    status: 'incomplete',
    created: '1780000000',
    max_output_tokens: '50',
    text: { format: 'text' },
    tools: { type: 'function', function: { name: 'f', parameters: {} } },
    incomplete_details: { reason: 'max_output_tokens' },
    output: [
      { type: 'message', content: { type: 'output_text', text: 'alone' } },
      { type: 'message', content: 'bare' },
      { type: 'reasoning', content: [{ text: 'a' }, { text: 'b' }] },
      { type: 'reasoning' },
      { type: 'function_call', arguments: { a: 1 } },
      {
        type: 'web_search_call',
        action: { queries: 'q', source: [{ url: 'u' }] },
        result: { t: 1 },
      },
      { type: 'web_search_call' },
    ],
    usage: { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 1 } },
  }
  server.queue({ body: JSON.stringify(odd) }, { body: '{"id":"x"}' })
  const answer = await api.responses.retrieve(target(), { id: 'asked' }, {})
  expect(answer.value).toMatchObject({
    id: 'asked',
    model: '',
    createdAt: 1_780_000_000,
    maxOutputTokens: 50,
    textFormat: 'text',
    tools: [{ type: 'function', name: 'f', parameters: {} }],
    incompleteReason: 'max_output_tokens',
    cachedTokens: 1,
    reasoningTokens: null,
  })
  const call = { id: '', status: '', namespace: '', name: '', callId: '' }
  const search = { type: 'web_search_call', id: '', status: '' }
  expect(answer.value.output).toEqual([
    { type: 'message', id: '', status: '', role: 'assistant', texts: ['alone'] },
    { type: 'message', id: '', status: '', role: 'assistant', texts: ['bare'] },
    { type: 'reasoning', id: '', status: '', texts: ['a', 'b'] },
    { type: 'reasoning', id: '', status: '', texts: [] },
    { type: 'function_call', ...call, arguments: '{"a":1}' },
    { ...search, queries: ['q'], sources: ['u'], results: [{ t: 1 }] },
    { ...search, queries: [], sources: [], results: [] },
  ])
  const bare = await api.responses.retrieve(target(), { id: 'x' }, {})
  expect(bare.value).toMatchObject({ id: 'x', status: '', tools: [], output: [], error: null })
})

test('keeps message parts other than text: annotations, a refusal, other types', async () => {
  const { api, server, target } = await apiSetup()
  const annotation = { type: 'url_citation', url: 'https://x.test' }
  const content = [
    { type: 'output_text', text: 'one', annotations: [annotation] },
    { type: 'refusal', refusal: 'no' },
    'two',
  ]
  const bare = { type: 'message', content: '{"looks":"like an object"}' }
  const reply = { id: 'x', output: [{ type: 'message', content }, bare] }
  server.queue({ body: JSON.stringify(reply) })
  const { value } = await api.responses.retrieve(target(), { id: 'x' }, {})
  const message = { type: 'message', id: '', status: '', role: 'assistant' }
  expect(value.output).toEqual([
    { ...message, texts: ['one', 'two'], annotations: [annotation], others: [content[1]] },
    { ...message, texts: [bare.content] },
  ])
})

test.each(['[]', '"text"', '{"greeting":"hi"}'])(
  'treats the response %s as malformed',
  async (body) => {
    const { api, server, target } = await apiSetup()
    server.queue({ body })
    expect(await failureOf(api.responses.retrieve(target(), { id: 'r' }, {}))).toMatchObject({
      code: 'MALFORMED_REPLY',
    })
  },
)

test('creates a Response with its fields and stores it by default', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ body: JSON.stringify(response) })
  const answer = await api.responses.create(target(), { model: 'gen-5', input: 'hi' }, {})
  await api.responses.create(
    target(),
    {
      model: 'gen-5',
      input: [{ type: 'message', role: 'user', content: 'hi' }],
      instructions: 'Be brief.',
      previousResponseId: 'resp_0',
      store: false,
      extra: { temperature: 0.1, model: 'other' },
    },
    {},
  )
  expect(answer.value.id).toBe('resp_1')
  const [plain, full] = server.requests
  expect(plain).toMatchObject({ method: 'POST', url: '/api/v1/responses' })
  expect(JSON.parse(String(plain?.body))).toEqual({ model: 'glm-5', input: 'hi', store: true })
  expect(JSON.parse(String(full?.body))).toEqual({
    temperature: 0.1,
    model: 'glm-5',
    input: [{ type: 'message', role: 'user', content: 'hi' }],
    instructions: 'Be brief.',
    previous_response_id: 'resp_0',
    store: false,
  })
})

test('does not retry a sent creation, and sends nothing empty', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ status: 500 })
  const request = { model: 'gen-5', input: 'hi' }
  expect(await failureOf(api.responses.create(target(), request, {}))).toMatchObject({
    code: 'SERVER_ERROR',
  })
  expect(server.requests).toHaveLength(1)
  const unreachable = target({}, { baseUrl: 'http://127.0.0.1:1' })
  expect(await failureOf(api.responses.create(unreachable, request, {}))).toMatchObject({
    code: 'OFFLINE',
  })
  expect(
    await failureOf(api.responses.create(target(), { ...request, input: '' }, {})),
  ).toMatchObject({ params: { what: 'input' } })
  expect(
    await failureOf(api.responses.create(target(), { ...request, model: '' }, {})),
  ).toMatchObject({ params: { what: 'model' } })
  expect(
    await failureOf(api.responses.create(target(), { ...request, extra: { stream: true } }, {})),
  ).toMatchObject({ code: 'INVALID_INPUT', params: { what: 'stream' } })
  expect(server.requests).toHaveLength(1)
})

test('retries a creation that was never sent', async () => {
  const { api, target, calls } = await apiSetup()
  const unreachable = target({}, { baseUrl: 'http://127.0.0.1:1' })
  await failureOf(api.responses.create(unreachable, { model: 'gen-5', input: 'hi' }, {}))
  expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2])
})

test('pages input items; accepts a list of a single item', async () => {
  const { api, server, target } = await apiSetup()
  const items = [{ id: 'i1', type: 'message' }, { id: 'i2' }]
  server.queue(
    { body: JSON.stringify({ object: 'list', data: items, has_more: true, last_id: 'i9' }) },
    { body: JSON.stringify({ data: items }) },
    { body: JSON.stringify({ data: items[0] }) },
    { body: '{"object":"list"}' },
  )
  const list = async (more: object = {}) =>
    api.responses.inputItems(target(), { id: 'r 1', ...more }, {})
  const full = await list({ order: 'asc', limit: 2, after: 'i0' })
  expect(full.value).toEqual({ items, hasMore: true, lastId: 'i9' })
  expect(server.requests[0]).toMatchObject({
    method: 'GET',
    url: '/api/v1/responses/r%201/input_items?order=asc&limit=2&after=i0',
  })
  expect((await list()).value).toEqual({ items, hasMore: false, lastId: 'i2' })
  expect(server.requests[1]?.url).toBe('/api/v1/responses/r%201/input_items')
  expect((await list()).value).toEqual({ items: [items[0]], hasMore: false, lastId: 'i1' })
  expect(await failureOf(list())).toMatchObject({ code: 'MALFORMED_REPLY' })

  server.always({ body: '{"data":[]}' })
  await list({ limit: 1 })
  await list({ limit: 100 })
  for (const [limit, edge] of [
    [0, 1],
    [101, 100],
  ])
    expect(await failureOf(list({ limit }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      params: { what: 'limit', limit: edge, value: limit },
    })
  expect(server.requests).toHaveLength(6)
})

test('allows a retry of a deletion and parses its result', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(
    { status: 503 },
    { body: '{"id":"r","object":"response.deleted","deleted":true}' },
    { body: '{"id":"r"}' },
    { body: '{"id":"r","deleted":false}' },
  )
  const remove = async () => (await api.responses.delete(target(), { id: 'r' }, {})).value
  expect(await remove()).toEqual({ deleted: true })
  expect(await remove()).toEqual({ deleted: true })
  expect(await remove()).toEqual({ deleted: false })
  expect(server.requests[1]).toMatchObject({ method: 'DELETE', url: '/api/v1/responses/r' })
  expect(server.requests).toHaveLength(4)
})
