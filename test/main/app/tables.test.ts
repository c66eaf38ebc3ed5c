import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.remove())

const requestCount = async (): Promise<number> =>
  (await app.call('activity.list', { limit: 100 })).calls.length
const sets = [{ model: 'embedding-3', dimensions: 256 } as const]

test('embeds texts on-device once: repeats, also after a restart, send nothing', async () => {
  const lines = ['Bees use the sun as a compass.', 'The train leaves at noon.', '蜜蜂采蜜。']
  const texts = Buffer.from(lines.map((text) => `${JSON.stringify({ text })}\n`).join(''))
  const taken = await app.intake('texts.jsonl', texts)
  if (!taken.ok) throw new Error(taken.error.message)
  const mediaId = taken.data.media.id
  const done = async (id: string) =>
    eventually(async () => {
      const run = await app.call('embeddings.get', { id })
      if (run.state !== 'done') throw new Error(run.state)
      return run
    })
  const first = await done((await app.call('embeddings.start', { mediaId, sets })).id)
  expect(first.sets[0]).toMatchObject({ done: 3, cached: 0, calls: 1 })
  // The on-device engine reports its limitations: one text is in a language of its other method, and vectors are projected.
  expect(first.sets[0]?.notice).toMatch(/512.*256/)
  const before = await requestCount()
  const second = await done((await app.call('embeddings.start', { mediaId, sets })).id)
  expect(second.sets[0]).toMatchObject({
    done: 3,
    cached: 3,
    calls: 0,
    mediaId: first.sets[0]?.mediaId,
  })
  const { home } = app
  await app.stop()
  app = await testApp({ home })
  expect((await app.call('embeddings.list', {})).runs.map(({ id }) => id)).toEqual([
    second.id,
    first.id,
  ])
  const third = await done((await app.call('embeddings.start', { mediaId, sets })).id)
  expect(third.sets[0]).toMatchObject({ cached: 3, calls: 0 })
  expect(await requestCount()).toBe(before)
})

test('ranks up to 128 texts on-device; rejects more before sending', async () => {
  const candidates = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      text:
        at === count - 1 ? 'Bees find home by the sun.' : `Note ${at} about trains and stations.`,
      source: null,
    }))
  const over = async (count: number) => {
    const { id } = await app.call('rerank.start', {
      query: 'How do bees find home?',
      candidates: candidates(count),
      topN: 2,
    })
    return eventually(async () => {
      const ranking = await app.call('rerank.get', { id })
      if (ranking.state === 'running') throw new Error('it runs')
      return ranking
    })
  }
  const few = await over(20)
  expect(few).toMatchObject({ state: 'done', rounds: { all: 1, answered: 1 } })
  expect(few.ranked.map(({ index }) => index)[0]).toBe(19)
  expect(few.ranked.length).toBe(2)
  // Its scores depend on the other texts of the call: two calls would not be comparable, so nothing is sent.
  const before = await requestCount()
  const request = { query: 'How do bees find home?', candidates: candidates(129) }
  expect(await app.raw('rerank.start', request)).toMatchObject({
    ok: false,
    error: { code: 'LIMIT_EXCEEDED', params: { what: 'documents', limit: 128, value: 129 } },
  })
  expect((await over(128)).state).toBe('done')
  expect(await requestCount()).toBe(before + 1)
})
