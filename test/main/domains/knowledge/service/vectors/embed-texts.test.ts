import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createEmbedTexts,
  type EmbedTexts,
} from '../../../../../../src/main/domains/knowledge/service/vectors/embed-texts.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { localAccountId, presets } from '../../../../../../src/shared/provider/profiles.ts'
import type { RecordedRequest, ScriptedReply } from '../../../../../fixtures/scripted-server.ts'
import { fullFor, unsavedReplies } from '../../../../platform/database/full-store.ts'
import { apiSetup, type ApiSetup } from '../../../../provider-client/support.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { codeOf, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'

const place = temporaryHome()
let store: Store
let setup: ApiSetup
let texts: EmbedTexts
let unsaved: ReturnType<typeof unsavedReplies>
const profile = { ...presets.custom, baseUrl: 'https://a.example', concurrency: 1 }
const about = { accountId: 'a', model: 'embedding-3', dimensions: 256 } as const

const sent = (request: RecordedRequest): readonly string[] => {
  const { input } = JSON.parse(String(request.body)) as { input: string | string[] }
  return typeof input === 'string' ? [input] : input
}

/** Vectors that start with the length of their text. */
const answer = (request: RecordedRequest): ScriptedReply => ({
  body: JSON.stringify({
    data: sent(request).map((text, index) => ({
      index,
      embedding: [text.length, ...Array.from({ length: 255 }, () => 0)],
    })),
    usage: { prompt_tokens: 5, total_tokens: 5 },
    engine: 'an engine',
    notice: 'a notice',
  }),
})

beforeEach(async () => {
  store = await openStore(storeOptions(place.home))
  store.accounts.put({ id: 'a', preset: 'custom', name: 'A', profile, createdAt: 1 })
  setup = await apiSetup()
  setup.server.always(answer)
  unsaved = unsavedReplies()
  const target = () => Promise.resolve(setup.target({ concurrency: 1 }))
  texts = createEmbedTexts({ store, api: setup.api, accounts: { target }, keep: unsaved.keep })
})
afterEach(async () => {
  await store.close()
  place.remove()
})

test('reports each response once, and none for cached texts', async () => {
  let responses = 0
  const embed = (all: readonly string[]) =>
    texts.embed({ ...about, texts: all }, { onResponse: () => void (responses += 1) })
  const many = Array.from({ length: 65 }, (_, at) => `text ${at}`)
  await embed(many)
  expect(responses).toBe(2)
  await embed(many)
  expect(responses).toBe(2)
})

test('sends only uncached texts, duplicates once, and returns the vector of every index', async () => {
  await texts.embed({ ...about, texts: ['one', 'three'] })
  const request = { ...about, texts: ['three', 'a longer one', 'three', 'a longer one'] }
  expect(await texts.plan(request)).toMatchObject({
    texts: 4,
    distinct: 2,
    cached: 1,
    tokens: 4,
    calls: 1,
  })
  const reported = new Map<number, number | undefined>()
  const outcome = await texts.embed(request, {
    onVectors: (vectors) =>
      vectors.forEach(({ places, vector }) =>
        places.forEach((each) => reported.set(each, vector[0])),
      ),
  })
  expect(setup.server.requests.map(sent)).toEqual([['one', 'three'], ['a longer one']])
  expect(Object.fromEntries(reported)).toEqual({ 0: 5, 1: 12, 2: 5, 3: 12 })
  expect(outcome).toMatchObject({
    cached: 1,
    sent: 1,
    calls: 1,
    usage: { totalTokens: 5 },
    engine: 'an engine',
    notice: 'a notice',
  })
  expect(await texts.embed(request)).toMatchObject({ cached: 2, sent: 0, calls: 0, engine: null })
  expect(setup.server.requests).toHaveLength(2)
})

test('other dimensions and other providers have separate vectors', async () => {
  await texts.embed({ ...about, texts: ['one'] })
  expect(await texts.plan({ ...about, dimensions: 512, texts: ['one'] })).toMatchObject({
    cached: 0,
  })
  expect(await texts.plan({ ...about, accountId: localAccountId, texts: ['one'] })).toMatchObject({
    cached: 0,
    space: { space: expect.stringContaining('Universal Sentence Encoder') },
  })
  expect(await texts.plan({ ...about, texts: ['one'] })).toMatchObject({ cached: 1 })
})

test('saves results before a failure or stop, and continues after them the next time', async () => {
  const many = Array.from({ length: 150 }, (_, n) => `text ${n}`)
  setup.server.always((request) =>
    setup.server.requests.length === 1
      ? answer(request)
      : { status: 400, body: '{"error":{"code":"1214","message":"no"}}' },
  )
  expect(await codeOf(() => texts.embed({ ...about, texts: many }))).not.toBe('none')
  expect(store.vectors.sizes()).toMatchObject([{ vectors: 64 }])
  setup.server.always(answer)
  const stop = new AbortController()
  const steps: number[] = []
  const stopped = texts.embed(
    { ...about, texts: many },
    {
      signal: stop.signal,
      onProgress({ done }) {
        steps.push(done)
        if (done > 64) stop.abort()
      },
    },
  )
  expect(await codeOf(() => stopped)).toBe('CANCELLED')
  expect(steps).toEqual([64, 128])
  expect(await texts.embed({ ...about, texts: many })).toMatchObject({ cached: 128, sent: 22 })
})

test('reports texts the provider would reject by index before sending anything', async () => {
  const request = { ...about, texts: ['fine', ' ', 'word '.repeat(4000), ' '] }
  expect(await texts.plan(request)).toMatchObject({
    empty: [1, 3],
    tooLong: [2],
    cached: 0,
    tokens: 2,
  })
  await texts.embed({ ...about, texts: ['fine'] })
  const refused = texts.embed(request)
  await expect(refused).rejects.toMatchObject({ params: { item: 1 } })
  expect(setup.server.requests).toHaveLength(1)
})

test('forgets a space completely, and keeps others', async () => {
  const many = Array.from({ length: 600 }, (_, n) => `text ${n}`)
  await texts.embed({ ...about, texts: many })
  await texts.embed({ ...about, dimensions: 256, model: 'embedding-3', texts: ['x'] })
  const [space] = store.vectors.sizes()
  if (!space) throw new Error('nothing was kept')
  expect(await texts.forget(space)).toBe(601)
  expect(store.vectors.sizes()).toEqual([])
})

test('vectors wait in memory and are reported while the disk is full; nothing is sent meanwhile', async () => {
  const many = Array.from({ length: 150 }, (_, n) => `text ${n}`)
  const tries = fullFor(store.vectors, 'put', 3)
  const seen: number[] = []
  setup.server.always((request) => {
    seen.push(tries())
    return answer(request)
  })
  expect(await texts.embed({ ...about, texts: many })).toMatchObject({ sent: 150, calls: 3 })
  // The second request waited until the vectors of the first one were stored.
  expect(seen).toEqual([0, 4, 5])
  expect(setup.server.requests.flatMap(sent)).toEqual(many)
  expect(store.vectors.sizes()).toMatchObject([{ vectors: 150 }])
  expect(unsaved.reported).toEqual([{ count: 1, code: 'DISK_FULL' }, null])
})

test('an interactive query gets its vector even if nothing can be saved', async () => {
  fullFor(store.vectors, 'put', 1)
  const found: number[] = []
  await texts.embed(
    { ...about, texts: ['why?'] },
    { atOnce: true, onVectors: ([first]) => void found.push(first?.vector[0] ?? 0) },
  )
  expect(found).toEqual([4])
  expect(store.vectors.sizes()).toEqual([])
})

test('texts requested twice at the same time are sent once; an aborted caller returns at once', async () => {
  const many = Array.from({ length: 150 }, (_, n) => `text ${n}`)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  setup.server.always(async (request) => {
    await held
    return answer(request)
  })
  const stop = new AbortController()
  const reported: number[] = []
  const first = texts.embed({ ...about, texts: many })
  const second = texts.embed(
    { ...about, texts: [...many, 'one more'] },
    { onVectors: (vectors) => vectors.forEach(({ places }) => reported.push(...places)) },
  )
  const third = texts.embed({ ...about, texts: many }, { signal: stop.signal })
  await eventually(() => expect(setup.server.requests).toHaveLength(1))
  stop.abort()
  expect(await codeOf(() => third)).toBe('CANCELLED')
  // An interactive request does not wait behind the others.
  const atOnce = texts.embed({ ...about, texts: ['now'] }, { atOnce: true })
  release()
  expect(await atOnce).toMatchObject({ sent: 1 })
  expect(await first).toMatchObject({ sent: 150, cached: 0 })
  expect(await second).toMatchObject({ sent: 1, cached: 150 })
  expect(reported.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 151 }, (_, n) => n))
  const all = setup.server.requests.flatMap(sent)
  expect(all).toHaveLength(new Set(all).size)
})
