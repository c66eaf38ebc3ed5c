import { expect, test } from 'vitest'
import type { AppError } from '../../../../src/main/errors.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import {
  documentExportWorker,
  failure,
  layoutOf,
  pagesOf,
  type DocumentSetup,
} from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

/** Lets the service answer when the test says so. */
function held(desk: DocumentSetup): { readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  desk.answer = async (one) => {
    await opened
    return layoutOf(one)
  }
  return { open }
}

test('the same pages with the same options are not sent again: what stands is taken over', async () => {
  const desk = await documentExportWorker()
  const id = await desk.document(60)
  const first = desk.documents.parse({ id, options: { ...all, pages: '1-30' } })
  await desk.finish(first.id)
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(30)
  expect(desk.documents.plan({ id, options: all })).toMatchObject({
    plan: { pages: 30, parts: 2 },
    standing: 30,
  })
  const second = desk.documents.parse({ id, options: all })
  await desk.finish(second.id)
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(60)
  expect(desk.states(second.id)).toBe('returned 60')
  const { blocks } = desk.documents.pages({ id, first: 5, last: 5, versionId: second.id })
  expect(blocks.map(({ content }) => content)).toContain('Title of page 5')
  const third = desk.documents.parse({ id, options: all })
  await desk.finish(third.id)
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(60)
  expect(desk.documents.get(id).versions[0]).toMatchObject({ number: 3, state: 'done', calls: 0 })
  const crops = desk.documents.parse({ id, options: { ...all, crops: true } })
  await desk.finish(crops.id)
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(120)
  expect(desk.asked.at(-1)).toMatchObject({ crops: true, visualisation: false })
})

test('a page is parsed anew when that is what was asked, as a version beside the old one', async () => {
  const desk = await documentExportWorker()
  const id = await desk.document(30)
  const first = desk.documents.parse({ id, options: all })
  await desk.finish(first.id)
  desk.asked.length = 0
  const again = desk.documents.parse({ id, options: { ...all, pages: '7' }, fresh: true })
  await desk.finish(again.id)
  expect(desk.sent()).toEqual(['7-7'])
  const { pages } = desk.documents.pages({ id, first: 6, last: 8 })
  expect(pages.map(({ versionId }) => versionId)).toEqual([first.id, again.id, first.id])
  desk.documents.choose({ id, pages: [7], versionId: first.id })
  expect(desk.documents.pages({ id, first: 7, last: 7 }).pages[0]?.versionId).toBe(first.id)
})

test('asking twice while it is under way sends nothing twice', async () => {
  const desk = await documentExportWorker()
  const service = held(desk)
  const id = await desk.document(30)
  const first = desk.documents.parse({ id, options: all })
  const second = desk.documents.parse({ id, options: { ...all, pages: '-30' } })
  expect(second.id).toBe(first.id)
  service.open()
  await desk.finish(first.id)
  expect(desk.asked.flatMap(pagesOf)).toHaveLength(30)
})

test('pages that are none are named, nothing is begun', async () => {
  const desk = await documentExportWorker()
  const id = await desk.document(12)
  const wrong = (): unknown =>
    desk.documents.parse({ id, options: { ...all, pages: '3, 9-x, 14' } })
  expect(wrong).toThrowError(
    expect.objectContaining({
      code: 'BAD_REQUEST',
      params: expect.objectContaining({ piece: '9-x' }),
    }),
  )
  expect(desk.documents.queue()).toEqual([])
})

test('documents go in the order they were asked for, and by their priority', async () => {
  const desk = await documentExportWorker({ places: 1 })
  const service = held(desk)
  const ids = [await desk.document(2), await desk.document(3), await desk.document(4)]
  const versions = ids.map((id) => {
    desk.now += 1
    return desk.documents.parse({ id, options: all })
  })
  await eventually(() => expect(desk.asked).toHaveLength(1))
  desk.documents.prioritise(versions[2]?.id ?? '', -1)
  expect(desk.documents.queue().map(({ documentId }) => documentId)).toEqual([
    ids[2],
    ids[0],
    ids[1],
  ])
  service.open()
  for (const version of versions) await desk.finish(version.id)
  expect(desk.sent()).toEqual(['1-2', '1-4', '1-3'])
})

test('a new start goes on where the last one ended, and sends nothing that came', async () => {
  const desk = await documentExportWorker({ places: 2 })
  let answers = 0
  desk.answer = async (one) => {
    answers += 1
    if (answers > 2) await new Promise(() => {})
    return layoutOf(one)
  }
  const id = await desk.document(117)
  const version = desk.documents.parse({ id, options: all })
  await eventually(() => expect(desk.asked).toHaveLength(4))
  desk.answer = (one) => layoutOf(one)
  const before = desk.asked.slice(0, 2).flatMap(pagesOf)
  await desk.restart()
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 117')
  const after = desk.asked.slice(4).flatMap(pagesOf)
  expect(after.filter((page) => before.includes(page))).toEqual([])
  expect(new Set([...before, ...after]).size).toBe(117)
  expect(after).toHaveLength(117 - before.length)
})

test('what was to be taken over when the app ended is taken over at the next start', async () => {
  const desk = await documentExportWorker()
  const id = await desk.document(100)
  const first = desk.documents.parse({ id, options: { ...all, pages: '1-80' } })
  await desk.finish(first.id)
  desk.asked.length = 0
  const second = desk.documents.parse({ id, options: all })
  // Ended in the same moment: nothing of the second has happened yet.
  await desk.restart()
  await eventually(() => expect(desk.states(second.id)).toContain('returned'))
  await desk.finish(second.id)
  expect(desk.states(second.id)).toBe('returned 100')
  expect(new Set(desk.asked.flatMap(pagesOf))).toEqual(
    new Set(Array.from({ length: 20 }, (_, at) => 81 + at)),
  )
})

test('failed pages can be given to another account', async () => {
  const desk = await documentExportWorker()
  desk.answer = () => failure(400, '1301')
  const id = await desk.document(5)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  const account = desk.store.accounts.get('account-1')
  if (account) desk.store.accounts.put({ ...account, id: 'account-2', name: 'Other' })
  desk.answer = (one) => layoutOf(one)
  const retried = desk.documents.retry({ versionId: version.id, accountId: 'account-2' })
  expect(retried).toMatchObject({ accountId: 'account-2', accountName: 'Other' })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 5')
})

test('a document in the bin is not sent, and goes on when it is back', async () => {
  const desk = await documentExportWorker({ places: 1 })
  const service = held(desk)
  const id = await desk.document(72)
  const version = desk.documents.parse({ id, options: all })
  await eventually(() => expect(desk.asked).toHaveLength(1))
  await desk.documents.forget([id])
  desk.store.items.remove([id], desk.now)
  service.open()
  await desk.quiet()
  expect(desk.asked).toHaveLength(1)
  expect(desk.states(version.id)).toBe('waiting 72')
  desk.store.items.restore([id], desk.now)
  desk.documents.restored([id])
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 72')
  expect(desk.asked).toHaveLength(4)
})

test('a file is one document however often it is dropped', async () => {
  const desk = await documentExportWorker()
  const mediaId = await desk.paper({ last: 3 })
  const made = await Promise.all([
    desk.documents.create({ mediaId }),
    desk.documents.create({ mediaId }),
  ])
  expect(made.map(({ known }) => known)).toEqual([false, true])
  expect(made[0]?.document.id).toBe(made[1]?.document.id)
  expect(made[0]?.document).toMatchObject({ title: 'Paper', name: 'Paper.pdf', unlocked: false })
  await expect(desk.documents.create({ mediaId: 'none' })).rejects.toThrowError(
    expect.objectContaining({ code: 'NOT_FOUND' } satisfies Partial<AppError>),
  )
})
