import { expect, test } from 'vitest'
import { probes } from '../../../../../../src/main/domains/library/service/semantic/similarity.ts'
import { VectorGone } from '../../../../../../src/main/domains/library/store/semantic-chunks.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { fullFor } from '../../../../platform/database/full-store.ts'
import { addItem, putText, codeOf } from '../../../../platform/database/fixture.ts'
import { answer, choice, semanticSetup, sentTexts } from './semantic-setup.ts'

const refusal = (status: number, code: string) => ({
  status,
  body: JSON.stringify({ error: { code, message: 'no' } }),
})

test('reports what embedding would send without sending anything', async () => {
  const { semantic, server } = await semanticSetup()
  expect(await semantic.plan(choice)).toEqual({
    items: 4,
    fresh: 4,
    changed: 0,
    texts: 4,
    cached: 0,
    tokens: expect.any(Number),
    calls: 1,
  })
  expect(await semantic.plan({ ...choice, since: 2500 })).toMatchObject({ items: 2, texts: 2 })
  expect(await semantic.plan({ ...choice, kinds: ['document'] })).toMatchObject({
    items: 0,
    calls: 0,
  })
  expect(server.requests).toEqual([])
})

test('embeds items once; afterwards only new or changed ones', async () => {
  const setup = await semanticSetup()
  await setup.semantic.begin(choice)
  expect(await setup.until('idle')).toMatchObject({
    done: 4,
    waiting: 0,
    fresh: 0,
    chunks: 4,
    engine: 'an encoder',
    notice: 'made of words',
  })
  expect(setup.server.requests.map((request) => sentTexts(request).length)).toEqual([4])
  addItem(setup.store, 'new', 'New', 'The anchor was lost at the harbour.', 5000)
  putText(setup.store, 'sea', 'Every sailor waited for the ship that came with the tide.')
  expect(await setup.semantic.indexes()).toMatchObject([{ fresh: 1, changed: 1 }])
  expect(await setup.semantic.plan(choice)).toMatchObject({ fresh: 1, changed: 1, texts: 2 })
  await setup.semantic.begin(choice)
  expect(await setup.until('idle')).toMatchObject({ done: 5, fresh: 0, changed: 0, chunks: 5 })
  expect(setup.server.requests.map((request) => sentTexts(request).length)).toEqual([4, 2])
  // The old text of the changed item is gone, together with its vectors.
  expect(setup.store.vectors.sizes()).toMatchObject([{ vectors: 5 }])
})

test('a crash loses nothing: the rest is embedded after the start', async () => {
  const setup = await semanticSetup()
  for (let n = 0; n < 150; n++)
    addItem(setup.store, `more${n}`, 'More', `Garden number ${n} has roses and a lawn.`, 6000 + n)
  let calls = 0
  const { promise: hangs, resolve: go } = Promise.withResolvers<void>()
  setup.server.always(async (request) => {
    calls += 1
    if (calls === 3) await hangs
    return answer(request)
  })
  await setup.semantic.begin(choice)
  await eventually(() => expect(calls).toBe(3))
  const before = setup.store.semantic.indexes()[0]
  expect(before?.waiting).toBeGreaterThan(0)
  await setup.restart('killed')
  go()
  expect(setup.store.semantic.indexes()).toMatchObject([{ state: 'running' }])
  setup.semantic.resume()
  expect(await setup.until('idle')).toMatchObject({ done: 154, waiting: 0, chunks: 154 })
  const sent = setup.server.requests.flatMap(sentTexts)
  // Texts in flight at the kill are sent again, the rest once.
  expect(sent.length).toBeLessThanOrEqual(154 + 64)
})

test('waits without the provider and resumes automatically; without a key until there is one', async () => {
  const setup = await semanticSetup()
  setup.server.always(refusal(503, '1234'))
  await setup.semantic.begin(choice)
  expect(await setup.until('waiting')).toMatchObject({ waiting: 4, error: { retriable: true } })
  setup.server.always(refusal(401, '1000'))
  await setup.later()
  await eventually(() =>
    expect(setup.store.semantic.indexes()[0]?.error?.code).toBe('KEY_REJECTED'),
  )
  expect(setup.store.semantic.indexes()).toMatchObject([{ state: 'waiting' }])
  setup.server.always(answer)
  setup.semantic.accountReady('another')
  setup.semantic.accountReady('a')
  expect(await setup.until('idle')).toMatchObject({ done: 4, error: null })
})

test('is retried for as long as an outage lasts, less and less often', async () => {
  const setup = await semanticSetup()
  let calls = 0
  // The client sends each request up to four times.
  setup.server.always((request) => ((calls += 1) > 7 * 4 ? answer(request) : refusal(500, '1234')))
  await setup.semantic.begin(choice)
  const delays: number[] = []
  for (let n = 0; n < 7; n++) delays.push(await setup.later())
  expect(delays).toEqual([2_000, 10_000, 30_000, 120_000, 600_000, 600_000, 600_000])
  expect(await setup.until('idle')).toMatchObject({ done: 4, error: null })
})

test('a text the provider rejects fails only its item, and is sent again on request', async () => {
  const setup = await semanticSetup()
  setup.server.always((request) =>
    sentTexts(request).some((text) => text.includes('Roses'))
      ? refusal(400, '1301')
      : answer(request),
  )
  await setup.semantic.begin(choice)
  expect(await setup.until('idle')).toMatchObject({ done: 3, failed: 1, fresh: 0, changed: 0 })
  setup.server.always(answer)
  await setup.semantic.begin(choice)
  expect(await setup.until('idle')).toMatchObject({ done: 4, failed: 0 })
})

test('does not try every item with a provider that rejects everything', async () => {
  const setup = await semanticSetup()
  for (let n = 0; n < 20; n++)
    addItem(setup.store, `n${n}`, 'N', `Ship number ${n} left the harbour.`)
  setup.server.always(refusal(400, '1210'))
  await setup.semantic.begin(choice)
  expect(await setup.until('failed')).toMatchObject({ error: { code: 'INVALID_INPUT' } })
  expect(setup.server.requests.length).toBeLessThan(6)
})

test('pause keeps waiting items, stop drops them; results stay', async () => {
  const setup = await semanticSetup()
  const { promise: hangs, resolve: go } = Promise.withResolvers<void>()
  setup.server.always(async (request) => {
    await hangs
    return answer(request)
  })
  const { id } = await setup.semantic.begin(choice)
  await eventually(() => expect(setup.server.requests.length).toBe(1))
  expect(await setup.semantic.pause(id)).toMatchObject({ state: 'paused', waiting: 4 })
  go()
  await setup.restart()
  setup.semantic.resume()
  expect(setup.store.semantic.indexes()).toMatchObject([{ state: 'paused', waiting: 4 }])
  expect(await setup.semantic.stop(id)).toMatchObject({ state: 'idle', waiting: 0, fresh: 4 })
  await setup.semantic.begin(choice)
  await setup.until('idle')
  expect(await codeOf(() => setup.semantic.pause(99))).toBe('NOT_FOUND')
})

test.for(['pause', 'stop'] as const)(
  '%s sends nothing more while the disk is full, and is stored once there is space',
  async (how) => {
    const setup = await semanticSetup()
    setup.server.always({ hang: true, body: '{' })
    const { id } = await setup.semantic.begin(choice)
    await eventually(() => expect(setup.server.requests.length).toBe(1))
    const tries = fullFor(setup.store.semantic, 'update', 3)
    expect(await codeOf(() => setup.semantic[how](id))).toBe('DISK_FULL')
    await setup.until(how === 'pause' ? 'paused' : 'idle')
    expect(tries()).toBeGreaterThan(3)
    expect(setup.server.requests.length).toBe(1)
    setup.server.always(answer)
    await setup.semantic.begin(choice)
    expect(await setup.until('idle')).toMatchObject({ done: 4 })
  },
)

test('begins with other options although it runs; without space it is paused instead', async () => {
  const setup = await semanticSetup()
  setup.server.always({ hang: true, body: '{' })
  const { id } = await setup.semantic.begin(choice)
  await eventually(() => expect(setup.server.requests.length).toBe(1))
  fullFor(setup.store.semantic, 'enqueue', 1)
  expect(await codeOf(() => setup.semantic.begin({ ...choice, since: 2500 }))).toBe('DISK_FULL')
  expect(await setup.until('paused')).toMatchObject({ since: null, waiting: 4 })
  setup.server.always(answer)
  await setup.semantic.resumeIndex(id)
  expect(await setup.until('idle')).toMatchObject({ done: 4 })
})

test('does not find items in Trash, and purged ones leave nothing behind', async () => {
  const setup = await semanticSetup()
  const { id } = await setup.semantic.begin(choice)
  await setup.until('idle')
  const ask = {
    query: 'harbour',
    indexId: id,
    kinds: null,
    from: null,
    until: null,
    tag: null,
    starred: false,
    limit: 3,
    rerankBy: null,
  }
  const found = async () => (await setup.semantic.search(ask)).hits.map(({ itemId }) => itemId)
  expect(await found()).toContain('sea')
  setup.store.items.remove(['sea'], 1)
  expect(await found()).not.toContain('sea')
  setup.store.items.restore(['sea'], 2)
  expect(await found()).toContain('sea')
  setup.store.items.remove(['sea'], 3)
  setup.store.items.purge(['sea'])
  expect(await found()).not.toContain('sea')
  const vectors = () => setup.store.vectors.sizes()[0]?.vectors ?? 0
  const questions = 1 + probes.length
  await eventually(() => expect(vectors()).toBe(3 + questions))
  await setup.semantic.remove(id)
  // The vectors of queries stay: they contain nothing of the Library.
  await eventually(() => expect(vectors()).toBe(questions))
  expect(setup.store.semantic.indexes()).toEqual([])
})

test('an item removed while its chunks are written leaves nothing behind, not even vectors', async () => {
  const setup = await semanticSetup()
  await setup.semantic.begin(choice)
  const { id } = await setup.until('idle')
  const { store } = setup
  const space = store.semantic.get(id)?.space
  if (!space) throw new Error('There is no index')
  addItem(store, 'gone', 'Gone', 'The ship is lost.', 5000)
  store.semantic.enqueue(id, choice, false)
  const [seq = 0] = store.semantic.waiting(id, 1)
  const { stamp, chunks } = await store.semantic.ask({ ask: 'chunks', itemSeq: seq })
  const many = Array.from({ length: 150 }, (_, digest) =>
    chunks.map((chunk) => ({ ...chunk, digest })),
  ).flat()
  const vector = Float32Array.from({ length: 256 }, () => 0.1)
  store.vectors.put(
    space,
    chunks.map(({ hash }) => ({ hash, vector })),
  )
  expect(store.vectors.sizes()).toMatchObject([{ vectors: 5 }])
  const steps = store.semantic.keep(id, seq, { stamp, chunks: many })
  steps.next()
  store.items.purge(['gone'])
  expect(() => Array.from(steps)).toThrow(VectorGone)
  await eventually(() => expect(store.vectors.sizes()).toMatchObject([{ vectors: 4 }]))
})

test('a temporarily full disk delays an index: nothing is sent twice, and it resumes automatically', async () => {
  const setup = await semanticSetup()
  await setup.semantic.begin(choice)
  fullFor(setup.store.vectors, 'put', 1)
  fullFor(setup.store.semantic, 'keep', 1)
  fullFor(setup.store.semantic, 'update', 1)
  await setup.later()
  await setup.later()
  expect(await setup.until('idle')).toMatchObject({ done: 4, chunks: 4, error: null })
  expect(setup.server.requests.map((request) => sentTexts(request).length)).toEqual([4])
})
