import { expect, test } from 'vitest'
import type { SemanticQuery } from '../../../../src/main/services/semantic/types.ts'
import { answer, choice, semanticDesk, type SemanticDesk } from './semantic-desk.ts'

async function embedded(): Promise<SemanticDesk & { readonly ask: SemanticQuery }> {
  const desk = await semanticDesk()
  const { id } = await desk.semantic.begin(choice)
  await desk.until('idle')
  const ask = {
    query: 'is the heating warm',
    indexId: id,
    kinds: null,
    from: null,
    until: null,
    limit: 4,
    rerankBy: null,
  }
  return Object.assign(desk, { ask })
}

test('meaning finds what the words do not, and the hit says where', async () => {
  const { semantic, ask } = await embedded()
  const { hits, took, engine, meaningError } = await semantic.search(ask)
  expect(hits[0]).toMatchObject({
    itemId: 'house',
    kind: 'recording',
    field: 'transcript',
    partId: 't-house',
    offset: 0,
    snippet: 'The boiler was serviced and the furnace runs again.',
    ranks: { meaning: 1, words: null, fused: 1, reranked: null },
    relevance: null,
  })
  expect(hits[0]?.cosine).toBeGreaterThan(0.9)
  expect(engine).toBe('an encoder')
  expect(meaningError).toBeNull()
  expect(took.embed).not.toBeNull()
})

test('a place found both ways is one hit and comes first; words show where they stand', async () => {
  const { semantic, ask } = await embedded()
  const { hits } = await semantic.search({ ...ask, query: 'the tide at the lawn' })
  const sea = hits.find(({ itemId }) => itemId === 'sea')
  expect(sea?.ranks).toMatchObject({ meaning: expect.any(Number), words: expect.any(Number) })
  expect(sea?.snippet.slice(...(sea.ranges[0] ?? [0, 0]))).toBe('tide')
  expect(hits.filter(({ itemId }) => itemId === 'sea')).toHaveLength(1)
})

test('kinds and dates narrow both', async () => {
  const { semantic, ask } = await embedded()
  const items = async (more: Partial<SemanticQuery>) =>
    (await semantic.search({ ...ask, ...more })).hits.map(({ itemId }) => itemId).toSorted()
  expect(await items({ kinds: ['document'] })).toEqual([])
  expect(await items({ from: 2000, until: 4000 })).toEqual(['money', 'plants'])
  expect(await items({ indexId: null, query: 'tulips' })).toEqual(['plants'])
})

test('reranking moves hits, says from where, and sends what the limits allow', async () => {
  const desk = await embedded()
  const { hits, rerankEngine, took } = await desk.semantic.search({ ...desk.ask, rerankBy: 'a' })
  expect(hits[0]).toMatchObject({ itemId: 'money', relevance: 0.9 })
  expect(hits[0]?.ranks.reranked).toBe(1)
  expect(hits[0]?.ranks.fused).toBeGreaterThan(1)
  expect(hits[1]).toMatchObject({ itemId: 'house', ranks: { fused: 1, reranked: 2 } })
  expect(rerankEngine).toBe('a ranker')
  expect(took.rerank).not.toBeNull()
  const sent = JSON.parse(String(desk.server.requests.at(-1)?.body)) as { documents: string[] }
  expect(sent.documents).toHaveLength(4)
})

test('without the service the words are left, and both troubles are told', async () => {
  const desk = await embedded()
  desk.server.always({ status: 400, body: '{"error":{"code":"1210","message":"no"}}' })
  const asked = { ...desk.ask, query: 'roses for the lawn', rerankBy: 'a' }
  const { hits, meaningError, rerankError } = await desk.semantic.search(asked)
  expect(hits.map(({ itemId }) => itemId)).toEqual(['plants'])
  expect(meaningError).toMatchObject({ code: 'INVALID_INPUT' })
  expect(rerankError).toBeNull()
  // A question that was asked before is known: it needs no service.
  const again = await desk.semantic.search(desk.ask).then(async () => {
    desk.server.always(answer)
    await desk.semantic.search(desk.ask)
    desk.server.always({ status: 400, body: '{"error":{"code":"1210","message":"no"}}' })
    return desk.semantic.search({ ...desk.ask, rerankBy: 'a' })
  })
  expect(again.meaningError).toBeNull()
  expect(again.hits[0]?.itemId).toBe('house')
  expect(again.rerankError).toMatchObject({ code: 'INVALID_INPUT' })
})

test('after a restart everything is found as before', async () => {
  const desk = await embedded()
  const before = await desk.semantic.search(desk.ask)
  await desk.restart()
  const after = await desk.semantic.search(desk.ask)
  expect(after.hits).toEqual(before.hits)
})
