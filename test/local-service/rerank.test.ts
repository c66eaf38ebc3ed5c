import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { failureOf, startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

let service: TestService
// A model needs time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

interface Answer {
  readonly id: string
  readonly results: readonly { document?: string; index: number; relevance_score: number }[]
  readonly usage: Record<string, number>
  readonly created: number
  readonly request_id: string
  readonly engine: string
  readonly notice?: string
}

const post = (body: unknown, to = service): Promise<Response> =>
  to.call('/paas/v4/rerank', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function rerank(query: string, documents: readonly string[], more = {}): Promise<Answer> {
  const response = await post({ model: 'rerank', query, documents, ...more })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

const english = [
  'To reset your password, open Settings, choose Security and press Reset.',
  'The cafeteria opens at eight and closes at three in the afternoon.',
  'Our refund policy: you can return any product within thirty days.',
  'Employees get twenty-five days of paid holiday each year.',
  'The printer on the second floor is out of paper again.',
  'Restart the router when the internet connection is slow.',
]
const chinese = [
  '员工每年享有十五天带薪年假,可在系统中申请。',
  '打印机没有纸了,请联系行政部门补充。',
  '重置密码请打开设置,选择安全,点击重置。',
  '食堂早上八点开门,下午三点关门。',
  '购买后三十天内可以无理由退货退款。',
  '路由器需要重启才能恢复网络连接。',
]

test('ranks the right answer first, in English by meaning and in Chinese by words', async () => {
  const questions: readonly [string, readonly string[], number][] = [
    ['How can I change my password?', english, 0],
    ['I forgot my login credentials', english, 0],
    ['When can I eat lunch?', english, 1],
    ['Can I get my money back?', english, 2],
    ['How much vacation do I have?', english, 3],
    ['My wifi is not working', english, 5],
    ['年假怎么申请?', chinese, 0],
    ['如何重置我的密码', chinese, 2],
    ['食堂几点开门', chinese, 3],
    ['怎样退款', chinese, 4],
    ['网络连不上怎么办', chinese, 5],
  ]
  for (const [query, documents, right] of questions) {
    const { results } = await rerank(query, documents)
    expect(results[0]?.index, query).toBe(right)
    const scores = results.map(({ relevance_score }) => relevance_score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
  }
})

test('returns low scores for a query unrelated to all documents', async () => {
  for (const [query, documents] of [
    ['What is the capital of Mongolia?', english],
    ['蒙古的首都在哪里', chinese],
  ] as const)
    for (const { relevance_score } of (await rerank(query, documents)).results)
      expect(relevance_score).toBeLessThan(0.1)
})

test('returns a response in the form of the API reference', async () => {
  const answer = await rerank('When can I eat lunch?', english, { request_id: 'request-7' })
  expect(answer).toEqual({
    id: expect.stringMatching(/^rerank-/),
    results: expect.any(Array),
    usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    created: expect.any(Number),
    request_id: 'request-7',
    engine: 'Universal Sentence Encoder lite (English), n-grams (other languages)',
  })
  expect(Math.abs(answer.created - Date.now() / 1000)).toBeLessThan(600)
  expect(answer.usage['prompt_tokens']).toBe(answer.usage['total_tokens'])
  expect(Object.keys(answer.results[0] ?? {})).toEqual(['index', 'relevance_score'])
  const other = await rerank('x', ['y'])
  expect(other.request_id).toMatch(/^.{36}$/)
})

test('limits results and returns texts and raw scores on request', async () => {
  const query = 'How much vacation do I have?'
  const all = (await rerank(query, english, { top_n: 0 })).results
  expect(all).toHaveLength(english.length)
  const two = (await rerank(query, english, { top_n: 2, return_documents: true })).results
  expect(two).toEqual(
    all.slice(0, 2).map((result) => ({ ...result, document: english[result.index] })),
  )
  expect((await rerank(query, english, { top_n: 99 })).results).toHaveLength(english.length)
  const raw = (await rerank(query, english, { return_raw_scores: true })).results
  expect(raw.map(({ index }) => index)).toEqual(all.map(({ index }) => index))
  for (const [i, { relevance_score }] of raw.entries())
    expect(1 / (1 + Math.exp(-relevance_score))).toBeCloseTo(all[i]?.relevance_score ?? -1, 9)
  expect(Math.min(...raw.map(({ relevance_score }) => relevance_score))).toBeLessThan(0)
})

test('reports documents that were not compared by meaning', async () => {
  expect((await rerank('Hello', ['Good morning'])).notice).toBeUndefined()
  expect((await rerank('Hello', ['Good morning', '早上好'])).notice).toMatch(
    /aren’t in English: 1 of 2\.$/,
  )
  expect((await rerank('早上好', ['Good morning', '早上好'])).notice).toMatch(
    /^On-device reranking only supports English/,
  )
})

test('scores a long document by its best passage', async () => {
  const filler = 'The committee discussed the colour of the new curtains at length. '
  const answer = 'To reset your password, open Settings and press Reset. '
  const long = filler.repeat(30) + answer + filler.repeat(30)
  expect(long.length).toBeLessThanOrEqual(4096)
  const { results } = await rerank('How do I reset my password?', [filler.repeat(60), long])
  expect(results[0]?.index).toBe(1)
  expect(results[0]?.relevance_score).toBeGreaterThan(0.5)
  expect(results[1]?.relevance_score).toBeLessThan(0.2)
})

test('rejects invalid fields with the right code', async () => {
  const good = { model: 'rerank', query: 'x', documents: ['y'] }
  const cases: readonly [unknown, string][] = [
    [{ ...good, model: 'rerank-9' }, '400 1211'],
    [{ ...good, query: undefined }, '400 1213'],
    [{ ...good, documents: undefined }, '400 1213'],
    [{ ...good, query: ['x'] }, '400 1214'],
    [{ ...good, documents: [] }, '400 1214'],
    [{ ...good, documents: 'y' }, '400 1214'],
    [{ ...good, documents: ['y', 7] }, '400 1214'],
    [{ ...good, top_n: -1 }, '400 1214'],
    [{ ...good, top_n: 1.5 }, '400 1214'],
    [{ ...good, return_documents: 'true' }, '400 1214'],
    [{ ...good, return_raw_scores: 1 }, '400 1214'],
    [{ ...good, request_id: 'short' }, '400 1214'],
    [{ ...good, user_id: 7 }, '400 1214'],
    ['x', '400 1210'],
  ]
  for (const [body, code] of cases)
    expect(await failureOf(await post(body)), JSON.stringify(body)).toBe(code)
  expect((await post({ query: 'x', documents: ['y', ''] })).status).toBe(200)
})

test('accepts values at their limit and rejects values above it', async () => {
  const status = async (query: string, documents: string[], more = {}): Promise<number> => {
    const response = await post({ query, documents, ...more })
    if (response.status !== 200) expect(await failureOf(response)).toBe('400 1214')
    return response.status
  }
  expect(await status('x'.repeat(4096), ['y'])).toBe(200)
  expect(await status('x'.repeat(4097), ['y'])).toBe(400)
  expect(await status('x', Array(128).fill('y'))).toBe(200)
  expect(await status('x', Array(129).fill('y'))).toBe(400)
  expect(await status('x', ['y', 'y'.repeat(4096)])).toBe(200)
  expect(await status('x', ['y', 'y'.repeat(4097)])).toBe(400)
  // One character counts once, however many units it has.
  expect(await status('\u{1F600}'.repeat(4096), ['y'])).toBe(200)
  expect(await status('\u{1F600}'.repeat(4097), ['y'])).toBe(400)
  for (const edge of [6, 64]) {
    expect(await status('x', ['y'], { request_id: 'z'.repeat(edge) })).toBe(200)
    const past = edge === 6 ? 5 : edge + 1
    expect(await status('x', ['y'], { request_id: 'z'.repeat(past) })).toBe(400)
  }
})

test('is unavailable for English without its model and explains how to fix it', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'lectern-models-'))
  const bare = await startTestService({ modelsDir: empty })
  try {
    const response = await post({ query: 'Good morning', documents: ['Good night'] }, bare)
    const text = await response.clone().text()
    expect(await failureOf(response)).toBe('400 1221')
    expect(text).toContain('npm run setup')
    expect(text).not.toContain(empty)
    expect((await post({ query: '早上好', documents: ['早上'] }, bare)).status).toBe(200)
  } finally {
    await bare.stop()
    await rm(empty, { recursive: true, force: true })
  }
})
