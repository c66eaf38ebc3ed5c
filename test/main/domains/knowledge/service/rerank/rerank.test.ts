import { expect, test } from 'vitest'
import {
  furtherRound,
  mergeRounds,
  roundCount,
} from '../../../../../../src/main/domains/knowledge/service/rerank/rounds.ts'
import { fullFor } from '../../../../platform/database/full-store.ts'
import { addItem, codeOf } from '../../../../platform/database/fixture.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { rerankSetup } from './rerank-setup.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `text ${at}`)
const numberIn = (text: string): number => Number(text.replace('text ', ''))
const json = (value: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

test('one request: assigns results to candidates by index, whatever order and texts are returned', async () => {
  const setup = await rerankSetup()
  setup.server.queue(
    json({
      results: [
        { index: 1, relevance_score: 0.2 },
        { index: 2, relevance_score: 0.9, document: 'another text' },
        { index: 0, relevance_score: 0.5, document: { text: '' } },
      ],
      engine: 'test',
      usage: { prompt_tokens: 5, total_tokens: 5 },
    }),
  )
  const { id } = setup.start(['a', 'b', 'c'])
  const ranking = await setup.over(id)
  expect(ranking).toMatchObject({
    state: 'done',
    title: 'Which?',
    engine: 'test',
    usage: { totalTokens: 5 },
    ranked: [
      { index: 2, score: 0.9 },
      { index: 0, score: 0.5 },
      { index: 1, score: 0.2 },
    ],
  })
  expect(ranking.candidates.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
  expect(setup.rerank.raw(id, 0)?.body).toContain('another text')
})

test('limits: accepts 4,096 characters, reports the index of a longer text and sends nothing', async () => {
  const setup = await rerankSetup()
  setup.answer(() => 1)
  const full = '字'.repeat(4095) + '😀'
  expect((await setup.over(setup.start([full], { query: full }).id)).state).toBe('done')
  const sent = setup.server.requests.length
  expect(() => setup.start(['ok', `${full}!`])).toThrow(
    expect.objectContaining({
      code: 'LIMIT_EXCEEDED',
      params: { what: 'document', limit: 4096, value: 4097, item: 1 },
    }),
  )
  expect(() => setup.start(['ok'], { query: `${full}!` })).toThrow(
    expect.objectContaining({ params: { what: 'query', limit: 4096, value: 4097 } }),
  )
  expect(await codeOf(() => setup.start([' ']))).toBe('BAD_REQUEST')
  expect(await codeOf(() => setup.start(['a'], { query: '\n' }))).toBe('BAD_REQUEST')
  expect(setup.server.requests.length).toBe(sent)
})

test('sends 128 candidates in one request with the count; 129 in two, cut after merging', async () => {
  const setup = await rerankSetup()
  setup.answer((text) => numberIn(text) / 1000)
  await setup.over(setup.start(numbered(128), { topN: 5 }).id)
  expect(setup.sent()).toMatchObject([{ top_n: 5 }])
  const { id } = setup.start(numbered(129), { topN: 3 })
  const ranking = await setup.over(id)
  expect(ranking.rounds).toEqual({ all: 2, answered: 2 })
  expect(ranking.ranked.map(({ index }) => index)).toEqual([128, 127, 126])
  const [, first, second] = setup.sent()
  expect([first?.documents.length, first?.top_n]).toEqual([128, 0])
  // The best and the worst of the first request are sent again.
  expect(second?.documents).toEqual(['text 127', 'text 0', 'text 128'])
})

test('never merges incomparable scores: reports the text that shows it, and keeps every response', async () => {
  const setup = await rerankSetup()
  setup.answer((text, documents) => numberIn(text) / 1000 + documents.length / 10)
  const ranking = await setup.over(setup.start(numbered(130)).id)
  expect(ranking).toMatchObject({
    state: 'failed',
    ranked: [],
    error: { code: 'REFUSED', params: { why: 'rounds', round: 2, item: 128 } },
  })
  expect(setup.rerank.raw(ranking.id, 1)?.body).toContain('relevance_score')
})

test('a failed request does not affect the others: resuming sends only what is missing', async () => {
  const setup = await rerankSetup()
  let refused = 1
  setup.answer((text) => numberIn(text) / 1000)
  const good = setup.server
  good.always((request) => {
    const { documents } = JSON.parse(request.body.toString('utf8')) as { documents: string[] }
    if (documents.includes('text 200') && refused-- > 0)
      return { status: 400, body: '{"error":{"code":"1210","message":"no"}}' }
    return json({
      results: documents.map((text, index) => ({ index, relevance_score: numberIn(text) / 1000 })),
    })
  })
  const { id } = setup.start(numbered(250))
  expect(await setup.over(id)).toMatchObject({ state: 'failed', rounds: { all: 2, answered: 1 } })
  const before = good.requests.length
  setup.rerank.resumeRanking(id)
  const ranking = await setup.over(id)
  expect(ranking).toMatchObject({ state: 'done', error: null })
  expect(ranking.ranked[0]).toEqual({ index: 249, score: 0.249 })
  expect(good.requests.length).toBe(before + 1)
  expect(await codeOf(() => setup.rerank.resumeRanking(id))).toBe('REFUSED')
})

test.for([
  ['an index that was not sent', [{ index: 3, relevance_score: 1 }]],
  [
    'an index twice',
    [
      { index: 0, relevance_score: 1 },
      { index: 0, relevance_score: 0.5 },
    ],
  ],
  ['no score', [{ index: 0 }]],
] as const)('rejects a response with %s without guessing', async ([, results]) => {
  const setup = await rerankSetup()
  setup.server.queue(json({ results }))
  expect(await setup.over(setup.start(['a', 'b']).id)).toMatchObject({
    state: 'failed',
    error: { code: 'MALFORMED_REPLY' },
    ranked: [],
  })
})

test('a stop preserves results; rankings left by an earlier process are reported as interrupted', async () => {
  const setup = await rerankSetup()
  setup.server.always({ hang: true, headers: { 'content-type': 'application/json' }, body: '{' })
  const { id } = setup.start(['a', 'b'])
  expect(await setup.rerank.cancel(id)).toMatchObject({ state: 'cancelled' })
  setup.store.rerank.finish(id, { state: 'running', at: 1 })
  setup.again().resume()
  expect(setup.rerank.get(id)).toMatchObject({
    state: 'broken',
    error: { code: 'LEFT_UNFINISHED' },
  })
})

test('finds rankings of the same texts; supports Trash and undo; deletes after 30 days', async () => {
  const setup = await rerankSetup()
  setup.answer(() => 0.5)
  const a = setup.start(['one', 'two']).id
  const b = setup.start(['two', 'three']).id
  const c = setup.start(['four']).id
  for (const id of [a, b, c]) await setup.over(id)
  const ids = (query: object) =>
    setup.rerank.list({ bin: false, limit: 10, ...query }).rankings.map(({ id }) => id)
  expect(ids({ like: a })).toEqual([b])
  expect(ids({ like: c })).toEqual([])
  await setup.rerank.remove([b])
  expect([ids({}), ids({ bin: true }), ids({ like: a })]).toEqual([[c, a], [b], []])
  setup.rerank.restore([b])
  expect(ids({})).toEqual([c, b, a])
  setup.store.rerank.bin([b], Date.now() - 31 * 86_400_000)
  setup.rerank.resume()
  expect(await codeOf(() => setup.rerank.get(b))).toBe('NOT_FOUND')
  expect(ids({ bin: true })).toEqual([])
})

test('a page of the list continues where the previous one ended', async () => {
  const setup = await rerankSetup()
  setup.answer(() => 0.5)
  const made = [setup.start(['a']).id, setup.start(['b']).id, setup.start(['c']).id]
  const first = setup.rerank.list({ bin: false, limit: 2 })
  expect(first.rankings.map(({ id }) => id)).toEqual([made[2], made[1]])
  expect(first.next).toBe(made[1])
  const rest = setup.rerank.list({ bin: false, limit: 2, before: made[1] })
  expect([rest.rankings.map(({ id }) => id), rest.next]).toEqual([[made[0]], null])
})

test('computes the number of requests, and requests every candidate once', () => {
  expect([1, 128, 129, 254, 255].map((count) => roundCount(count, 128))).toEqual([1, 1, 2, 2, 3])
  const first = [
    { index: 0, score: 0.1 },
    { index: 1, score: 0.7 },
  ]
  const own = Array.from({ length: roundCount(300, 128) - 1 }, (_, at) =>
    furtherRound(at + 1, 300, 128, first),
  )
  expect(own.flatMap((round) => round.own)).toEqual(
    Array.from({ length: 172 }, (_, at) => at + 128),
  )
  expect(own.every(({ anchors }) => anchors.join() === '1,0')).toBe(true)
  expect(
    mergeRounds([
      first,
      [
        { index: 1, score: 0.7005 },
        { index: 2, score: 0.9 },
      ],
    ]),
  ).toMatchObject({
    ranked: [{ index: 2 }, { index: 1, score: 0.7 }, { index: 0 }],
  })
})

test('returns whole Library passages, each with its location, without duplicates', async () => {
  const setup = await rerankSetup()
  const long = `${'Nothing to the point is said here. '.repeat(60)}The lighthouse keeper lit the lamp. ${'And on it goes for long. '.repeat(60)}`
  addItem(setup.store, 'short', 'Harbour', 'A lighthouse stands at the harbour.')
  addItem(setup.store, 'long', 'Diary', long)
  const { passages, more } = await setup.rerank.find('lighthouse', 10)
  expect(more).toBe(false)
  const of = (title: string) => passages.find(({ source }) => source?.title === title)
  expect(of('Harbour')).toEqual({
    text: 'A lighthouse stands at the harbour.',
    source: {
      itemId: 'short',
      kind: 'meeting',
      title: 'Harbour',
      partId: expect.any(String) as string,
      page: null,
    },
  })
  const passage = of('Diary')?.text ?? ''
  expect(passage).toContain('The lighthouse keeper lit the lamp.')
  expect(passage.length).toBeLessThanOrEqual(1200)
  expect(passage).toMatch(/^[A-Z]/)
  expect(await setup.rerank.find('nothing holds this word: xyzzy', 10)).toEqual({
    passages: [],
    more: false,
  })
})

test('holds responses in memory while the disk is full, stores them later, and requests none twice', async () => {
  const setup = await rerankSetup()
  setup.answer((text) => numberIn(text) / 1000)
  const tries = fullFor(setup.store.rerank, 'keepRound', 3)
  const { id } = setup.start(numbered(200))
  expect(await setup.over(id)).toMatchObject({ state: 'done', rounds: { all: 2, answered: 2 } })
  expect(tries()).toBe(5)
  expect(setup.sent()).toHaveLength(2)
  expect(setup.rerank.raw(id, 0)?.body).toContain('relevance_score')
  expect(setup.unsaved).toEqual([{ count: 1, code: 'DISK_FULL' }, null])
})

test('a stop while a response waits for space does not discard it', async () => {
  const setup = await rerankSetup()
  setup.answer((text) => numberIn(text) / 1000)
  const tries = fullFor(setup.store.rerank, 'keepRound', 2)
  const { id } = setup.start(numbered(200))
  await eventually(() => expect(tries()).toBeGreaterThan(0))
  expect(await setup.rerank.cancel(id)).toMatchObject({
    state: 'cancelled',
    rounds: { answered: 1 },
  })
  expect(setup.sent()).toHaveLength(1)
})

test('merged orders of several requests are correct within the reported error', async () => {
  const setup = await rerankSetup()
  const trueScore = (text: string): number =>
    ((numberIn(text) ** 2 * 7919 + numberIn(text) * 104_729) % 10_007) / 10_007
  // Every request shifts its scores slightly, as rounding and batching of an engine do.
  setup.answer((text, documents) => {
    const call = documents.length + numberIn(documents.at(-1) ?? 'text 0')
    return trueScore(text) + (((call * 31) % 11) - 5) / 12_000
  })
  const { ranked, spread, rounds } = await setup.over(setup.start(numbered(700)).id)
  expect(rounds).toEqual({ all: 6, answered: 6 })
  expect(ranked.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 700 }, (_, at) => at),
  )
  expect(spread).toBeGreaterThan(0)
  expect(spread).toBeLessThanOrEqual(10 / 12_000 + 1e-9)
  let worst = 0
  let best = Infinity
  for (const { index } of ranked) {
    const score = trueScore(`text ${index}`)
    worst = Math.max(worst, score - best)
    best = Math.min(best, score)
  }
  expect(worst).toBeGreaterThan(0)
  expect(worst).toBeLessThanOrEqual(2 * (spread ?? 0) + 1e-9)
})
