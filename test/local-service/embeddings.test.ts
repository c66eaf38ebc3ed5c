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
  readonly model: string
  readonly object: string
  readonly data: readonly { index: number; object: string; embedding: readonly number[] }[]
  readonly usage: Record<string, number>
  readonly engine: string
  readonly notice?: string
}

const post = (body: unknown, to = service): Promise<Response> =>
  to.call('/paas/v4/embeddings', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function embed(body: object): Promise<Answer> {
  const response = await post({ model: 'embedding-3', dimensions: 256, ...body })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector)

/** Creates words that are at least one token each, and no more by any count. */
const words = (many: number): string => Array(many).fill('go').join(' ')

test('returns the embedding of a text as in the API reference', async () => {
  const { data, ...rest } = await embed({ input: 'The train is late.', dimensions: 512 })
  expect(rest).toEqual({
    model: 'embedding-3',
    object: 'list',
    usage: { prompt_tokens: 6, completion_tokens: 0, total_tokens: 6 },
    engine: 'Universal Sentence Encoder lite (English), n-grams (other languages)',
  })
  expect(data).toEqual([{ index: 0, object: 'embedding', embedding: expect.any(Array) }])
  expect(data[0]?.embedding).toHaveLength(512)
})

test('returns unit vectors in all dimensions of every model', async () => {
  const input = ['The train is late.', '火车晚点了。']
  for (const dimensions of [2048, 1024, 512, 256]) {
    const { data } = await embed({ input, dimensions })
    for (const { embedding } of data) {
      expect(embedding).toHaveLength(dimensions)
      expect(lengthOf(embedding)).toBeCloseTo(1, 6)
    }
  }
  const byDefault = await embed({ input, dimensions: undefined })
  expect(byDefault.data[0]?.embedding).toHaveLength(2048)
  for (const dimensions of [undefined, 1024]) {
    const fixed = await embed({ model: 'embedding-2', input, dimensions })
    expect(fixed.model).toBe('embedding-2')
    expect(fixed.data[0]?.embedding).toHaveLength(1024)
  }
})

test('preserves the order of texts and returns the same vector for the same text', async () => {
  const texts = Array.from({ length: 64 }, (_, i) =>
    i % 3 === 0 ? `第${i}号会议在周一中午开始。` : `Meeting number ${i} starts at noon on Monday.`,
  )
  const { data } = await embed({ input: texts })
  expect(data.map(({ index }) => index)).toEqual(texts.map((_, i) => i))
  for (const i of [0, 1, 62, 63]) {
    const alone = (await embed({ input: texts[i] })).data[0]?.embedding ?? []
    const distance = Math.hypot(...alone.map((value, at) => value - (data[i]?.embedding[at] ?? 0)))
    expect(distance, texts[i]).toBeLessThan(1e-3)
  }
})

test('reports vectors not computed by the encoder or not in its own dimensions', async () => {
  const notice = async (input: unknown, dimensions: number) =>
    (await embed({ input, dimensions })).notice
  expect(await notice('Good morning', 512)).toBeUndefined()
  expect(await notice('Good morning', 256)).toMatch(/projected from 512 to 256/)
  expect(await notice('早上好', 512)).toMatch(/^The on-device encoder only supports English/)
  const mixed = await notice(
    ['Good morning', '早上好', 'Good night', 'Guten Morgen zusammen'],
    1024,
  )
  expect(mixed).toMatch(/projected from 512 to 1024/)
  expect(mixed).toMatch(/Texts 1 \(counting from 0\) aren’t in English/)
})

test('rejects invalid fields with the right code', async () => {
  const input = 'x'
  const model = 'embedding-3'
  const cases: readonly [unknown, string][] = [
    [{ input }, '400 1213'],
    [{ model }, '400 1213'],
    [{ model: 'embedding-9', input }, '400 1211'],
    [{ model: 7, input }, '400 1214'],
    [{ model, input: 7 }, '400 1214'],
    [{ model, input: '' }, '400 1214'],
    [{ model, input: ' \n' }, '400 1214'],
    [{ model, input: [] }, '400 1214'],
    [{ model, input: ['x', ''] }, '400 1214'],
    [{ model, input: ['x', 7] }, '400 1214'],
    [{ model, input, dimensions: 768 }, '400 1214'],
    [{ model, input, dimensions: 0 }, '400 1214'],
    [{ model, input, dimensions: '512' }, '400 1214'],
    [{ model: 'embedding-2', input, dimensions: 2048 }, '400 1214'],
    [[], '400 1210'],
  ]
  for (const [body, code] of cases)
    expect(await failureOf(await post(body)), JSON.stringify(body)).toBe(code)
})

test('accepts values at their limit and rejects values above it', async () => {
  const status = async (body: object): Promise<number> => {
    const response = await post(body)
    if (response.status !== 200) expect(await failureOf(response)).toBe('400 1214')
    return response.status
  }
  const three = (input: unknown) => status({ model: 'embedding-3', dimensions: 256, input })
  const two = (input: unknown) => status({ model: 'embedding-2', input })
  expect(await three(Array(64).fill('go'))).toBe(200)
  expect(await three(Array(65).fill('go'))).toBe(400)
  expect(await three(words(3072))).toBe(200)
  expect(await three(words(3073))).toBe(400)
  expect(await two(words(512))).toBe(200)
  expect(await two(words(513))).toBe(400)
  expect(await two(Array(16).fill(words(512)))).toBe(200)
  expect(await two([...Array(16).fill(words(512)), 'go'])).toBe(400)
  // The item limit of the other model.
  expect(await two(Array(65).fill('go'))).toBe(200)
  // Within the limit for any tokenizer, however the characters are counted.
  expect(await three('年'.repeat(3072))).toBe(200)
})

test('is unavailable for English without its model and explains how to fix it', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'lectern-models-'))
  const bare = await startTestService({ modelsDir: empty })
  try {
    const response = await post({ model: 'embedding-3', input: 'Good morning' }, bare)
    const text = await response.clone().text()
    expect(await failureOf(response)).toBe('400 1221')
    expect(text).toContain('npm run setup')
    expect(text).not.toContain(empty)
    // N-grams need no model.
    expect((await post({ model: 'embedding-3', input: '早上好' }, bare)).status).toBe(200)
  } finally {
    await bare.stop()
    await rm(empty, { recursive: true, force: true })
  }
})
