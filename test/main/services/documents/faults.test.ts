import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { documentExportWorker, failure, layoutOf, pagesOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

test('a refusal of load waits as long as it asks, halves the lanes and costs no part its pages', async () => {
  const desk = await documentExportWorker()
  let refusals = 0
  desk.answer = (one) => {
    if (desk.asked.length <= 3) {
      refusals += 1
      return failure(429, 'rate_limit_exceeded', { 'retry-after': '30' })
    }
    return { ...layoutOf(one), delayMs: 10 }
  }
  const id = await desk.document(100)
  const begun = desk.now
  const version = desk.documents.parse({ id, options: all })
  await desk.quiet()
  expect(desk.states(version.id)).toBe('waiting 100')
  await desk.finish(version.id)
  expect(desk.now - begun).toBeGreaterThanOrEqual(30_000)
  expect(desk.states(version.id)).toBe('returned 100')
  // Once for each of the five parts, and once more for each refusal.
  expect(desk.asked).toHaveLength(5 + refusals)
  expect(desk.documents.get(id).versions[0]).toMatchObject({ calls: 5 + refusals, error: null })
})

test('after a refusal fewer parts are on their way than before', async () => {
  const desk = await documentExportWorker()
  let refused = false
  let flying = 0
  let most = 0
  desk.answer = async (one) => {
    const number = desk.asked.length
    flying += 1
    if (refused) most = Math.max(most, flying)
    await new Promise((resolve) => setTimeout(resolve, 15))
    flying -= 1
    if (number > 2) return layoutOf(one)
    refused = true
    return failure(429, 'rate_limit_exceeded')
  }
  const id = await desk.document(240)
  const version = desk.documents.parse({ id, options: all })
  await desk.quiet()
  most = 0
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 240')
  expect(most).toBe(1)
})

test('what the service fails at is tried again with growing pauses, then its pages fail by name and can be retried', async () => {
  const desk = await documentExportWorker()
  const times: number[] = []
  desk.answer = (one) => {
    if (one.first !== 1) return layoutOf(one)
    times.push(desk.now)
    return failure(500, 'server_error')
  }
  const id = await desk.document(48)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('failed 24, returned 24')
  const pauses = times.slice(1).map((at, place) => at - (times[place] ?? 0))
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(times).toHaveLength(5)
  expect(desk.documents.get(id).versions[0]).toMatchObject({
    state: 'partial',
    counts: { asked: 48, returned: 24, failed: 24 },
  })
  const [page] = desk.documents.pages({ id, first: 1, last: 1, versionId: version.id }).pages
  expect(page).toMatchObject({ state: 'failed', error: { code: 'SERVER_ERROR' } })
  desk.answer = (one) => layoutOf(one)
  desk.asked.length = 0
  desk.documents.retry({ versionId: version.id, pages: [3, 4, 9] })
  await desk.finish(version.id)
  expect(desk.sent().toSorted()).toEqual(['3-4', '9-9'])
  expect(desk.states(version.id)).toBe('failed 21, returned 27')
  desk.documents.retry({ versionId: version.id })
  await desk.finish(version.id)
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(24)
  expect(desk.states(version.id)).toBe('returned 48')
})

test('what the service calls wrong is never sent twice', async () => {
  const desk = await documentExportWorker()
  desk.answer = () => failure(400, '1210')
  const id = await desk.document(10)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.asked).toHaveLength(1)
  expect(desk.states(version.id)).toBe('failed 10')
})

test('without a network nothing is tried, it is told, and all goes on when there is one', async () => {
  const desk = await documentExportWorker()
  desk.down = true
  const id = await desk.document(60)
  const version = desk.documents.parse({ id, options: all })
  await desk.quiet()
  for (let n = 0; n < 8; n++) await desk.tick()
  expect(desk.states(version.id)).toBe('waiting 60')
  expect(desk.waiting.at(-1)).toBe(1)
  expect(desk.documents.get(id).versions[0]).toMatchObject({
    calls: 0,
    error: { code: 'OFFLINE' },
  })
  desk.down = false
  desk.documents.accountReady('account-1')
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 60')
  expect(desk.asked).toHaveLength(3)
  expect(desk.waiting.at(-1)).toBe(0)
  expect(desk.documents.get(id).versions[0]?.error).toBeNull()
})

test('without a key it waits and says so', async () => {
  const desk = await documentExportWorker()
  desk.keyError = new AppError('NO_KEY', 'No key')
  const id = await desk.document(30)
  const version = desk.documents.parse({ id, options: all })
  await desk.quiet()
  expect(desk.documents.queue()[0]).toMatchObject({ id: version.id, error: { code: 'NO_KEY' } })
  expect(desk.news.at(-1)?.versions[0]?.state).toBe('waiting')
  desk.keyError = null
  desk.documents.accountReady('account-1')
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 30')
})

test('a refused key stops after one request', async () => {
  const desk = await documentExportWorker()
  desk.answer = () => failure(401, 'invalid_api_key')
  const id = await desk.document(100)
  const version = desk.documents.parse({ id, options: all })
  await desk.quiet()
  expect(desk.asked.length).toBeLessThanOrEqual(3)
  expect(desk.documents.queue()[0]?.error?.code).toBe('KEY_REJECTED')
  expect(desk.states(version.id)).toBe('waiting 100')
  const before = desk.asked.length
  desk.answer = (one) => layoutOf(one)
  desk.documents.accountReady('account-1')
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 100')
  expect(desk.asked.length - before).toBe(5)
})

test('a part that is too large for the service is halved, a page alone is sent as its picture', async () => {
  const desk = await documentExportWorker()
  desk.answer = (one) => {
    const fits = !pagesOf(one).includes(7) || one.raster
    return fits ? layoutOf(one) : failure(413, 'request_too_large')
  }
  const id = await desk.document(48)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 48')
  const withSeven = desk.asked.filter((one) => pagesOf(one).includes(7))
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

test('a page that is too large even as a picture fails, and nothing else does', async () => {
  const desk = await documentExportWorker()
  desk.answer = (one) =>
    pagesOf(one).includes(2) ? failure(413, 'request_too_large') : layoutOf(one)
  const id = await desk.document(4)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('failed 1, returned 3')
})

test('pages that do not fit into one file are sent in several, and no file stays behind', async () => {
  const desk = await documentExportWorker({ limits: { 'layout.pdfBytes': 5_000 } })
  desk.worker.pageBytes = 1_000
  const id = await desk.document(20)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 20')
  expect(desk.asked.every((one) => pagesOf(one).length <= 5)).toBe(true)
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(20)
  expect(readdirSync(join(desk.home, 'parts'))).toEqual([])
})

test('pages that a reply lacks fail by name, pages it holds too many are noted', async () => {
  const desk = await documentExportWorker()
  desk.answer = (one) =>
    one.first === 1
      ? layoutOf(one, pagesOf(one).slice(0, 20))
      : layoutOf(one, [...pagesOf(one), 98, 99])
  const id = await desk.document(48)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('failed 4, returned 44')
  const failed = desk.store.documents
    .pages(id, { versionId: version.id })
    .filter(({ state }) => state === 'failed')
  expect(failed.map(({ page }) => page)).toEqual([21, 22, 23, 24])
  expect(failed[0]?.error).toMatchObject({ code: 'MALFORMED_REPLY', retriable: true })
  desk.answer = (one) => layoutOf(one)
  desk.documents.retry({ versionId: version.id })
  await desk.finish(version.id)
  expect(desk.sent().at(-1)).toBe('21-24')
  expect(desk.states(version.id)).toBe('returned 48')
})

test('when a reply leaves out pages and does not say which, no page stands under another number', async () => {
  const desk = await documentExportWorker()
  // A service that has no list for a page without blocks, though it counts the page.
  desk.answer = (one) => {
    const asked = pagesOf(one)
    const { body, ...rest } = layoutOf(
      one,
      asked.filter((page) => page !== 5),
    )
    const layout = JSON.parse(String(body)) as Record<string, unknown>
    const counted = { ...layout, data_info: { num_pages: asked.length } }
    return { ...rest, body: JSON.stringify(counted) }
  }
  const id = await desk.document(24)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 24')
  const { blocks } = desk.documents.pages({ id, first: 1, last: 24 })
  const titles = blocks.filter(({ kind }) => kind === 'title')
  expect(titles.map(({ content }) => content)).toEqual(
    titles.map(({ page }) => `Title of page ${page}`),
  )
  expect(titles.map(({ page }) => page)).not.toContain(5)
  expect(titles).toHaveLength(23)
})

test('cancelling breaks the request off, and what came stays', async () => {
  const desk = await documentExportWorker({ places: 1 })
  let release = (): void => {}
  desk.answer = async (one) => {
    if (one.first > 1) await new Promise<void>((resolve) => (release = resolve))
    return layoutOf(one)
  }
  const id = await desk.document(72)
  const version = desk.documents.parse({ id, options: all })
  await eventually(() => expect(desk.asked).toHaveLength(2))
  const cancelled = await desk.documents.cancel(version.id)
  expect(cancelled.state).toBe('cancelled')
  expect(desk.documents.busy()).toBe(false)
  release()
  expect(desk.states(version.id)).toBe('cancelled 48, returned 24')
  expect(desk.pageNews.at(-1)?.pages).toHaveLength(72)
  expect(readdirSync(join(desk.home, 'parts'))).toEqual([])
  desk.answer = (one) => layoutOf(one)
  desk.documents.retry({ versionId: version.id })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 72')
})

test('a reply that is none is tried again, a connection that breaks off too', async () => {
  const desk = await documentExportWorker({ places: 1 })
  desk.answer = (one) => {
    if (desk.asked.length === 1) return { body: '<html>', headers: { 'content-type': 'text/html' } }
    if (desk.asked.length === 2) return { dropped: true }
    if (desk.asked.length === 3) return { ...layoutOf(one), cutAfter: 40 }
    return layoutOf(one)
  }
  const id = await desk.document(10)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 10')
  expect(desk.asked).toHaveLength(4)
})

test('a file that cannot be written is tried again, then its pages fail and others go on', async () => {
  const desk = await documentExportWorker({ places: 1 })
  const id = await desk.document(48)
  desk.worker.trouble = new AppError('ENGINE_UNAVAILABLE', 'died', { retriable: true })
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 48')
  const other = await desk.document(60)
  desk.worker.trouble = new AppError('FILE_MISSING', 'gone')
  const second = desk.documents.parse({ id: other, options: all })
  await desk.finish(second.id)
  expect(desk.states(second.id)).toBe('failed 20, returned 40')
})

test('a page that the service cannot read fails alone, and no more is asked than finding it takes', async () => {
  const desk = await documentExportWorker({ places: 1 })
  desk.answer = (one) =>
    pagesOf(one).includes(7) ? failure(415, 'unsupported_media_type') : layoutOf(one)
  const id = await desk.document(24)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('failed 1, returned 23')
  const [page] = desk.documents.pages({ id, first: 7, last: 7, versionId: version.id }).pages
  expect(page).toMatchObject({ state: 'failed', error: { code: 'UNSUPPORTED_FORMAT' } })
  const withSeven = desk.asked.filter((one) => pagesOf(one).includes(7))
  expect(withSeven.map(({ first, last }) => `${first}-${last}`)).toEqual([
    '1-24',
    '1-12',
    '7-12',
    '7-9',
    '7-8',
    '7-7',
  ])
  expect(desk.asked).toHaveLength(11)
  expect(desk.documents.get(id).versions[0]?.calls).toBe(11)
})

test('a page that cannot be written into a file fails alone, and is never sent', async () => {
  const desk = await documentExportWorker({ places: 1 })
  const id = await desk.document(48)
  const { split } = desk.worker
  Object.assign(desk.worker, {
    split: (order: Parameters<typeof split>[0]) =>
      order.first <= 5 && order.last >= 5
        ? Promise.reject(new AppError('DAMAGED_FILE', 'broken'))
        : split(order),
  })
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('failed 1, returned 47')
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(47)
  expect(desk.asked.flatMap(pagesOf)).not.toContain(5)
})
