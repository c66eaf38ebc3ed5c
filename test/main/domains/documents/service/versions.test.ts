import { expect, test } from 'vitest'
import type { AppError } from '../../../../../src/main/errors.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { documentSetup, failure, layoutOf, pagesOf, type DocumentSetup } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

/** Delays the server's responses until the test releases them. */
function held(setup: DocumentSetup): { readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  setup.answer = async (one) => {
    await opened
    return layoutOf(one)
  }
  return { open }
}

test('does not send the same pages and options again: existing results are reused', async () => {
  const setup = await documentSetup()
  const id = await setup.document(60)
  const first = setup.documents.parse({ id, options: { ...all, pages: '1-30' } })
  await setup.finish(first.id)
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(30)
  expect(setup.documents.plan({ id, options: all })).toMatchObject({
    plan: { pages: 30, parts: 2 },
    reusedPages: 30,
  })
  const second = setup.documents.parse({ id, options: all })
  await setup.finish(second.id)
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(60)
  expect(setup.states(second.id)).toBe('returned 60')
  const { blocks } = setup.documents.pages({ id, first: 5, last: 5, versionId: second.id })
  expect(blocks.map(({ content }) => content)).toContain('Title of page 5')
  const third = setup.documents.parse({ id, options: all })
  await setup.finish(third.id)
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(60)
  expect(setup.documents.get(id).versions[0]).toMatchObject({ number: 3, state: 'done', calls: 0 })
  const crops = setup.documents.parse({ id, options: { ...all, crops: true } })
  await setup.finish(crops.id)
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(120)
  expect(setup.requests.at(-1)).toMatchObject({ crops: true, visualisation: false })
})

test('parses a page again on request, as a version in addition to the old one', async () => {
  const setup = await documentSetup()
  const id = await setup.document(30)
  const first = setup.documents.parse({ id, options: all })
  await setup.finish(first.id)
  setup.requests.length = 0
  const again = setup.documents.parse({ id, options: { ...all, pages: '7' }, fresh: true })
  await setup.finish(again.id)
  expect(setup.sent()).toEqual(['7-7'])
  const { pages } = setup.documents.pages({ id, first: 6, last: 8 })
  expect(pages.map(({ versionId }) => versionId)).toEqual([first.id, again.id, first.id])
  setup.documents.choose({ id, pages: [7], versionId: first.id })
  expect(setup.documents.pages({ id, first: 7, last: 7 }).pages[0]?.versionId).toBe(first.id)
})

test('requesting twice while running sends nothing twice', async () => {
  const setup = await documentSetup()
  const service = held(setup)
  const id = await setup.document(30)
  const first = setup.documents.parse({ id, options: all })
  const second = setup.documents.parse({ id, options: { ...all, pages: '-30' } })
  expect(second.id).toBe(first.id)
  service.open()
  await setup.finish(first.id)
  expect(setup.requests.flatMap(pagesOf)).toHaveLength(30)
})

test('reports invalid pages and starts nothing', async () => {
  const setup = await documentSetup()
  const id = await setup.document(12)
  const wrong = (): unknown =>
    setup.documents.parse({ id, options: { ...all, pages: '3, 9-x, 14' } })
  expect(wrong).toThrowError(
    expect.objectContaining({
      code: 'BAD_REQUEST',
      params: expect.objectContaining({ piece: '9-x' }),
    }),
  )
  expect(setup.documents.queue()).toEqual([])
})

test('processes documents in the order requested, and by priority', async () => {
  const setup = await documentSetup({ places: 1 })
  const service = held(setup)
  const ids = [await setup.document(2), await setup.document(3), await setup.document(4)]
  const versions = ids.map((id) => {
    setup.now += 1
    return setup.documents.parse({ id, options: all })
  })
  await eventually(() => expect(setup.requests).toHaveLength(1))
  setup.documents.prioritise(versions[2]?.id ?? '', -1)
  expect(setup.documents.queue().map(({ documentId }) => documentId)).toEqual([
    ids[2],
    ids[0],
    ids[1],
  ])
  service.open()
  for (const version of versions) await setup.finish(version.id)
  expect(setup.sent()).toEqual(['1-2', '1-4', '1-3'])
})

test('a restart continues where the last run ended, and sends no received page again', async () => {
  const setup = await documentSetup({ places: 2 })
  let answers = 0
  setup.answer = async (one) => {
    answers += 1
    if (answers > 2) await new Promise(() => {})
    return layoutOf(one)
  }
  const id = await setup.document(117)
  const version = setup.documents.parse({ id, options: all })
  await eventually(() => expect(setup.requests).toHaveLength(4))
  setup.answer = (one) => layoutOf(one)
  const before = setup.requests.slice(0, 2).flatMap(pagesOf)
  await setup.restart()
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 117')
  const after = setup.requests.slice(4).flatMap(pagesOf)
  expect(after.filter((page) => before.includes(page))).toEqual([])
  expect(new Set([...before, ...after]).size).toBe(117)
  expect(after).toHaveLength(117 - before.length)
})

test('reuses results at the next start if the app ended before', async () => {
  const setup = await documentSetup()
  const id = await setup.document(100)
  const first = setup.documents.parse({ id, options: { ...all, pages: '1-80' } })
  await setup.finish(first.id)
  setup.requests.length = 0
  const second = setup.documents.parse({ id, options: all })
  // Ended at the same moment: nothing of the second has happened yet.
  await setup.restart()
  await eventually(() => expect(setup.states(second.id)).toContain('returned'))
  await setup.finish(second.id)
  expect(setup.states(second.id)).toBe('returned 100')
  expect(new Set(setup.requests.flatMap(pagesOf))).toEqual(
    new Set(Array.from({ length: 20 }, (_, at) => 81 + at)),
  )
})

test('failed pages can be sent with another account', async () => {
  const setup = await documentSetup()
  setup.answer = () => failure(400, '1301')
  const id = await setup.document(5)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  const account = setup.store.accounts.get('account-1')
  if (account) setup.store.accounts.put({ ...account, id: 'account-2', name: 'Other' })
  setup.answer = (one) => layoutOf(one)
  const retried = setup.documents.retry({ versionId: version.id, accountId: 'account-2' })
  expect(retried).toMatchObject({ accountId: 'account-2', accountName: 'Other' })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 5')
})

test('does not send a document in Trash, and continues after it is restored', async () => {
  const setup = await documentSetup({ places: 1 })
  const service = held(setup)
  const id = await setup.document(72)
  const version = setup.documents.parse({ id, options: all })
  await eventually(() => expect(setup.requests).toHaveLength(1))
  await setup.documents.forget([id])
  setup.store.items.remove([id], setup.now)
  service.open()
  await setup.quiet()
  expect(setup.requests).toHaveLength(1)
  expect(setup.states(version.id)).toBe('waiting 72')
  setup.store.items.restore([id], setup.now)
  setup.documents.restored([id])
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 72')
  expect(setup.requests).toHaveLength(4)
})

test('a file stays one document however often it is dropped', async () => {
  const setup = await documentSetup()
  const mediaId = await setup.paper({ last: 3 })
  const made = await Promise.all([
    setup.documents.create({ mediaId }),
    setup.documents.create({ mediaId }),
  ])
  expect(made.map(({ known }) => known)).toEqual([false, true])
  expect(made[0]?.document.id).toBe(made[1]?.document.id)
  expect(made[0]?.document).toMatchObject({ title: 'Paper', name: 'Paper.pdf', unlocked: false })
  await expect(setup.documents.create({ mediaId: 'none' })).rejects.toThrowError(
    expect.objectContaining({ code: 'NOT_FOUND' } satisfies Partial<AppError>),
  )
})
