import { expect, test } from 'vitest'
import { useLibrary } from '../../../../src/renderer/src/domains/library/entries/library-store.ts'
import { fitsFilter } from '../../../../src/renderer/src/domains/library/entries/rows.ts'
import type { DocumentNews, DocumentVersion } from '../../../../src/shared/model/document.ts'
import type { ItemSummary } from '../../../../src/shared/model/library.ts'
import { rendererSetup } from '../../stores.ts'

const counts = (returned: number) => ({
  asked: 10,
  returned,
  failed: 0,
  waiting: 10 - returned,
  cancelled: 0,
})
const row: ItemSummary = {
  id: 'd',
  kind: 'document',
  title: 'Thrown away',
  excerpt: 'Its first words',
  duration: null,
  meeting: null,
  document: { pages: 10, locked: false, state: 'running', counts: counts(2) },
  conversation: null,
  speech: null,
  starred: false,
  folderId: null,
  tags: [],
  createdAt: 1,
  updatedAt: 1,
  deletedAt: 5,
}
const version = {
  id: 'v',
  documentId: 'd',
  number: 1,
  state: 'running',
  counts: counts(7),
} as DocumentVersion
const news: DocumentNews = {
  id: 'd',
  title: 'Thrown away',
  mediaId: 'm',
  name: 'd.pdf',
  unlocked: false,
  versions: [version],
  createdAt: 1,
  updatedAt: 1,
  deletedAt: 5,
}

test('shows the progress and completion of a trashed document that is still being parsed', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('library.list', ({ bin }: { bin: boolean }) => ({
    items: bin ? [row] : [],
    next: null,
    total: bin ? 1 : 0,
  }))
  const library = run(() => useLibrary())
  await library.bin.load()
  const shown = (): ItemSummary | undefined => library.bin.items[0]
  main.app({ type: 'document.changed', document: news })
  await settle()
  expect(shown()?.document?.counts?.returned).toBe(7)
  main.app({
    type: 'document.changed',
    document: { ...news, versions: [{ ...version, state: 'done', counts: counts(10) }] },
  })
  await settle()
  const last = shown()
  expect(last && fitsFilter(last, 'working')).toBe(false)
  // It is not added to any list of existing documents.
  expect(library.section('document').items).toEqual([])
})
