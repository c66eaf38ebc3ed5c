import { expect, test } from 'vitest'
import { estimateTokens } from '../../../src/shared/text/token-estimate.ts'
import { limitsWith } from '../../../src/shared/provider/limits.ts'
import type { RecordedRequest, ScriptedReply } from '../../fixtures/scripted-server.ts'
import { apiSetup, failureOf, gate } from './support.ts'

interface SentBody {
  readonly model: string
  readonly input: string | readonly string[]
  readonly dimensions?: number
}

const bodyOf = (request: RecordedRequest | undefined): SentBody =>
  JSON.parse(String(request?.body)) as SentBody

const textsOf = ({ input }: SentBody): readonly string[] =>
  typeof input === 'string' ? [input] : input

/** Returns a vector whose first number identifies its text. */
const vector = (first: number, dimensions: number): number[] => [
  first,
  ...Array.from({ length: dimensions - 1 }, () => 0),
]

/** Responds with vectors that begin with the number at the end of each text, in reverse order. */
function vectorsFor(request: RecordedRequest): ScriptedReply {
  const body = bodyOf(request)
  const dimensions = body.model === 'embedding-2' ? 1024 : (body.dimensions ?? 2048)
  const data = textsOf(body).map((text, index) => ({
    index,
    object: 'embedding',
    embedding: vector(Number(/\d*$/.exec(text)?.[0]), dimensions),
  }))
  const usage = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 }
  return {
    body: JSON.stringify({
      model: body.model,
      object: 'list',
      data: data.toReversed(),
      usage,
      engine: 'an engine',
      notice: `notice of ${body.model}`,
    }),
  }
}

const three = { model: 'embedding-3' } as const
const two = { model: 'embedding-2' } as const

test('sends one text as a string, several as an array, dimensions only where supported', async () => {
  const { api, server, target } = await apiSetup()
  server.always(vectorsFor)
  await api.embeddings.create(target(), { ...three, input: ['text 1'] }, {})
  await api.embeddings.create(target(), { ...three, input: ['a 1', 'b 2'], dimensions: 256 }, {})
  await api.embeddings.create(target(), { ...two, input: ['text 1'], dimensions: 1024 }, {})
  expect(server.requests.map(bodyOf)).toEqual([
    { model: 'embedding-3', input: 'text 1' },
    { model: 'embedding-3', input: ['a 1', 'b 2'], dimensions: 256 },
    { model: 'embedding-2', input: 'text 1' },
  ])
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/api/paas/v4/embeddings',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  })
})

test('maps vectors by index in any order, with IDs, usage and notice', async () => {
  const { api, server, target, calls } = await apiSetup()
  server.always(vectorsFor)
  const request = { ...three, input: ['a 1', 'b 2', 'c 3'], dimensions: 512 }
  const answer = await api.embeddings.create(target(), request, { requestId: 'request-7' })
  expect(answer.value.vectors.map((one) => [one[0], one.length])).toEqual([
    [1, 512],
    [2, 512],
    [3, 512],
  ])
  expect(answer).toMatchObject({
    value: { model: 'embedding-3' },
    requestId: 'request-7',
    engine: 'an engine',
    notice: 'notice of embedding-3',
    usage: { promptTokens: 7, totalTokens: 7 },
  })
  expect(calls).toMatchObject([{ operation: 'embeddings.create', model: 'embedding-3' }])
})

test('accepts rows without index, a single row without an array, and an index as text', async () => {
  const { api, server, target } = await apiSetup()
  const row = (first: number, more: object): object => ({ embedding: vector(first, 256), ...more })
  server.queue(
    { body: JSON.stringify({ data: [row(1, {}), row(2, {})] }) },
    { body: JSON.stringify({ data: row(3, { index: '0' }) }) },
  )
  const both = await api.embeddings.create(
    target(),
    { ...three, input: ['a', 'b'], dimensions: 256 },
    {},
  )
  const one = await api.embeddings.create(target(), { ...three, input: ['a'], dimensions: 256 }, {})
  expect(both.value.vectors.map(([first]) => first)).toEqual([1, 2])
  expect(one.value).toMatchObject({ model: 'embedding-3' })
  expect(one.value.vectors[0]?.[0]).toBe(3)
})

const row = (index: number, embedding: unknown): object => ({ index, embedding })
const good: readonly unknown[] = vector(0, 256)
test.each([
  ['no data', {}, 'vector-count'],
  ['too few vectors', { data: [row(0, good)] }, 'vector-count'],
  ['too many vectors', { data: [0, 1, 2].map((index) => row(index, good)) }, 'vector-count'],
  ['a duplicate index', { data: [row(1, good), row(1, good)] }, 'index-twice'],
  ['an index out of range', { data: [row(1, good), row(2, good)] }, 'index-not-sent'],
  ['fewer dimensions', { data: [row(0, good), row(1, good.slice(1))] }, 'dimensions'],
  ['more dimensions', { data: [row(0, good), row(1, [...good, 0])] }, 'dimensions'],
  ['no vector', { data: [row(0, good), { index: 1 }] }, 'no-vector'],
  ['a string in a vector', { data: [row(0, good), row(1, good.with(3, '0'))] }, 'vector-number'],
  ['null in a vector', { data: [row(0, good), row(1, good.with(3, null))] }, 'vector-number'],
  ['an infinite number', { data: [row(0, good), row(1, good.with(3, 1e39))] }, 'vector-number'],
])('treats a response with %s as malformed', async (_, body, reason) => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: JSON.stringify(body) })
  const request = { ...three, input: ['a', 'b'], dimensions: 256 }
  expect(await failureOf(api.embeddings.create(target(), request, {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason },
  })
})

test('reports a failure inside a success, and retries a transient one', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: '{"error":{"code":"1301","message":"x"}}' })
  const request = { ...three, input: ['text 1'] }
  expect(await failureOf(api.embeddings.create(target(), request, {}))).toMatchObject({
    code: 'CONTENT_BLOCKED',
  })
  server.queue({ status: 503 })
  server.always(vectorsFor)
  await api.embeddings.create(target(), request, {})
  expect(server.requests).toHaveLength(3)
})

test('rejects dimensions that a model does not support before sending', async () => {
  const { api, server, target } = await apiSetup()
  server.always(vectorsFor)
  for (const dimensions of [2048, 1024, 512, 256])
    await api.embeddings.create(target(), { ...three, input: ['a 1'], dimensions }, {})
  for (const dimensions of [0, 255, 768, 4096])
    expect(
      await failureOf(api.embeddings.create(target(), { ...three, input: ['a'], dimensions }, {})),
    ).toMatchObject({ code: 'INVALID_INPUT', params: { what: 'dimensions', value: dimensions } })
  for (const dimensions of [2048, 512, 256])
    expect(
      await failureOf(api.embeddings.create(target(), { ...two, input: ['a'], dimensions }, {})),
    ).toMatchObject({ code: 'INVALID_INPUT', params: { what: 'dimensions' } })
  expect(server.requests).toHaveLength(4)
})

test('accepts items and tokens at their limits and rejects one more', async () => {
  const { api, server, target } = await apiSetup()
  server.always(vectorsFor)
  const words = (count: number): string => Array.from({ length: count }, () => 'w').join(' ')
  const items = (count: number, text = 'a 1'): string[] => Array.from({ length: count }, () => text)
  await api.embeddings.create(target(), { ...three, input: items(64) }, {})
  await api.embeddings.create(target(), { ...three, input: [words(3072)] }, {})
  await api.embeddings.create(target(), { ...two, input: [words(512)] }, {})
  await api.embeddings.create(target(), { ...two, input: items(16, words(512)) }, {})
  // embedding-2 has no limit of items, only one of tokens.
  await api.embeddings.create(target(), { ...two, input: items(65) }, {})
  expect(server.requests).toHaveLength(5)

  const refusal = async (request: {
    model: typeof two.model | typeof three.model
    input: string[]
  }) => failureOf(api.embeddings.create(target(), request, {}))
  expect(await refusal({ ...three, input: items(65) })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'input', limit: 64, value: 65 },
  })
  expect(await refusal({ ...three, input: ['a', words(3073)] })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'tokens', limit: 3072, value: 3073, item: 1 },
  })
  expect(await refusal({ ...two, input: [words(513)] })).toMatchObject({
    params: { what: 'tokens', limit: 512, value: 513, item: 0 },
  })
  expect(await refusal({ ...two, input: [...items(16, words(512)), 'w'] })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'total_tokens', limit: 8192, value: 8193 },
  })
  expect(await refusal({ ...three, input: [] })).toMatchObject({
    params: { what: 'input', limit: 1, value: 0 },
  })
  expect(await refusal({ ...three, input: ['a', ' \n'] })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'text', limit: 1, value: 0, item: 1 },
  })
  expect(server.requests).toHaveLength(5)

  const wider = target({}, { limits: limitsWith({ 'embeddings.items': 100 }) })
  await api.embeddings.create(wider, { ...three, input: items(100) }, {})
  expect(server.requests).toHaveLength(6)
})

test('sends many texts in the fewest calls, in order, and reports batches on arrival', async () => {
  const { api, server, target } = await apiSetup()
  server.always(vectorsFor)
  const input = Array.from({ length: 150 }, (_, place) => `text ${place}`)
  const starts: [number, number][] = []
  const { vectors, notice } = await api.embeddings.createMany(
    target({ concurrency: 2 }),
    { ...three, input, dimensions: 256 },
    { onBatch: (start, answer) => starts.push([start, answer.value.vectors.length]) },
  )
  expect(vectors.map(([first]) => first)).toEqual(input.map((_, place) => place))
  expect(starts.toSorted(([a], [b]) => a - b)).toEqual([
    [0, 64],
    [64, 64],
    [128, 22],
  ])
  expect(notice).toBe('notice of embedding-3')
  expect(await api.embeddings.createMany(target(), { ...three, input: [] }, {})).toEqual({
    vectors: [],
    notice: null,
  })
  expect(server.requests).toHaveLength(3)
})

test('keeps batches for embedding-2 below its total number of tokens', async () => {
  const { api, server, target } = await apiSetup()
  server.always(vectorsFor)
  const text = '汉'.repeat(400)
  await api.embeddings.createMany(target(), { ...two, input: Array(40).fill(text) }, {})
  const sizes = server.requests.map((request) => textsOf(bodyOf(request)).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40)
  expect(sizes).toHaveLength(3)
  for (const size of sizes) expect(size * 400).toBeLessThanOrEqual(8192)
})

test('never exceeds the concurrency of the profile', async () => {
  const { api, server, target } = await apiSetup()
  const { peak, pass } = gate(3, 6)
  server.always(async (request) => {
    await pass()
    return vectorsFor(request)
  })
  const input = Array.from({ length: 64 * 6 }, (_, place) => `t ${place}`)
  await api.embeddings.createMany(
    target({ concurrency: 3 }),
    { ...three, input, dimensions: 256 },
    {},
  )
  expect(server.requests).toHaveLength(6)
  expect(peak()).toBe(3)
})

test('keeps the other batches and starts no more when one fails', async () => {
  const { api, server, target } = await apiSetup()
  server.always((request) => {
    const [first = ''] = textsOf(bodyOf(request))
    if (first === 't 64') return { status: 400, body: '{"error":{"code":"1214","message":"x"}}' }
    return { ...vectorsFor(request), delayMs: 60 }
  })
  const input = Array.from({ length: 64 * 5 }, (_, place) => `t ${place}`)
  const starts: number[] = []
  const error = await failureOf(
    api.embeddings.createMany(
      target({ concurrency: 3 }),
      { ...three, input, dimensions: 256 },
      { onBatch: (start) => starts.push(start) },
    ),
  )
  expect(error).toMatchObject({ code: 'INVALID_INPUT', service: { code: '1214' } })
  expect(starts.toSorted((a, b) => a - b)).toEqual([0, 128])
  expect(server.requests).toHaveLength(3)
})

test('reports one invalid text among many before anything is sent', async () => {
  const { api, server, target } = await apiSetup()
  const input = [...Array.from({ length: 70 }, () => 'a'), '']
  expect(
    await failureOf(api.embeddings.createMany(target(), { ...three, input }, {})),
  ).toMatchObject({ code: 'LIMIT_EXCEEDED', params: { what: 'text', item: 70 } })
  expect(server.requests).toEqual([])
})

test.each([
  ['', 0, 0],
  [' \n\t', 0, 0],
  ['word', 1, 2],
  ['The quick brown fox jumps over the lazy dog', 9, 11],
  ['会议记录', 1, 4],
  ['会议 notes', 2, 4],
  ['привет мир', 2, 6],
  ['----------------', 1, 8],
  ['a'.repeat(160), 5, 41],
  ["I don't (.com)", 5, 7],
])('estimates the tokens of %j as at least %i and likely %i', (text, min, likely) => {
  expect(estimateTokens(text)).toEqual({ min, likely })
})

test('returns numbers as in the response, and rejects one that no float can represent', async () => {
  const { api, server, target } = await apiSetup()
  const numbers = [0.266207, -0.02675454691052437, 0.1234567890123456, 1e-8]
  const embedding = Array.from({ length: 256 }, (_, at) => numbers[at % 4])
  server.queue({ body: JSON.stringify({ data: [{ index: 0, embedding }] }) })
  const request = { model: 'embedding-3', input: ['a'], dimensions: 256 } as const
  const { value } = await api.embeddings.create(target(), request, {})
  expect(JSON.stringify(Array.from(value.vectors[0] ?? []))).toBe(JSON.stringify(embedding))
  const large = JSON.stringify({ data: [{ embedding: embedding.with(7, 1e39) }] })
  server.queue({ body: large })
  expect(await failureOf(api.embeddings.create(target(), request, {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
  })
})
