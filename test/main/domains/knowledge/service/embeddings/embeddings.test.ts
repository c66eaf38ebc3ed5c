import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { held } from '../../../../../fixtures/held.ts'
import { fullFor } from '../../../../platform/database/full-store.ts'
import { addItem, codeOf } from '../../../../platform/database/fixture.ts'
import { answerWith, embeddingSetup, sentTexts } from './embedding-setup.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `text ${at}`)
const small = { model: 'embedding-3', dimensions: 256 } as const

test('writes vectors in text order, including duplicates; a second run sends nothing', async () => {
  const setup = await embeddingSetup()
  setup.server.always(answerWith(256))
  const texts = ['text 5', 'text 2', 'text 5']
  const { id } = await setup.start(texts)
  const run = await setup.over(id)
  expect(run).toMatchObject({
    state: 'done',
    count: 3,
    title: 'text 5',
    sets: [{ state: 'done', done: 2, of: 2, cached: 0, calls: 1, engine: 'an engine' }],
  })
  expect(await setup.firsts(id)).toEqual([6, 3, 6])
  const mediaId = run.textsMediaId
  expect((await setup.embeddings.plan({ mediaId, sets: [small] })).costs).toMatchObject([
    { distinct: 2, cached: 2, tokens: 0, calls: 0 },
  ])
  const again = await setup.start(texts)
  expect(await setup.over(again.id)).toMatchObject({
    state: 'done',
    textsMediaId: mediaId,
    sets: [{ cached: 2, of: 2, calls: 0 }],
  })
  expect(setup.server.requests.length).toBe(1)
  expect(await setup.firsts(again.id)).toEqual([6, 3, 6])
  const like = setup.embeddings.list({ bin: false, texts: mediaId, limit: 10 }).runs
  expect(like.map((one) => one.id)).toEqual([again.id, id])
})

test('limits: sends 64 texts in one request, 65 in two; rejects a too long text before sending', async () => {
  const setup = await embeddingSetup()
  setup.server.always(answerWith(256))
  await setup.over((await setup.start(numbered(64))).id)
  expect(setup.server.requests.map((request) => sentTexts(request).length)).toEqual([64])
  await setup.over((await setup.start(numbered(129))).id)
  expect(setup.server.requests.map((request) => sentTexts(request).length)).toEqual([64, 64, 1])
  const long = 'word '.repeat(3073)
  const error = await setup.start(['fine', long]).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'tokens', item: 1, limit: 3072 },
  })
  const fits = 'word '.repeat(513)
  expect(
    await codeOf(async () => setup.start([fits], [{ model: 'embedding-2', dimensions: 1024 }])),
  ).toBe('LIMIT_EXCEEDED')
  expect(await codeOf(() => setup.start([]))).toBe('EMPTY_FILE')
  expect(setup.server.requests.length).toBe(3)
})

test('saves partial results as a file with gaps after a failure; resuming sends only the rest', async () => {
  const setup = await embeddingSetup()
  let calls = 0
  setup.server.always((request) => {
    calls += 1
    return calls === 2
      ? { status: 400, body: '{"error":{"code":"1210","message":"no"}}' }
      : answerWith(256)(request)
  })
  const { id } = await setup.start(numbered(70))
  const run = await setup.over(id)
  expect(run).toMatchObject({ state: 'failed', sets: [{ state: 'partial', done: 64, of: 70 }] })
  const partial = run.sets[0]?.mediaId ?? ''
  const firsts = await setup.firsts(id)
  expect([firsts[63], firsts.slice(64).every(Number.isNaN)]).toEqual([64, true])
  setup.embeddings.resumeRun(id)
  expect(await setup.over(id)).toMatchObject({
    state: 'done',
    error: null,
    sets: [{ state: 'done', cached: 64, done: 70 }],
  })
  expect(await setup.firsts(id)).toEqual(numbered(70).map((_, at) => at + 1))
  expect(setup.server.requests.map((request) => sentTexts(request).length)).toEqual([64, 6, 6])
  // The file with gaps is no longer referenced.
  expect(setup.store.media.get(partial)).toBeUndefined()
  expect(await codeOf(() => setup.embeddings.resumeRun(id))).toBe('REFUSED')
})

test('failures without new vectors write no file again', async () => {
  const setup = await embeddingSetup()
  setup.server.always((request) =>
    sentTexts(request).includes('text 69') ? { status: 500, body: '{}' } : answerWith(256)(request),
  )
  const written: unknown[] = []
  const { embeddings } = setup.store
  const changeSet = embeddings.changeSet.bind(embeddings)
  Object.assign(embeddings, {
    changeSet(...input: Parameters<typeof changeSet>) {
      if (input[2].mediaId !== undefined) written.push(input[2].mediaId)
      return changeSet(...input)
    },
  })
  const { id } = await setup.start(numbered(70))
  const run = await setup.over(id)
  expect(run).toMatchObject({ state: 'failed', sets: [{ state: 'partial', done: 64, of: 70 }] })
  expect(written).toEqual([run.sets[0]?.mediaId])
  expect((await setup.firsts(id))[63]).toBe(64)
})

test('a stop preserves results; the next start automatically resumes runs that were not stopped', async () => {
  const setup = await embeddingSetup()
  let calls = 0
  setup.server.always((request) => {
    calls += 1
    return calls === 2 ? { hang: true, body: '{' } : answerWith(256)(request)
  })
  const { id } = await setup.start(numbered(70))
  await eventually(() => expect(calls).toBe(2))
  expect(await setup.embeddings.cancel(id)).toMatchObject({
    state: 'cancelled',
    sets: [{ state: 'partial', done: 64 }],
  })
  setup.store.embeddings.change(id, 'running', 1)
  const next = setup.again()
  next.resume()
  await eventually(() => expect(next.get(id).state).toBe('done'))
  expect(await setup.firsts(id)).toEqual(numbered(70).map((_, at) => at + 1))
})

test('a run that is stopped while the disk is full sends nothing more, and is stopped once there is space', async () => {
  const setup = await embeddingSetup()
  let calls = 0
  setup.server.always((request) => {
    calls += 1
    return calls === 2 ? { hang: true, body: '{' } : answerWith(256)(request)
  })
  const { id } = await setup.start(numbered(70))
  await eventually(() => expect(calls).toBe(2))
  const tries = fullFor(setup.store.embeddings, 'change', 3)
  expect(await codeOf(() => setup.embeddings.cancel(id))).toBe('DISK_FULL')
  expect(setup.embeddings.get(id).state).toBe('running')
  await eventually(() => expect(setup.embeddings.get(id).state).toBe('cancelled'))
  expect([tries(), calls]).toEqual([4, 2])
  // Its last state is the one the user asked for.
  setup.embeddings.resumeRun(id)
  expect(await setup.over(id)).toMatchObject({ state: 'done' })
})

test('waits without a network, and continues when the account is reachable', async () => {
  const setup = await embeddingSetup()
  setup.server.always(answerWith(256))
  setup.setOffline(true)
  const { id } = await setup.start(['text 1'])
  const waiting = { state: 'waiting', error: { code: 'OFFLINE' } }
  await eventually(() => expect(setup.embeddings.get(id)).toMatchObject(waiting))
  await eventually(() => expect(setup.waiting.at(-1)).toBe(1))
  setup.setOffline(false)
  setup.embeddings.accountReady('another')
  setup.embeddings.accountReady('a')
  expect(await setup.over(id)).toMatchObject({ state: 'done', error: null })
  expect(setup.waiting.at(-1)).toBe(0)
  expect(setup.server.requests).toHaveLength(1)
})

test('a failure that may be paid for is repeated four times, although the network returns after each', async () => {
  const setup = await embeddingSetup()
  setup.server.always(() => {
    setTimeout(() => setup.embeddings.accountReady('a'), 1)
    return { dropped: true }
  })
  const { id } = await setup.start(['text 1'])
  expect(await setup.over(id)).toMatchObject({ state: 'failed', error: { code: 'OFFLINE' } })
  expect(setup.server.requests.length).toBeLessThanOrEqual(5 * 4)
})

const vector = (length: number) => Array.from({ length }, () => 0.5)
test.for([
  ['fewer vectors than texts', [{ index: 0, embedding: vector(256) }]],
  [
    'an index twice',
    [
      { index: 0, embedding: vector(256) },
      { index: 0, embedding: vector(256) },
    ],
  ],
  [
    'other dimensions',
    [
      { index: 0, embedding: vector(255) },
      { index: 1, embedding: vector(255) },
    ],
  ],
] as const)(
  'rejects a response with %s without guessing, and saves none of it',
  async ([, data]) => {
    const setup = await embeddingSetup()
    setup.server.always({ body: JSON.stringify({ data }) })
    const { id } = await setup.start(['text 1', 'text 2'])
    const run = await setup.over(id)
    expect(run).toMatchObject({ state: 'failed', error: { code: 'MALFORMED_REPLY' } })
    const { costs } = await setup.embeddings.plan({ mediaId: run.textsMediaId, sets: [small] })
    expect(costs[0]?.cached).toBe(0)
    // It is billed, and the same texts have the same response.
    expect(setup.server.requests).toHaveLength(1)
  },
)

test('texts that always fail are sent five times, although others succeed at the same time', async () => {
  const setup = await embeddingSetup(4)
  let failures = 0
  setup.server.always((request) => {
    if (!sentTexts(request).includes('text 0')) return answerWith(256)(request)
    failures += 1
    return { status: 500, body: '{}' }
  })
  const { id } = await setup.start(numbered(4_000))
  expect(await setup.over(id)).toMatchObject({ state: 'failed', error: { retriable: true } })
  // The client sends each request up to four times.
  expect(failures).toBe(5 * 4)
})

test('each text may fail, if the run gets past it', async () => {
  const setup = await embeddingSetup()
  const failed = new Map<string, number>()
  setup.server.always((request) => {
    const [first = ''] = sentTexts(request)
    const failures = failed.get(first) ?? 0
    failed.set(first, failures + 1)
    return failures < 3 * 4 ? { status: 500, body: '{}' } : answerWith(256)(request)
  })
  const { id } = await setup.start(numbered(64 * 3))
  expect(await setup.over(id)).toMatchObject({ state: 'done', error: null })
})

test('a briefly busy provider causes only a short delay', async () => {
  const setup = await embeddingSetup()
  setup.server.queue({ status: 429, headers: { 'retry-after': '0' }, body: '{}' })
  setup.server.always(answerWith(256))
  expect(await setup.over((await setup.start(['text 1'])).id)).toMatchObject({ state: 'done' })
})

test('handles several sets, a query with one of them, and a file of each', async () => {
  const setup = await embeddingSetup()
  setup.server.always((request) =>
    answerWith((JSON.parse(String(request.body)) as { dimensions?: number }).dimensions ?? 1024)(
      request,
    ),
  )
  const sets = [small, { model: 'embedding-2', dimensions: 1024 }] as const
  const { id } = await setup.start(['text 1', 'text 2'], sets)
  expect((await setup.over(id)).sets.map(({ done }) => done)).toEqual([2, 2])
  expect(await setup.firsts(id, 1)).toEqual([2, 3])
  const query = await setup.embeddings.query(id, 1, 'text 2')
  expect(query.cached).toBe(true)
  expect((await setup.bytes(query.mediaId)).length).toBe(1024 * 4)
  const file = await setup.embeddings.export(id, 0, 'npy')
  expect(file.name).toBe('text 1 embedding-3 256.npy')
  expect((await setup.bytes(file.mediaId)).length).toBe(128 + 2 * 256 * 4)
  expect(await codeOf(() => setup.embeddings.query(id, 4, 'x'))).toBe('NOT_FOUND')
})

test('embeds a Library item in chunks, each with its location', async () => {
  const setup = await embeddingSetup()
  addItem(setup.store, 'i', 'Talk', 'First part of it.\n\nSecond part of it, somewhat longer.')
  const { mediaId, count } = await setup.embeddings.items(['i'], 32)
  const lines = (await setup.bytes(mediaId)).toString('utf8').trim().split('\n')
  expect(count).toBe(lines.length)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    source: { itemId: 'i', kind: 'meeting', title: 'Talk', partId: expect.any(String) as string },
  })
  expect(await codeOf(() => setup.embeddings.items(['none'], 32))).toBe('NOT_FOUND')
})

test('supports Trash and undo; after 30 days texts and vectors are deleted with the run', async () => {
  const setup = await embeddingSetup()
  setup.server.always(answerWith(256))
  const { id, textsMediaId } = await setup.start(['text 1'])
  const { sets } = await setup.over(id)
  const list = (bin: boolean) => setup.embeddings.list({ bin, limit: 10 }).runs.map((run) => run.id)
  await setup.embeddings.remove([id])
  expect([list(false), list(true)]).toEqual([[], [id]])
  setup.embeddings.restore([id])
  expect(list(false)).toEqual([id])
  setup.store.embeddings.bin([id], Date.now() - 31 * 86_400_000)
  setup.embeddings.resume()
  expect(await codeOf(() => setup.embeddings.get(id))).toBe('NOT_FOUND')
  await eventually(() => {
    expect(setup.store.media.get(textsMediaId)).toBeUndefined()
    expect(setup.store.media.get(sets[0]?.mediaId ?? '')).toBeUndefined()
  })
})

test('a temporarily full disk, for vectors or rows, delays a run: nothing is sent twice', async () => {
  const setup = await embeddingSetup()
  setup.server.always(answerWith(256))
  const { id } = await setup.start(numbered(100))
  const tries = fullFor(setup.store.vectors, 'put', 2)
  fullFor(setup.store.embeddings, 'changeSet', 1)
  fullFor(setup.store.embeddings, 'change', 1)
  expect(await setup.over(id)).toMatchObject({ state: 'done', error: null, sets: [{ done: 100 }] })
  expect(tries()).toBeGreaterThan(2)
  expect(setup.server.requests.flatMap(sentTexts)).toEqual(numbered(100))
  expect((await setup.firsts(id)).length).toBe(100)
})

test('exports vectors as received, also from the cache; searches with 32-bit floats', async () => {
  const setup = await embeddingSetup()
  const embedding = Array.from({ length: 256 }, (_, at) => (at === 0 ? 0.266207 : 0.1))
  setup.server.always({ body: JSON.stringify({ data: [{ index: 0, embedding }] }) })
  for (let n = 0; n < 2; n++) {
    const { id } = await setup.start(['text 1'])
    expect(await setup.over(id)).toMatchObject({ state: 'done', sets: [{ cached: n }] })
    const file = await setup.embeddings.export(id, 0, 'jsonl')
    const line = (await setup.bytes(file.mediaId)).toString('utf8')
    expect(line).toContain(`"embedding":${JSON.stringify(embedding)}`)
    expect(await setup.firsts(id)).toEqual([Math.fround(0.266207)])
  }
  expect(setup.server.requests).toHaveLength(1)
})

test('erasing removes vectors in transit although another program briefly reads them', async () => {
  const setup = await embeddingSetup()
  const folder = join(setup.home, 'embeddings')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'half.f32'), 'vectors')
  setTimeout(held(join(folder, 'half.f32')), 200)
  await setup.embeddings.stopAll()
  expect(existsSync(folder)).toBe(false)
})
