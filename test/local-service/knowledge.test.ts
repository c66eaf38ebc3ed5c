import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, dataOf, embedded, find, newBase, outcome } from './fixtures/knowledge.ts'
import type { Json } from './fixtures/knowledge.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const path = '/llm-application/open/knowledge'
const base = { embedding_id: 3, name: 'Travel' }

interface Listed {
  readonly list: readonly Json[]
  readonly total: number
}

describe('knowledge bases', () => {
  test('creates with defaults, reads, changes and deletes; wraps every response in its envelope', async () => {
    const before = Date.now()
    const made = await ask(service, 'POST', path, base)
    expect(made).toMatchObject({
      code: 200,
      message: 'Success',
      data: { id: expect.any(String) },
      engine: expect.any(String),
      notice: expect.stringContaining('All on-device embedding models'),
    })
    expect(made['timestamp']).toBeGreaterThanOrEqual(before)
    const { id } = made['data'] as { id: string }
    expect(await dataOf(service, 'GET', `${path}/${id}`)).toEqual({
      id,
      embedding_id: 3,
      name: 'Travel',
      description: '',
      contextual: 0,
      background: 'blue',
      icon: 'question',
      document_size: 0,
      length: 0,
      word_num: 0,
    })
    const changes = { name: '旅行', icon: 'house', background: 'red', contextual: 1 }
    expect(await outcome(service, 'PUT', `${path}/${id}`, changes)).toBe('200 200')
    expect(await dataOf(service, 'GET', `${path}/${id}`)).toMatchObject({
      ...changes,
      embedding_id: 3,
    })
    const gone = await ask(service, 'DELETE', `${path}/${id}`)
    expect(gone).toMatchObject({ code: 200, message: 'Success', timestamp: expect.any(Number) })
    expect('data' in gone).toBe(false)
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      expect(await outcome(service, method, `${path}/${id}`, body)).toBe('404 404')
  })

  test('lists in pages, newest first', async () => {
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await newBase(service, { name: `Base ${i}` }))
    const page = (query: string): Promise<Listed> => dataOf(service, 'GET', `${path}${query}`)
    const all = await page('')
    expect(all.total).toBe(5)
    expect(all.list.map(({ id }) => id)).toEqual(ids.toReversed())
    const second = await page('?page=2&size=2')
    expect(second.total).toBe(5)
    expect(second.list.map(({ name }) => name)).toEqual(['Base 2', 'Base 1'])
    expect((await page('?page=9&size=100')).list).toEqual([])
    for (const id of ids) await ask(service, 'DELETE', `${path}/${id}`)
  })

  test.each([
    ['no name', { name: undefined }, '400 1213'],
    ['no model', { embedding_id: undefined }, '400 1213'],
    [
      'only the code of the model',
      { embedding_id: undefined, embedding_model: 'Embedding-3' },
      '400 1213',
    ],
    ['an empty name', { name: '' }, '400 1214'],
    ['a name of 100 characters', { name: 'x'.repeat(100) }, '200 200'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, '400 1214'],
    ['an unknown model', { embedding_id: 4 }, '400 1214'],
    ['a model as text', { embedding_id: '3' }, '400 1214'],
    ['a matching code', { embedding_model: 'Embedding-2' }, '200 200'],
    ['a code of another model', { embedding_model: 'Embedding-3' }, '400 1215'],
    ['an unknown code', { embedding_model: 'embedding-2' }, '400 1214'],
    ['an unknown color', { background: 'pink' }, '400 1214'],
    ['the last color', { background: 'yellow' }, '200 200'],
    ['an unknown icon', { icon: 'star' }, '400 1214'],
    ['contextual 1', { contextual: 1 }, '200 200'],
    ['contextual 2', { contextual: 2 }, '400 1214'],
    ['contextual true', { contextual: true }, '400 1214'],
    ['a number as the description', { description: 1 }, '400 1214'],
  ])('creating with %s: %#', async (_what, fields, expected) => {
    expect(await outcome(service, 'POST', path, { ...base, ...fields })).toBe(expected)
  })

  test.each([
    ['page=1&size=1', '200 200'],
    ['page=1&size=100', '200 200'],
    ['size=101', '400 1214'],
    ['size=0', '400 1214'],
    ['page=0', '400 1214'],
    ['page=x', '400 1214'],
    ['page=1.5', '400 1214'],
  ])('listing with %s', async (query, expected) => {
    expect(await outcome(service, 'GET', `${path}?${query}`)).toBe(expected)
  })

  test('rejects a body that is not a JSON object', async () => {
    for (const body of [[], 'text', null])
      expect(await outcome(service, 'POST', path, body)).toBe('400 1210')
  })
})

describe('retrieval', () => {
  let id = ''
  const guide = `# Visiting the lighthouse

## Opening hours

The lighthouse is open from nine in the morning until five in the afternoon, every day but Tuesday.

## Tickets

A ticket for grown-ups costs twelve euros. Children under six climb the stairs for free.

## Getting there

Bus line 14 stops at the harbour; from there it is a walk of ten minutes along the pier.

## Dogs

Dogs must be left at home because of the steep staircase.
`
  const chinese = `# 公司差旅制度

## 住宿标准

一线城市的住宿标准为每晚六百元，其他城市为每晚四百元。

## 交通

四小时以内的行程应当乘坐高铁二等座，超过四小时可以乘坐飞机经济舱。

## 报销期限

员工应当在出差结束后十五个工作日内提交报销单。
`
  beforeAll(async () => {
    id = await newBase(service, { name: 'Both' })
    const made = await embedded(service, id, 'lighthouse.md', guide, { knowledge_type: '1' })
    expect(made).toMatchObject({ embedding_stat: 1 })
    expect(await embedded(service, id, '差旅.md', chinese)).toMatchObject({ embedding_stat: 1 })
  })

  test.each([
    ['How much is a ticket for an adult?', 'twelve euros'],
    ['When does the lighthouse close?', 'until five'],
    ['Which bus goes to the harbour?', 'Bus line 14'],
    ['Can I bring my puppy?', 'Dogs must'],
    ['出差住酒店每晚多少钱？', '六百元'],
    ['什么时候要交报销单', '十五个工作日'],
    ['坐飞机还是高铁', '经济舱'],
  ])('%s', async (query, words) => {
    for (const rerank_status of [false, true]) {
      const found = await find(service, id, query, { rerank_status })
      expect(found[0]?.text, JSON.stringify(found)).toContain(words)
      expect(found[0]?.metadata).toMatchObject({
        knowledge_id: id,
        doc_name: words.match(/[a-z]/) ? 'lighthouse.md' : '差旅.md',
        line: expect.any(Number),
      })
      for (const { score } of found) expect(score >= 0 && score <= 1).toBe(true)
      const scores = found.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    }
  })

  test('finds only by words, or only by meaning', async () => {
    const byWords = await find(service, id, 'steep staircase', { recall_method: 'keyword' })
    expect(byWords.map(({ text }) => text)).toEqual([expect.stringContaining('Dogs')])
    expect(await find(service, id, 'zebra', { recall_method: 'keyword' })).toEqual([])
    const near = await find(service, id, 'pets', { recall_method: 'embedding', top_k: 1 })
    expect(near[0]?.text).toContain('Dogs')
  })

  test('returns the requested number of results above the threshold, of the given documents only', async () => {
    expect(await find(service, id, 'lighthouse', { top_k: 2 })).toHaveLength(2)
    expect(await find(service, id, 'lighthouse', { fractional_threshold: 1 })).toEqual([])
    const [first] = await find(service, id, '报销')
    const only = await find(service, id, 'lighthouse tickets', {
      document_ids: [first?.metadata.doc_id],
    })
    expect(only.every(({ metadata }) => metadata.doc_name === '差旅.md')).toBe(true)
    const other = await newBase(service)
    expect(await find(service, other, 'lighthouse')).toEqual([])
  })

  test.each([
    ['a query of 1,000 characters', { query: 'x '.repeat(500) }, '200 200'],
    ['a query of 1,001 characters', { query: 'x'.repeat(1001) }, '400 1214'],
    ['no query', { query: undefined }, '400 1213'],
    ['a blank query', { query: '  ' }, '400 1213'],
    ['no knowledge bases', { knowledge_ids: [] }, '400 1213'],
    ['an unknown knowledge base', { knowledge_ids: ['unknown'] }, '404 404'],
    ['top_k 1', { top_k: 1 }, '200 200'],
    ['top_k 20', { top_k: 20 }, '200 200'],
    ['top_k 0', { top_k: 0 }, '400 1214'],
    ['top_k 21', { top_k: 21 }, '400 1214'],
    ['top_n 100', { top_n: 100 }, '200 200'],
    ['top_n 0', { top_n: 0 }, '400 1214'],
    ['top_n 101', { top_n: 101 }, '400 1214'],
    ['recall_ratio 0', { recall_ratio: 0 }, '200 200'],
    ['recall_ratio 100', { recall_ratio: 100 }, '200 200'],
    ['recall_ratio 101', { recall_ratio: 101 }, '400 1214'],
    ['recall_ratio -1', { recall_ratio: -1 }, '400 1214'],
    ['an unknown retrieval method', { recall_method: 'magic' }, '400 1214'],
    ['an unknown rerank model', { rerank_model: 'rerank-max' }, '400 1214'],
    ['rerank-pro', { rerank_status: 1, rerank_model: 'rerank-pro' }, '200 200'],
    ['rerank_status 2', { rerank_status: 2 }, '400 1214'],
    ['threshold 1.1', { fractional_threshold: 1.1 }, '400 1214'],
  ])('%s', async (_what, fields, expected) => {
    const body = { query: 'lighthouse', knowledge_ids: [id], ...fields }
    expect(await outcome(service, 'POST', `${path}/retrieve`, body)).toBe(expected)
  })

  test('embeds everything again with another model', async () => {
    expect(await outcome(service, 'PUT', `${path}/${id}`, { embedding_id: 12 })).toBe('200 200')
    const { list } = await dataOf<Listed>(
      service,
      'GET',
      `/llm-application/open/document?knowledge_id=${id}`,
    )
    expect(list.map(({ embedding_stat }) => embedding_stat)).toContain(0)
    await expect
      .poll(async () => (await find(service, id, 'ticket'))[0]?.text ?? '')
      .toContain('twelve euros')
  })

  test('updates the sizes of knowledge base and capacity with its documents', async () => {
    const baseInfo = await dataOf<{ document_size: number; word_num: number; length: number }>(
      service,
      'GET',
      `${path}/${id}`,
    )
    expect(baseInfo.document_size).toBe(2)
    expect(baseInfo.word_num).toBeGreaterThan(100)
    const { used, total } = await dataOf<
      Record<'used' | 'total', { word_num: number; length: number }>
    >(service, 'GET', `${path}/capacity`)
    expect(used.length).toBe(Buffer.byteLength(guide) + Buffer.byteLength(chinese))
    expect(total.word_num).toBeGreaterThan(used.word_num)
    await ask(service, 'DELETE', `${path}/${id}`)
    expect(await dataOf(service, 'GET', `${path}/capacity`)).toMatchObject({
      used: { word_num: 0, length: 0 },
    })
  })
})
