import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { documentSetup, failure, layoutOf, pagesOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

test('waits as long as a rate limit requests, halves the concurrency and loses no pages', async () => {
  const setup = await documentSetup()
  let refusals = 0
  setup.answer = (one) => {
    if (setup.requests.length <= 3) {
      refusals += 1
      return failure(429, 'rate_limit_exceeded', { 'retry-after': '30' })
    }
    return { ...layoutOf(one), delayMs: 10 }
  }
  const id = await setup.document(100)
  const begun = setup.now
  const version = setup.documents.parse({ id, options: all })
  await setup.quiet()
  expect(setup.states(version.id)).toBe('waiting 100')
  await setup.finish(version.id)
  expect(setup.now - begun).toBeGreaterThanOrEqual(30_000)
  expect(setup.states(version.id)).toBe('returned 100')
  // Once for each of the five parts, and once more for each rate limit.
  expect(setup.requests).toHaveLength(5 + refusals)
  expect(setup.documents.get(id).versions[0]).toMatchObject({ calls: 5 + refusals, error: null })
})

test('keeps fewer parts in flight after a rate limit', async () => {
  const setup = await documentSetup()
  let refused = false
  let flying = 0
  let maxInFlight = 0
  setup.answer = async (one) => {
    const number = setup.requests.length
    flying += 1
    if (refused) maxInFlight = Math.max(maxInFlight, flying)
    await new Promise((resolve) => setTimeout(resolve, 15))
    flying -= 1
    if (number > 2) return layoutOf(one)
    refused = true
    return failure(429, 'rate_limit_exceeded')
  }
  const id = await setup.document(240)
  const version = setup.documents.parse({ id, options: all })
  await setup.quiet()
  maxInFlight = 0
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 240')
  expect(maxInFlight).toBe(1)
})

test('retries provider failures with growing pauses, then fails the pages, which can be retried', async () => {
  const setup = await documentSetup()
  const times: number[] = []
  setup.answer = (one) => {
    if (one.first !== 1) return layoutOf(one)
    times.push(setup.now)
    return failure(500, 'server_error')
  }
  const id = await setup.document(48)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('failed 24, returned 24')
  const pauses = times.slice(1).map((at, place) => at - (times[place] ?? 0))
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(times).toHaveLength(5)
  expect(setup.documents.get(id).versions[0]).toMatchObject({
    state: 'partial',
    counts: { asked: 48, returned: 24, failed: 24 },
  })
  const [page] = setup.documents.pages({ id, first: 1, last: 1, versionId: version.id }).pages
  expect(page).toMatchObject({ state: 'failed', error: { code: 'SERVER_ERROR' } })
  setup.answer = (one) => layoutOf(one)
  setup.requests.length = 0
  setup.documents.retry({ versionId: version.id, pages: [3, 4, 9] })
  await setup.finish(version.id)
  expect(setup.sent().toSorted()).toEqual(['3-4', '9-9'])
  expect(setup.states(version.id)).toBe('failed 21, returned 27')
  setup.documents.retry({ versionId: version.id })
  await setup.finish(version.id)
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(24)
  expect(setup.states(version.id)).toBe('returned 48')
})

test('never sends a request again that the provider calls invalid', async () => {
  const setup = await documentSetup()
  setup.answer = () => failure(400, '1210')
  const id = await setup.document(10)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.requests).toHaveLength(1)
  expect(setup.states(version.id)).toBe('failed 10')
})

test('makes no attempts offline, reports it, and continues when the network is back', async () => {
  const setup = await documentSetup()
  setup.down = true
  const id = await setup.document(60)
  const version = setup.documents.parse({ id, options: all })
  await setup.quiet()
  for (let n = 0; n < 8; n++) await setup.tick()
  expect(setup.states(version.id)).toBe('waiting 60')
  expect(setup.waiting.at(-1)).toBe(1)
  expect(setup.documents.get(id).versions[0]).toMatchObject({
    calls: 0,
    error: { code: 'OFFLINE' },
  })
  setup.down = false
  setup.documents.accountReady('account-1')
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 60')
  expect(setup.requests).toHaveLength(3)
  expect(setup.waiting.at(-1)).toBe(0)
  expect(setup.documents.get(id).versions[0]?.error).toBeNull()
})

test('waits without a key and reports it', async () => {
  const setup = await documentSetup()
  setup.keyError = new AppError('NO_KEY', 'No key')
  const id = await setup.document(30)
  const version = setup.documents.parse({ id, options: all })
  await setup.quiet()
  expect(setup.documents.queue()[0]).toMatchObject({ id: version.id, error: { code: 'NO_KEY' } })
  expect(setup.news.at(-1)?.versions[0]?.state).toBe('waiting')
  setup.keyError = null
  setup.documents.accountReady('account-1')
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 30')
})

test('stops after one request with a rejected key', async () => {
  const setup = await documentSetup()
  setup.answer = () => failure(401, 'invalid_api_key')
  const id = await setup.document(100)
  const version = setup.documents.parse({ id, options: all })
  await setup.quiet()
  expect(setup.requests.length).toBeLessThanOrEqual(3)
  expect(setup.documents.queue()[0]?.error?.code).toBe('KEY_REJECTED')
  expect(setup.states(version.id)).toBe('waiting 100')
  const before = setup.requests.length
  setup.answer = (one) => layoutOf(one)
  setup.documents.accountReady('account-1')
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 100')
  expect(setup.requests.length - before).toBe(5)
})

test('halves a part that is too large for the provider, and sends a single page as an image', async () => {
  const setup = await documentSetup()
  setup.answer = (one) => {
    const fits = !pagesOf(one).includes(7) || one.raster
    return fits ? layoutOf(one) : failure(413, 'request_too_large')
  }
  const id = await setup.document(48)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 48')
  const withSeven = setup.requests.filter((one) => pagesOf(one).includes(7))
  expect(withSeven.map(({ first, last, raster }) => `${first}-${last} ${raster}`)).toEqual([
    '1-24 false',
    '1-12 false',
    '7-12 false',
    '7-9 false',
    '7-8 false',
    '7-7 false',
    '7-7 true',
  ])
})

test('fails only a page that is too large even as an image', async () => {
  const setup = await documentSetup()
  setup.answer = (one) =>
    pagesOf(one).includes(2) ? failure(413, 'request_too_large') : layoutOf(one)
  const id = await setup.document(4)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('failed 1, returned 3')
})

test('sends pages that do not fit into one file in several, and leaves no file behind', async () => {
  const setup = await documentSetup({ limits: { 'layout.pdfBytes': 5_000 } })
  setup.worker.pageBytes = 1_000
  const id = await setup.document(20)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 20')
  expect(setup.requests.every((one) => pagesOf(one).length <= 5)).toBe(true)
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(20)
  expect(readdirSync(join(setup.home, 'parts'))).toEqual([])
})

test('fails pages missing from a response by number, and notes surplus pages', async () => {
  const setup = await documentSetup()
  setup.answer = (one) =>
    one.first === 1
      ? layoutOf(one, pagesOf(one).slice(0, 20))
      : layoutOf(one, [...pagesOf(one), 98, 99])
  const id = await setup.document(48)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('failed 4, returned 44')
  const failed = setup.store.documents
    .pages(id, { versionId: version.id })
    .filter(({ state }) => state === 'failed')
  expect(failed.map(({ page }) => page)).toEqual([21, 22, 23, 24])
  expect(failed[0]?.error).toMatchObject({ code: 'MALFORMED_REPLY', retriable: true })
  setup.answer = (one) => layoutOf(one)
  setup.documents.retry({ versionId: version.id })
  await setup.finish(version.id)
  expect(setup.sent().at(-1)).toBe('21-24')
  expect(setup.states(version.id)).toBe('returned 48')
})

test('assigns no page a wrong number when a response omits unspecified pages', async () => {
  const setup = await documentSetup()
  // A provider that omits the list of a page without blocks, though it counts the page.
  setup.answer = (one) => {
    const requestedPages = pagesOf(one)
    const { body, ...rest } = layoutOf(
      one,
      requestedPages.filter((page) => page !== 5),
    )
    const layout = JSON.parse(String(body)) as Record<string, unknown>
    const counted = { ...layout, data_info: { num_pages: requestedPages.length } }
    return { ...rest, body: JSON.stringify(counted) }
  }
  const id = await setup.document(24)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 24')
  const { blocks } = setup.documents.pages({ id, first: 1, last: 24 })
  const titles = blocks.filter(({ kind }) => kind === 'title')
  expect(titles.map(({ content }) => content)).toEqual(
    titles.map(({ page }) => `Title of page ${page}`),
  )
  expect(titles.map(({ page }) => page)).not.toContain(5)
  expect(titles).toHaveLength(23)
})

test('canceling aborts the request and keeps received pages', async () => {
  const setup = await documentSetup({ places: 1 })
  let release = (): void => {}
  setup.answer = async (one) => {
    if (one.first > 1) await new Promise<void>((resolve) => (release = resolve))
    return layoutOf(one)
  }
  const id = await setup.document(72)
  const version = setup.documents.parse({ id, options: all })
  await eventually(() => expect(setup.requests).toHaveLength(2))
  const cancelled = await setup.documents.cancel(version.id)
  expect(cancelled.state).toBe('cancelled')
  expect(setup.documents.busy()).toBe(false)
  release()
  expect(setup.states(version.id)).toBe('cancelled 48, returned 24')
  expect(setup.pageNews.at(-1)?.pages).toHaveLength(72)
  expect(readdirSync(join(setup.home, 'parts'))).toEqual([])
  setup.answer = (one) => layoutOf(one)
  setup.documents.retry({ versionId: version.id })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 72')
})

test('retries after an invalid response and after a broken connection', async () => {
  const setup = await documentSetup({ places: 1 })
  setup.answer = (one) => {
    if (setup.requests.length === 1)
      return { body: '<html>', headers: { 'content-type': 'text/html' } }
    if (setup.requests.length === 2) return { dropped: true }
    if (setup.requests.length === 3) return { ...layoutOf(one), cutAfter: 40 }
    return layoutOf(one)
  }
  const id = await setup.document(10)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 10')
  expect(setup.requests).toHaveLength(4)
})

test('retries a file that cannot be written, then fails its pages and continues with others', async () => {
  const setup = await documentSetup({ places: 1 })
  const id = await setup.document(48)
  setup.worker.trouble = new AppError('ENGINE_UNAVAILABLE', 'died', { retriable: true })
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 48')
  const other = await setup.document(60)
  setup.worker.trouble = new AppError('FILE_MISSING', 'gone')
  const second = setup.documents.parse({ id: other, options: all })
  await setup.finish(second.id)
  expect(setup.states(second.id)).toBe('failed 20, returned 40')
})

test('fails only a page the provider cannot read, with the minimum number of requests', async () => {
  const setup = await documentSetup({ places: 1 })
  setup.answer = (one) =>
    pagesOf(one).includes(7) ? failure(415, 'unsupported_media_type') : layoutOf(one)
  const id = await setup.document(24)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('failed 1, returned 23')
  const [page] = setup.documents.pages({ id, first: 7, last: 7, versionId: version.id }).pages
  expect(page).toMatchObject({ state: 'failed', error: { code: 'UNSUPPORTED_FORMAT' } })
  const withSeven = setup.requests.filter((one) => pagesOf(one).includes(7))
  expect(withSeven.map(({ first, last }) => `${first}-${last}`)).toEqual([
    '1-24',
    '1-12',
    '7-12',
    '7-9',
    '7-8',
    '7-7',
  ])
  expect(setup.requests).toHaveLength(11)
  expect(setup.documents.get(id).versions[0]?.calls).toBe(11)
})

test('fails only a page that cannot be written to a file, and never sends it', async () => {
  const setup = await documentSetup({ places: 1 })
  const id = await setup.document(48)
  const { split } = setup.worker
  Object.assign(setup.worker, {
    split: (order: Parameters<typeof split>[0]) =>
      order.first <= 5 && order.last >= 5
        ? Promise.reject(new AppError('DAMAGED_FILE', 'broken'))
        : split(order),
  })
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('failed 1, returned 47')
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(47)
  expect(setup.requests.flatMap(pagesOf)).not.toContain(5)
})
