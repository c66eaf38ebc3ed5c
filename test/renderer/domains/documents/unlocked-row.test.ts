import { expect, test } from 'vitest'
import { createItemList } from '../../../../src/renderer/src/domains/library/entries/item-list.ts'
import type { DocumentNews } from '../../../../src/shared/model/document.ts'
import type { ItemSummary } from '../../../../src/shared/model/library.ts'
import { rendererSetup } from '../../stores.ts'

const row: ItemSummary = {
  id: 'd',
  kind: 'document',
  title: 'Locked',
  excerpt: '',
  duration: null,
  meeting: null,
  document: { pages: 3, locked: true, state: null, counts: null },
  conversation: null,
  speech: null,
  starred: false,
  folderId: null,
  tags: [],
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
}
const news: DocumentNews = {
  id: 'd',
  title: 'Locked',
  mediaId: 'm',
  name: 'locked.pdf',
  unlocked: true,
  versions: [],
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
}

test('does not lock a document again when its row is reloaded after the password was given', async () => {
  const { main, client } = rendererSetup()
  main.answer('library.list', () => ({ items: [row], next: null, total: 1 }))
  main.answer('library.summary', () => row)
  const list = createItemList(client, { bin: false, kinds: ['document'] })
  await list.load()
  expect(list.items.value[0]?.document?.locked).toBe(true)
  list.documentChanged(news)
  expect(list.items.value[0]?.document?.locked).toBe(false)
  await list.changed(['d'])
  expect(list.items.value[0]?.document?.locked).toBe(false)
  await list.load()
  expect(list.items.value[0]?.document?.locked).toBe(false)
})
