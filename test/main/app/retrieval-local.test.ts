import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RetrievalHit, RetrievalRowWhole } from '../../../src/shared/model/retrieval.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { ended, makeBase, settingsOf } from './retrieval-setup.ts'

let lectern: TestApp
let baseId: string
beforeAll(async () => {
  lectern = await testApp()
  baseId = await makeBase(lectern)
})
afterAll(() => lectern.remove())

const rowsOf = async (id: string): Promise<readonly RetrievalRowWhole[]> => {
  const { rows } = await lectern.call('retrieval.run', { id })
  return Promise.all(rows.map(({ at }) => lectern.call('retrieval.row', { runId: id, at })))
}
const passageOf = ({ sliceId, textKey, text, documentId, documentName }: RetrievalHit) => ({
  sliceId,
  textKey,
  text,
  documentId,
  documentName,
})
const fileOf = async (mediaId: string): Promise<string> =>
  (await lectern.app.fetch(new Request(`http://127.0.0.1/media/${mediaId}`), lectern.page)).text()

test('runs a query with and without reranking, and stores the results unchanged', async () => {
  const started = await lectern.call('retrieval.ask', {
    question: 'What does the night train cost?',
    settings: settingsOf(baseId),
  })
  expect(await ended(lectern, started.id)).toMatchObject({ state: 'done', total: 2, done: 2 })
  const [plain, reranked] = await rowsOf(started.id)
  expect([plain?.rerank, reranked?.rerank]).toEqual([false, true])
  expect(plain?.tookMs).toBeGreaterThan(0)
  expect(plain?.engine).toBeTruthy()
  const { reply } = await lectern.call('retrieval.raw', { runId: started.id, at: 1 })
  const results = (JSON.parse(reply?.body ?? '') as { data: { text: string; score: number }[] })
    .data
  expect(reranked?.found.map(({ text, rerankScore }) => [text, rerankScore])).toEqual(
    results.map(({ text, score }) => [text, score]),
  )
  expect(reranked?.found[0]?.recallScore).toBeNull()
  expect(plain?.found.map(({ recallScore, score }) => recallScore === score)).not.toContain(false)
  expect(plain?.found[0]).toMatchObject({ documentName: 'trains.md', rerankScore: null, rank: 1 })
})

test('turns a query with its ratings into a test set, which runs twice and is compared', async () => {
  const settings = settingsOf(baseId)
  const question = 'How long are dumplings boiled?'
  const run = await lectern.call('retrieval.ask', { question, settings })
  await ended(lectern, run.id)
  const [plain] = await rowsOf(run.id)
  const right = plain?.found.find(({ text }) => text.includes('six minutes'))
  if (!plain?.questionId || !right) throw new Error('It is not found')
  await lectern.call('retrieval.rate', {
    questionId: plain.questionId,
    passage: passageOf(right),
    grade: 3,
  })
  const { set } = await lectern.call('retrieval.saveQuestion', {
    runId: run.id,
    title: 'Travel set',
  })
  expect(set).toMatchObject({ title: 'Travel set', questions: 1, answerable: 1 })
  const added = await lectern.call('retrieval.addQuestions', {
    setId: set.id,
    questions: [{ text: question }, { text: 'Where do bicycles stand?' }],
  })
  expect(added.known).toBe(1)

  const first = await lectern.call('retrieval.start', {
    setId: set.id,
    settings: settingsOf(baseId, { rerank: 'off' }),
    title: 'Before',
  })
  const second = await lectern.call('retrieval.start', {
    setId: set.id,
    settings: settingsOf(baseId, { rerank: 'off', topK: 1, recallMethod: 'keyword' }),
    title: 'After',
  })
  await ended(lectern, first.id)
  await ended(lectern, second.id)
  const compared = await lectern.call('retrieval.compare', {
    a: { runId: first.id },
    b: { runId: second.id },
    k: 5,
  })
  const [one, other] = [await rowsOf(first.id), await rowsOf(second.id)]
  const before = one.find((row) => row.question === question)?.found ?? []
  const after = other.find((row) => row.question === question)?.found ?? []
  const rank = (hits: readonly RetrievalHit[]): number =>
    hits.findIndex(({ text }) => text === right.text) + 1
  const mrr = (at: number): number => (at === 0 ? 0 : 1 / at)
  const row = compared.rows.find((each) => each.question === question)
  expect(row?.a?.mrr).toBeCloseTo(mrr(rank(before)), 10)
  expect(row?.b?.mrr).toBeCloseTo(mrr(rank(after)), 10)
  expect(row?.left).toBe(before.length - after.length)
  expect([compared.a.measured, compared.a.answered]).toEqual([1, 2])
  expect(compared.a.latency).toBeCloseTo(
    one.reduce((sum, { tookMs }) => sum + (tookMs ?? 0), 0) / one.length,
    6,
  )

  const written = await lectern.call('retrieval.export', {
    what: 'run',
    id: first.id,
    format: 'json',
  })
  const exported = JSON.parse(await fileOf(written.media.id)) as {
    settings: typeof settings
    rows: {
      question: string
      rerank: boolean
      tookMs: number
      tokens: null
      hits: RetrievalHit[]
    }[]
  }
  const again = await lectern.call('retrieval.importRun', {
    setId: set.id,
    title: 'Taken in',
    settings: exported.settings,
    createdAt: 5,
    rows: exported.rows.map(({ question: text, rerank, tookMs: durationMs, tokens, hits }) => ({
      question: text,
      rerank,
      tookMs: durationMs,
      tokens,
      hits: hits.map(({ rank: _, place: _place, ...hit }) => hit),
    })),
  })
  expect(again).toMatchObject({ state: 'done', total: 2, done: 2 })
  const same = await lectern.call('retrieval.compare', {
    a: { runId: first.id },
    b: { runId: again.id },
  })
  expect(same.rows.map(({ entered, left, moved }) => entered + left + moved)).toEqual([0, 0])
  expect(same.b).toEqual(same.a)
  for (const what of ['set', 'run'] as const) {
    const id = what === 'set' ? set.id : first.id
    const { media } = await lectern.call('retrieval.export', { what, id, format: 'csv' })
    expect(await fileOf(media.id)).toContain(question)
  }
})

test('restores a test set from Trash with all its data, and removed questions as well', async () => {
  const settings = settingsOf(baseId)
  const { id } = await lectern.call('retrieval.createSet', { title: 'Binned', settings })
  const { questions } = await lectern.call('retrieval.addQuestions', {
    setId: id,
    questions: [{ text: 'One?' }, { text: 'Two?' }],
  })
  const ids = questions.slice(0, 1).map((one) => one.id)
  await lectern.call('retrieval.dropQuestions', { ids })
  expect((await lectern.call('retrieval.set', { id })).entries.map(({ text }) => text)).toEqual([
    'Two?',
  ])
  await lectern.call('retrieval.restoreQuestions', { ids })
  await lectern.call('library.remove', { ids: [id] })
  const listed = async () =>
    (await lectern.call('retrieval.sets', {})).sets.some((set) => set.id === id)
  expect(await listed()).toBe(false)
  await lectern.call('library.restore', { ids: [id] })
  expect(await listed()).toBe(true)
  expect((await lectern.call('retrieval.set', { id })).questions).toBe(2)
  await lectern.call('library.remove', { ids: [id] })
  await lectern.call('library.purge', { ids: [id] })
  expect(await lectern.raw('retrieval.set', { id })).toMatchObject({ error: { code: 'NOT_FOUND' } })
})

test('records a refused query as a failed row with its reason, and allows a retry', async () => {
  const started = await lectern.call('retrieval.ask', {
    question: 'Anything?',
    settings: settingsOf('no-such-base'),
  })
  expect(await ended(lectern, started.id)).toMatchObject({ state: 'done', failed: 2, done: 0 })
  const [row] = await rowsOf(started.id)
  expect(row).toMatchObject({ state: 'failed', found: [], error: { code: expect.any(String) } })
  await lectern.call('retrieval.retry', { id: started.id })
  expect(await ended(lectern, started.id)).toMatchObject({ state: 'done', failed: 2 })
  await lectern.call('retrieval.removeRuns', { ids: [started.id] })
  expect(await lectern.raw('retrieval.run', { id: started.id })).toMatchObject({ ok: false })
})

test('restores a removed run on Undo, and hides it from every list until then', async () => {
  const settings = settingsOf(baseId, { rerank: 'off' })
  const { id: setId } = await lectern.call('retrieval.createSet', { title: 'Undone', settings })
  await lectern.call('retrieval.addQuestions', {
    setId,
    questions: [{ text: 'Where can I park?' }],
  })
  const { id } = await lectern.call('retrieval.start', { setId, settings })
  await ended(lectern, id)
  const runs = async () =>
    (await lectern.call('retrieval.runs', { setId })).runs.map((run) => run.id)
  const counted = async () =>
    (await lectern.call('retrieval.sets', {})).sets.find((set) => set.id === setId)?.runs
  await lectern.call('retrieval.removeRuns', { ids: [id] })
  expect([await runs(), await counted()]).toEqual([[], 0])
  await lectern.call('retrieval.restoreRuns', { ids: [id] })
  expect([await runs(), await counted()]).toEqual([[id], 1])
  expect((await rowsOf(id))[0]).toMatchObject({ state: 'done', found: expect.any(Array) })
})

test('finds a test set in the Library by its questions, notes and retrieved chunks', async () => {
  const settings = settingsOf(baseId, { rerank: 'off' })
  const { id } = await lectern.call('retrieval.createSet', { title: 'Searched', settings })
  const { questions } = await lectern.call('retrieval.addQuestions', {
    setId: id,
    questions: [
      { text: 'Where do penguins sleep?' },
      { text: 'Where stands a bicycle?', note: 'zweirad' },
    ],
  })
  const [penguins, bicycle] = questions.map((one) => one.id)
  const found = async (query: string) =>
    (await lectern.call('library.search', { query, kinds: ['retrieval'] })).hits
      .filter(({ itemId }) => itemId === id)
      .map(({ field, partId }) => [field, partId])
  await eventually(async () => expect(await found('penguins')).toEqual([['question', penguins]]))
  expect(await found('zweirad')).toEqual([['question', bicycle]])
  expect(await found('searched')).toEqual([['title', null]])
  expect(await found('yard behind')).toEqual([])
  const run = await lectern.call('retrieval.start', { setId: id, settings })
  await ended(lectern, run.id)
  await eventually(async () =>
    expect((await found('yard behind')).map(([field]) => field)).toEqual(['question']),
  )
  await lectern.call('retrieval.removeRuns', { ids: [run.id] })
  await eventually(async () => expect(await found('yard behind')).toEqual([]))
  await lectern.call('retrieval.editQuestion', {
    id: penguins ?? '',
    text: 'Where do seals sleep?',
  })
  await lectern.call('library.rename', { id, title: 'Renamed' })
  await eventually(async () => {
    expect(await found('penguins')).toEqual([])
    expect(await found('renamed seals')).toEqual([['question', penguins]])
  })
})
