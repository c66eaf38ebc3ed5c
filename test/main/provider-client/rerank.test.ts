import { expect, test } from 'vitest'
import { limitsWith } from '../../../src/shared/provider/limits.ts'
import { wireDefaults } from '../../../src/shared/provider/profiles.ts'
import { apiSetup, failureOf } from './support.ts'

const json = { 'content-type': 'application/json' }
const documents = ['zero', 'one', 'two']
const reply = (results: unknown, more: object = {}): string =>
  JSON.stringify({ id: 'r', created: 1, results, ...more })

test('builds the exact request: path, field names of the profile, only specified fields', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ headers: json, body: reply([]) })
  await api.rerank.create(target(), { query: 'q', documents }, { requestId: 'request-1' })
  await api.rerank.create(
    target({
      modelIds: { rerank: 'rerank-pro' },
      wire: { ...wireDefaults, rerankDocuments: 'with_text', rerankRawScores: 'raw' },
    }),
    {
      query: '问',
      documents,
      topN: 2,
      returnDocuments: true,
      returnRawScores: false,
      userId: 'user-1',
    },
    { requestId: 'request-2' },
  )
  const [plain, full] = server.requests
  expect(plain).toMatchObject({ method: 'POST', url: '/api/paas/v4/rerank' })
  expect(plain?.headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    'content-length': String(plain?.body.length),
  })
  expect(JSON.parse(String(plain?.body))).toEqual({
    model: 'rerank',
    query: 'q',
    documents,
    request_id: 'request-1',
  })
  expect(JSON.parse(String(full?.body))).toEqual({
    model: 'rerank-pro',
    query: '问',
    documents,
    top_n: 2,
    with_text: true,
    raw: false,
    request_id: 'request-2',
    user_id: 'user-1',
  })
})

test('returns scores in response order, with the text of the response or the sent one', async () => {
  const { api, server, target, calls } = await apiSetup()
  const body = reply(
    [
      { index: 2, relevance_score: 3.5, document: 'Two' },
      { index: '0', relevance_score: '0.25', document: '' },
      { index: 1, relevance_score: 0, document: { text: 'One' }, later: true },
    ],
    {
      request_id: 'told',
      engine: 'an engine',
      notice: 'a notice',
      usage: { prompt_tokens: 3, total_tokens: 4 },
    },
  )
  server.queue({ body })
  const answer = await api.rerank.create(target(), { query: 'q', documents }, {})
  expect(answer).toEqual({
    value: [
      { index: 2, score: 3.5, document: 'Two' },
      { index: 0, score: 0.25, document: 'zero' },
      { index: 1, score: 0, document: 'One' },
    ],
    requestId: 'told',
    engine: 'an engine',
    notice: 'a notice',
    usage: { promptTokens: 3, completionTokens: null, totalTokens: 4 },
    raw: { status: 200, contentType: '', body },
  })
  expect(calls).toMatchObject([
    { operation: 'rerank.create', model: 'rerank', outcome: 'ok', totalTokens: 4 },
  ])
})

test('accepts a single result without an array, and one without a document', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: reply({ index: 1, relevance_score: 0.5 }) })
  const answer = await api.rerank.create(target(), { query: 'q', documents, topN: 1 }, {})
  expect(answer.value).toEqual([{ index: 1, score: 0.5, document: 'one' }])
})

test.each([
  ['no results', '{"id":"r"}', 'no-results'],
  ['results of another type', reply('none'), 'no-results'],
  ['a list instead of an object', '[]', 'no-results'],
  ['an index out of range', reply([{ index: 3, relevance_score: 1 }]), 'index-not-sent'],
  ['a negative index', reply([{ index: -1, relevance_score: 1 }]), 'index-not-sent'],
  ['a fractional index', reply([{ index: 0.5, relevance_score: 1 }]), 'index-not-sent'],
  ['no index', reply([{ relevance_score: 1 }]), 'index-not-sent'],
  [
    'a duplicate index',
    reply([
      { index: 1, relevance_score: 1 },
      { index: 1, relevance_score: 0 },
    ]),
    'index-twice',
  ],
  ['no score', reply([{ index: 0 }]), 'no-score'],
])('treats a response with %s as malformed', async (_, body, reason) => {
  const { api, server, target } = await apiSetup()
  server.queue({ headers: json, body })
  expect(await failureOf(api.rerank.create(target(), { query: 'q', documents }, {}))).toMatchObject(
    { code: 'MALFORMED_REPLY', params: { reason } },
  )
})

test('reports a failure inside a success, and both error bodies', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(
    { body: '{"error":{"code":"1211","message":"no such model"}}' },
    { status: 400, body: '{"error":{"code":"1214","message":"x"}}' },
    { status: 401, body: '{"code":1000,"message":"x"}' },
  )
  const codes: string[] = []
  for (let i = 0; i < 3; i++)
    codes.push((await failureOf(api.rerank.create(target(), { query: 'q', documents }, {}))).code)
  expect(codes).toEqual(['MODEL_UNKNOWN', 'INVALID_INPUT', 'KEY_REJECTED'])
})

test('retries a transient failure with the same ID', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ status: 500 }, { body: reply([]) })
  await api.rerank.create(target(), { query: 'q', documents }, { requestId: 'same-id' })
  expect(server.requests.map(({ body }) => JSON.parse(String(body)).request_id)).toEqual([
    'same-id',
    'same-id',
  ])
})

test('accepts each limit and rejects one more, before anything is sent', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ body: reply([]) })
  const edge = {
    query: 'q'.repeat(4096),
    documents: Array.from({ length: 128 }, () => 'd'.repeat(4096)),
    topN: 0,
  }
  await api.rerank.create(target(), edge, { requestId: 'r'.repeat(64) })
  // The API reference specifies no limit of a user ID here; a character counts once however many units it takes.
  const emoji = { ...edge, query: '\u{1F600}'.repeat(4096), userId: 'bob' }
  await api.rerank.create(target(), emoji, { requestId: 'rrrrrr' })
  expect(server.requests).toHaveLength(2)

  const past = { ...edge, documents }
  const refused: [object, object][] = [
    [{ query: 'q'.repeat(4097) }, { what: 'query', limit: 4096, value: 4097 }],
    [{ query: '' }, { what: 'query', limit: 1, value: 0 }],
    [{ documents: Array(129).fill('d') }, { what: 'documents', limit: 128, value: 129 }],
    [{ documents: [] }, { what: 'documents', limit: 1, value: 0 }],
    [
      { documents: ['a', 'd'.repeat(4097)] },
      { what: 'document', limit: 4096, value: 4097, item: 1 },
    ],
    [{ topN: -1 }, { what: 'top_n', limit: 0, value: -1 }],
    [{ query: '\u{1F600}'.repeat(4097) }, { what: 'query', limit: 4096, value: 4097 }],
  ]
  for (const [change, params] of refused)
    expect(await failureOf(api.rerank.create(target(), { ...past, ...change }, {}))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      params,
    })
  expect(await failureOf(api.rerank.create(target(), { ...past, topN: 1.5 }, {}))).toMatchObject({
    code: 'INVALID_INPUT',
    params: { what: 'top_n', value: '1.5' },
  })
  for (const requestId of ['short', 'r'.repeat(65)])
    expect(await failureOf(api.rerank.create(target(), past, { requestId }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      params: { what: 'request_id' },
    })
  expect(server.requests).toHaveLength(2)

  const wider = target({}, { limits: limitsWith({ 'rerank.queryChars': 5000 }) })
  await api.rerank.create(wider, { ...past, query: 'q'.repeat(5000) }, {})
  expect(server.requests).toHaveLength(3)
})
