import { expect, test } from 'vitest'
import { createDocumentReader } from '../../../../../src/main/domains/documents/service/reader.ts'
import { documentSetup, type DocumentSetup } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const
const missing = expect.objectContaining({ code: 'NOT_FOUND' })
const refused = expect.objectContaining({ code: 'REFUSED' })

async function parsed(
  setup: DocumentSetup,
  pages: number,
): Promise<{ id: string; version: string }> {
  const id = await setup.document(pages)
  const { id: version } = setup.documents.parse({ id, options: all })
  await setup.finish(version)
  return { id, version }
}

test('data of one document is never read, drawn or changed through another', async () => {
  const setup = await documentSetup()
  const mine = await parsed(setup, 3)
  const other = await parsed(setup, 2)
  const { documents } = setup
  const { store, files } = setup
  const texts = { compare: async () => [], differs: async () => false }
  const reader = createDocumentReader({ store, files, documents, texts })
  const [block] = documents.pages({ id: mine.id, first: 3, last: 3 }).blocks
  const blockId = block?.id ?? ''
  expect(reader.block(mine.id, blockId)).toMatchObject({ id: blockId, page: 3 })
  expect(() => reader.block(other.id, blockId)).toThrowError(missing)
  await expect(documents.crop({ id: other.id, blockId })).rejects.toThrowError(missing)
  await expect(reader.crop(other.id, blockId)).rejects.toThrowError(missing)
  expect(() => documents.edit({ id: other.id, blockId, text: 'x' })).toThrowError(missing)
  const page = { id: other.id, first: 1, last: 1 }
  expect(() => documents.pages({ ...page, versionId: mine.version })).toThrowError(missing)
  expect(() =>
    documents.choose({ id: other.id, pages: [1], versionId: mine.version }),
  ).toThrowError(refused)
  const sides = { leftId: other.version, rightId: mine.version }
  await expect(
    (async () => reader.compare({ id: other.id, page: 1, ...sides }))(),
  ).rejects.toThrowError(missing)
  await expect((async () => reader.returned(other.id, 1, mine.version))()).rejects.toThrowError(
    missing,
  )
  expect(documents.pages(page).pages[0]?.versionId).toBe(other.version)
})

test('page ranges beyond the document, reversed or with 100,000 pages are harmless', async () => {
  const setup = await documentSetup()
  const { id, version } = await parsed(setup, 2)
  const { documents } = setup
  expect(documents.pages({ id, first: 90_000, last: 90_010 })).toMatchObject({
    pages: [],
    blocks: [],
  })
  expect(documents.pages({ id, first: 2, last: 1 })).toMatchObject({ pages: [], blocks: [] })
  const many = Array.from({ length: 100_000 }, (_, at) => at + 1)
  documents.choose({ id, pages: many, versionId: null })
  expect(() => documents.choose({ id, pages: many, versionId: version })).toThrowError(refused)
  documents.choose({ id, pages: [2, 2, 1], versionId: version })
  expect(documents.retry({ versionId: version, pages: many }).state).toBe('done')
  expect(setup.states(version)).toBe('returned 2')
  await expect(documents.image({ id, page: 3, width: 160 })).rejects.toThrowError(missing)
  while (setup.store.documents.settle()) continue
  expect(setup.store.documents.find(id, 'Words').hits).toHaveLength(2)
})
