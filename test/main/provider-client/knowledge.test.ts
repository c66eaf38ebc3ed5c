import { expect, test } from 'vitest'
import type {
  KnowledgeFields,
  RetrieveRequest,
} from '../../../src/main/provider-client/knowledge-limits.ts'
import { wireDefaults } from '../../../src/shared/provider/profiles.ts'
import { apiSetup, failureOf } from './support.ts'

const json = { 'content-type': 'application/json' }
const reply = (value: unknown, status = 200) => ({
  status,
  headers: json,
  body: JSON.stringify(value),
})
const fine = { code: 200, message: 'ok', timestamp: 1_780_000_000_000 }
const root = '/api/llm-application/open/knowledge'
const fields = { name: 'Papers', embeddingId: 11 } as const

test('sends the model by ID and by code, and only specified fields', async () => {
  const { api, server, target, calls } = await apiSetup()
  server.always(reply({ ...fine, data: { id: 'kb-1' } }))
  const made = await api.knowledge.create(target(), fields, { requestId: 'request-1' })
  expect([made.value, made.requestId]).toEqual([{ id: 'kb-1' }, 'request-1'])
  await api.knowledge.create(
    target(),
    {
      ...fields,
      embeddingId: 12,
      description: '论文',
      background: 'sky',
      icon: 'seal',
      contextual: true,
    },
    {},
  )
  await api.knowledge.create(target(), { ...fields, embeddingId: 3, contextual: false }, {})
  expect(server.requests.map(({ method, url }) => [method, url])).toEqual([
    ['POST', root],
    ['POST', root],
    ['POST', root],
  ])
  expect(server.requests.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
    { embedding_id: 11, embedding_model: 'Embedding-3', name: 'Papers' },
    {
      embedding_id: 12,
      embedding_model: 'Embedding-3-pro',
      name: 'Papers',
      contextual: 1,
      description: '论文',
      background: 'sky',
      icon: 'seal',
    },
    { embedding_id: 3, embedding_model: 'Embedding-2', name: 'Papers', contextual: 0 },
  ])
  expect(calls.map(({ operation, model }) => [operation, model])[0]).toEqual([
    'knowledge.create',
    null,
  ])
})

test('uses the API field names of the profile', async () => {
  const { api, server, target } = await apiSetup()
  const wire = {
    ...wireDefaults,
    knowledgeEmbeddingId: 'vector_id',
    knowledgeEmbeddingModel: 'vector_code',
    knowledgeContextual: 'enhance',
    page: 'p',
    pageSize: 'n',
  }
  server.always(reply({ ...fine, data: { id: 'kb-1', list: [] } }))
  await api.knowledge.create(target({ wire }), { ...fields, contextual: true }, {})
  await api.knowledge.list(target({ wire }), { page: 2, size: 30 }, {})
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({
    vector_id: 11,
    vector_code: 'Embedding-3',
    enhance: 1,
    name: 'Papers',
  })
  expect(server.requests[1]?.url).toBe(`${root}?p=2&n=30`)
})

test.each([
  ['an object', { id: 'kb-1' }],
  ['an object with a number', { id: 17 }],
  ['JSON text', '{"id":"kb-1"}'],
  ['a plain string', 'kb-1'],
])('accepts the new ID as %s', async (_, data) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ code: '200', data }))
  const { value } = await api.knowledge.create(target(), fields, {})
  expect(value.id).toMatch(/^(kb-1|17)$/)
})

test.each([{ ...fine }, { ...fine, data: {} }, { ...fine, data: null }, []])(
  'treats a knowledge base without an ID as malformed: %j',
  async (body) => {
    const { api, server, target } = await apiSetup()
    server.queue(reply(body))
    const error = await failureOf(api.knowledge.create(target(), fields, {}))
    expect([error.code, error.params]).toEqual(['MALFORMED_REPLY', { reason: 'no-id' }])
  },
)

test('never retries a creating call that was sent', async () => {
  const { api, server, target } = await apiSetup()
  for (const answer of [{ status: 503 }, { status: 429 }, { dropped: true as const }]) {
    server.queue(answer)
    const before = server.requests.length
    await failureOf(api.knowledge.create(target(), fields, {}))
    expect(server.requests.length).toBe(before + 1)
  }
})

test.each([
  ['get', 'GET'],
  ['delete', 'DELETE'],
] as const)(
  '%s puts the knowledge base in the path, sends no body and allows a retry',
  async (name, method) => {
    const { api, server, target } = await apiSetup()
    server.queue({ status: 503 }, reply({ ...fine, data: { id: 'a/b' } }))
    await api.knowledge[name](target(), { id: 'a/b' }, {})
    expect(server.requests.map((sent) => [sent.method, sent.url, sent.body.length])).toEqual([
      [method, `${root}/a%2Fb`, 0],
      [method, `${root}/a%2Fb`, 0],
    ])
  },
)

test.each(['', '.', '..'])('never lets the ID %j become another path', async (id) => {
  const { api, server, target } = await apiSetup()
  const errors = [
    await failureOf(api.knowledge.get(target(), { id }, {})),
    await failureOf(api.knowledge.delete(target(), { id }, {})),
    await failureOf(api.knowledge.update(target(), { id, name: 'x' }, {})),
  ]
  expect(errors.map(({ code, params }) => [code, params])).toEqual(
    errors.map(() => ['INVALID_INPUT', { what: 'id', value: id }]),
  )
  expect(server.requests).toEqual([])
})

const base = {
  id: 'kb-1',
  embeddingId: 11,
  name: 'Papers',
  description: 'D',
  contextual: true,
  background: 'sky',
  icon: 'seal',
  documentSize: 3,
  length: 1000,
  wordNum: 200,
}
const row = {
  id: 'kb-1',
  embedding_id: 11,
  name: 'Papers',
  description: 'D',
  contextual: 1,
  background: 'sky',
  icon: 'seal',
  document_size: 3,
  length: 1000,
  word_num: 200,
}

test.each([
  ['numbers', row],
  [
    'text',
    {
      ...row,
      embedding_id: '11',
      contextual: '1',
      document_size: '3',
      length: '1000',
      word_num: '200',
    },
  ],
  ['JSON text', JSON.stringify(row)],
  ['a list of one', [row]],
])('parses a knowledge base in %s', async (_, data) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine, data }))
  expect((await api.knowledge.get(target(), { id: 'kb-1' }, {})).value).toEqual(base)
})

test('uses null or the default of the provider for missing fields', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ data: { name: null } }), reply({ ...fine }))
  expect((await api.knowledge.get(target(), { id: 'kb-9' }, {})).value).toEqual({
    id: 'kb-9',
    embeddingId: null,
    name: '',
    description: '',
    contextual: false,
    background: 'blue',
    icon: 'question',
    documentSize: null,
    length: null,
    wordNum: null,
  })
  const error = await failureOf(api.knowledge.get(target(), { id: 'kb-9' }, {}))
  expect([error.code, error.params]).toEqual(['MALFORMED_REPLY', { reason: 'no-data' }])
})

test.each([
  ['an array', { list: [row, row], total: 12 }, 2, 12],
  ['a single object', { list: row, total: '1' }, 1, 1],
  ['null', { list: null, total: 0 }, 0, 0],
  ['nothing', { total: 0 }, 0, 0],
  ['data itself', [row, row], 2, 2],
  ['JSON text', JSON.stringify({ list: [row], total: 5 }), 1, 5],
])('parses a list as %s', async (_, data, count, total) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine, data }))
  const { value } = await api.knowledge.list(target(), {}, {})
  expect(value).toEqual({ bases: Array.from({ length: count }, () => base), total })
  expect(server.requests[0]?.url).toBe(root)
})

test('treats a list without data as malformed', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine }))
  const error = await failureOf(api.knowledge.list(target(), {}, {}))
  expect([error.code, error.params]).toEqual(['MALFORMED_REPLY', { reason: 'no-list' }])
})

test('sends pages in the query string', async () => {
  const { api, server, target } = await apiSetup()
  server.always(reply({ ...fine, data: { list: [] } }))
  await api.knowledge.list(target(), { page: 1, size: 1 }, {})
  await api.knowledge.list(target(), { page: 7, size: 100 }, {})
  expect(server.requests.map(({ url }) => url)).toEqual([
    `${root}?page=1&size=1`,
    `${root}?page=7&size=100`,
  ])
})

test('parses the quota, as numbers or as text', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(
    reply({
      ...fine,
      data: { used: { word_num: 5, length: '70' }, total: { word_num: '900', length: 1000 } },
    }),
    reply({ ...fine, data: { used: {} } }),
  )
  const { value } = await api.knowledge.capacity(target(), {}, {})
  expect(value).toEqual({ used: { words: 5, bytes: 70 }, total: { words: 900, bytes: 1000 } })
  expect([server.requests[0]?.method, server.requests[0]?.url]).toEqual(['GET', `${root}/capacity`])
  const error = await failureOf(api.knowledge.capacity(target(), {}, {}))
  expect([error.code, error.params]).toEqual(['MALFORMED_REPLY', { reason: 'no-capacity' }])
})

test('sends edited fields, a model with its code, and allows a retry unless it embeds again', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ status: 500 }, reply(fine), reply(fine))
  expect((await api.knowledge.update(target(), { id: 'kb-1', icon: 'tag' }, {})).value).toBeNull()
  await api.knowledge.update(target(), { id: 'kb-1', embeddingId: 3, description: '' }, {})
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    server.requests.map(() => `PUT ${root}/kb-1`),
  )
  expect(server.requests.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
    { icon: 'tag' },
    { icon: 'tag' },
    { embedding_id: 3, embedding_model: 'Embedding-2', description: '' },
  ])
  server.requests.length = 0
  for (const changed of [{ embeddingId: 11 }, { contextual: true }] as const) {
    server.queue({ status: 500 })
    const edit = api.knowledge.update(target(), { id: 'kb-1', ...changed }, {})
    expect((await failureOf(edit)).code).toBe('SERVER_ERROR')
  }
  expect(server.requests).toHaveLength(2)
})

test.each([
  ['nothing', {}, 'INTERNAL'],
  ['a code as a number', { code: 1301, message: 'Unsafe' }, 'CONTENT_BLOCKED'],
  ['a code as text', { code: '1113', message: 'No balance' }, 'QUOTA_EXHAUSTED'],
  ['an undocumented code', { code: 10_001, message: 'Odd' }, 'SERVICE_FAILED'],
  ['an error object', { error: { code: '1220', message: 'No' } }, 'PERMISSION_DENIED'],
])('treats a success that contains a failure as a failure: %s', async (name, body, code) => {
  const { api, server, target } = await apiSetup()
  server.always(reply(body))
  const outcomes = await Promise.all([
    api.knowledge.delete(target(), { id: 'kb-1' }, {}).catch((error: unknown) => error),
    api.knowledge.update(target(), { id: 'kb-1', name: 'x' }, {}).catch((error: unknown) => error),
  ])
  for (const outcome of outcomes)
    if (name === 'nothing') expect(outcome).toMatchObject({ value: null })
    else expect(outcome).toMatchObject({ code })
})

test.each([
  [401, { code: 1000, message: 'no' }, 'KEY_REJECTED'],
  [404, { code: 404, message: 'none' }, 'SERVICE_NOT_FOUND'],
  [400, { error: { code: '1214', message: 'bad' } }, 'INVALID_INPUT'],
  [500, {}, 'SERVER_ERROR'],
])('maps status %i with %j to %s', async (status, body, code) => {
  const { api, server, target } = await apiSetup()
  server.always(reply(body, status))
  expect((await failureOf(api.knowledge.capacity(target(), {}, {}))).code).toBe(code)
})

const question = { query: 'What?', knowledgeIds: ['kb-1'] } as const

test('sends the specified fields of a query, and returns its chunks in order', async () => {
  const { api, server, target } = await apiSetup()
  const metadata = {
    _id: 's1',
    knowledge_id: 'kb-1',
    doc_id: 'd1',
    doc_name: 'a.pdf',
    doc_url: 'https://d',
    contextual_text: 'C',
  }
  server.queue(reply({ ...fine, data: [{ text: 'one', score: 0.5, metadata }, { text: 'two' }] }))
  server.queue(reply({ ...fine, data: [] }))
  const { value } = await api.knowledge.retrieve(
    target(),
    {
      ...question,
      documentIds: ['d1'],
      topK: 8,
      topN: 10,
      recallMethod: 'mixed',
      recallRatio: 80,
      rerank: true,
      rerankModel: 'rerank-pro',
      fractionalThreshold: 0.2,
    },
    {},
  )
  expect(value).toEqual([
    {
      text: 'one',
      score: 0.5,
      sliceId: 's1',
      knowledgeId: 'kb-1',
      documentId: 'd1',
      documentName: 'a.pdf',
      documentUrl: 'https://d',
      contextualText: 'C',
    },
    {
      text: 'two',
      score: null,
      sliceId: null,
      knowledgeId: null,
      documentId: null,
      documentName: null,
      documentUrl: null,
      contextualText: null,
    },
  ])
  expect((await api.knowledge.retrieve(target(), question, {})).value).toEqual([])
  expect(server.requests.map(({ method, url }) => [method, url])).toEqual([
    ['POST', `${root}/retrieve`],
    ['POST', `${root}/retrieve`],
  ])
  expect(server.requests.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
    {
      query: 'What?',
      knowledge_ids: ['kb-1'],
      document_ids: ['d1'],
      top_k: 8,
      top_n: 10,
      recall_method: 'mixed',
      recall_ratio: 80,
      rerank_status: true,
      rerank_model: 'rerank-pro',
      fractional_threshold: 0.2,
    },
    { query: 'What?', knowledge_ids: ['kb-1'] },
  ])
})

test.each([
  ['a single object', { text: 'one', score: '0.5', doc_id: 'd1' }],
  ['a list in an envelope', { list: [{ text: 'one', score: 0.5, metadata: '{"doc_id":"d1"}' }] }],
])('parses chunks as %s', async (_, data) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine, data }))
  const { value } = await api.knowledge.retrieve(target(), question, {})
  expect(value).toMatchObject([{ text: 'one', score: 0.5, documentId: 'd1' }])
})

test.each([
  ['name', 'LIMIT_EXCEEDED', { name: 'x'.repeat(101) }, { limit: 100, value: 101 }],
  ['name', 'LIMIT_EXCEEDED', { name: '' }, { limit: 1, value: 0 }],
  ['embedding_id', 'INVALID_INPUT', { embeddingId: 4 }, { value: 4 }],
  ['background', 'INVALID_INPUT', { background: 'pink' }, { value: 'pink' }],
  ['icon', 'INVALID_INPUT', { icon: 'toString' }, { value: 'toString' }],
])(
  'rejects a knowledge base with an invalid %s before sending',
  async (what, code, more, params) => {
    const { api, server, target } = await apiSetup()
    const wrong = { ...fields, ...more } as KnowledgeFields
    const errors = [
      await failureOf(api.knowledge.create(target(), wrong, {})),
      await failureOf(api.knowledge.update(target(), { id: 'kb-1', ...wrong }, {})),
    ]
    for (const error of errors)
      expect([error.code, error.params]).toEqual([code, { what, ...params }])
    expect(server.requests).toEqual([])
  },
)

test.each([
  ['query', { query: '' }, 1, 0],
  ['query', { query: 'x'.repeat(1001) }, 1000, 1001],
  ['knowledge_ids', { knowledgeIds: [] }, 1, 0],
  ['knowledge_ids', { knowledgeIds: ['kb-1', ''] }, 1, 0],
  ['top_k', { topK: 0 }, 1, 0],
  ['top_k', { topK: 21 }, 20, 21],
  ['top_n', { topN: 0 }, 1, 0],
  ['top_n', { topN: 101 }, 100, 101],
  ['recall_ratio', { recallRatio: -1 }, 0, -1],
  ['recall_ratio', { recallRatio: 101 }, 100, 101],
])('rejects a query with a %s out of range: %j', async (what, more, limit, value) => {
  const { api, server, target } = await apiSetup()
  const error = await failureOf(api.knowledge.retrieve(target(), { ...question, ...more }, {}))
  expect([error.code, error.params]).toEqual(['LIMIT_EXCEEDED', { what, limit, value }])
  expect(server.requests).toEqual([])
})

test.each([
  ['top_k', { topK: 1.5 }],
  ['recall_ratio', { recallRatio: Number.NaN }],
  ['recall_method', { recallMethod: 'guess' }],
  ['rerank_model', { rerankModel: 'best' }],
  ['fractional_threshold', { fractionalThreshold: Number.POSITIVE_INFINITY }],
])('rejects a query with an invalid %s', async (what, more) => {
  const { api, server, target } = await apiSetup()
  const request = { ...question, ...more } as RetrieveRequest
  const error = await failureOf(api.knowledge.retrieve(target(), request, {}))
  expect([error.code, error.params?.['what']]).toEqual(['INVALID_INPUT', what])
  expect(server.requests).toEqual([])
})

test.each([
  ['page', { page: 0 }, 1, 0],
  ['size', { size: 0 }, 1, 0],
  ['size', { size: 101 }, 100, 101],
])('rejects a %s out of range: %j', async (what, request, limit, value) => {
  const { api, server, target } = await apiSetup()
  const error = await failureOf(api.knowledge.list(target(), request, {}))
  expect([error.code, error.params]).toEqual(['LIMIT_EXCEEDED', { what, limit, value }])
  expect(server.requests).toEqual([])
})

test('sends all values at their limits, and lets a profile widen a limit', async () => {
  const { api, server, target } = await apiSetup()
  server.always(reply({ ...fine, data: { id: 'kb-1', list: [] } }))
  await api.knowledge.create(target(), { ...fields, name: 'x'.repeat(100) }, {})
  await api.knowledge.create(target(), { ...fields, name: 'x' }, {})
  const edges = [
    { query: 'x'.repeat(1000), topK: 20, topN: 100, recallRatio: 100 },
    { query: 'x', topK: 1, topN: 1, recallRatio: 0 },
  ]
  for (const edge of edges) await api.knowledge.retrieve(target(), { ...question, ...edge }, {})
  const wide = target()
  const limits = { ...wide.limits, knowledge: { nameChars: 101 } }
  await api.knowledge.create({ ...wide, limits }, { ...fields, name: 'x'.repeat(101) }, {})
  expect(server.requests.length).toBe(5)
})
