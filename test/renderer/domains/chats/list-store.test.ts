import { expect, test } from 'vitest'
import type { Conversation } from '../../../../src/shared/model/chat.ts'
import type { ListFacets } from '../../../../src/shared/model/library.ts'
import { useChats } from '../../../../src/renderer/src/domains/chats/list/chat-list-store.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import { conversation } from './conversation.ts'

const many = (count: number): Conversation[] =>
  Array.from({ length: count }, (_, i) =>
    conversation({ id: `c-${i}`, title: `Chat ${i}`, lastAt: 10_000 - i }),
  )

interface ListQuery {
  readonly folderId?: string | null
  readonly tag?: string
  readonly who?: string
  readonly cursor?: string
  readonly limit: number
}

function open(all: Conversation[], scenario = {}, facets: Partial<ListFacets> = {}) {
  const app = rendererSetup(scenario)
  const fitting = ({ folderId, tag }: ListQuery) =>
    all.filter(
      (chat) =>
        (folderId === undefined || chat.folderId === folderId) &&
        (tag === undefined || chat.tags.includes(tag)),
    )
  app.main.answer('library.facets', () => ({ folders: [], starred: false, tags: [], ...facets }))
  app.main.answer('chats.list', (query: ListQuery) => {
    const from = Number(query.cursor ?? 0)
    const found = fitting(query)
    const page = found.slice(from, from + query.limit)
    const next = from + page.length
    return {
      conversations: page,
      next: next < found.length ? String(next) : null,
      total: found.length,
    }
  })
  const chats = app.run(useChats)
  return { ...app, chats, list: chats.section.list, shown: () => ids(chats.section.items) }
}
const ids = (chats: readonly Conversation[]) => chats.map(({ id }) => id)

test('pages through chats without duplicates', async () => {
  const all = many(150)
  const { chats, list, shown } = open(all)
  await chats.section.load()
  expect(shown()).toHaveLength(60)
  await list.more()
  await list.more()
  await list.more()
  expect(shown()).toEqual(ids(all))
})

test('updates the list with events: adds new chats on top, renames in place, removes', async () => {
  const { main, chats, shown } = open(many(3))
  await chats.section.load()
  const change = (chat: Conversation) => main.app({ type: 'chat.changed', conversation: chat })
  change(conversation({ id: 'new', lastAt: 20_000 }))
  expect(shown()).toEqual(['new', 'c-0', 'c-1', 'c-2'])
  change(conversation({ id: 'c-1', title: 'Bees', lastAt: 9_999, updatedAt: 30_000 }))
  expect(chats.section.items[2]?.title).toBe('Bees')
  change(conversation({ id: 'c-2', lastAt: 9_998, starred: true }))
  expect(shown()).toEqual(['c-2', 'new', 'c-0', 'c-1'])
  change(conversation({ id: 'secret', temporary: true, lastAt: 40_000 }))
  change(conversation({ id: 'c-0', deletedAt: 1 }))
  main.app({ type: 'chat.removed', ids: ['new', 'stranger'] })
  expect(shown()).toEqual(['c-2', 'c-1'])
})

test('moves chats between folders with events, and shows an open folder above the others', async () => {
  const all = [
    conversation({ id: 'a', lastAt: 3, folderId: 'f' }),
    conversation({ id: 'b', lastAt: 2, folderId: 'f' }),
    conversation({ id: 'c', lastAt: 1 }),
  ]
  const folders = [{ id: 'f', kind: 'conversation', name: 'Work', items: 2 }] as const
  const { main, chats, shown } = open(all, {}, { folders })
  await chats.section.load()
  expect(shown()).toEqual(['c'])
  await chats.section.toggle('f')
  expect(shown()).toEqual(['a', 'b', 'c'])
  main.app({ type: 'chat.changed', conversation: conversation({ id: 'b', lastAt: 2 }) })
  expect(shown()).toEqual(['a', 'b', 'c'])
  expect(ids(chats.section.list.items)).toEqual(['b', 'c'])
  await chats.section.toggle('f')
  expect(shown()).toEqual(['b', 'c'])
})

test('shows the chats of an assistant in one list, whatever their folder', async () => {
  const { chats, main } = open(
    many(2),
    {},
    {
      folders: [{ id: 'f', kind: 'conversation', name: 'Work', items: 2 }],
    },
  )
  await chats.section.load()
  expect(main.requests.at(-1)?.payload).toMatchObject({ folderId: null })
  await chats.setWho('a-1')
  expect(main.requests.at(-1)?.payload).toMatchObject({ who: 'a-1' })
  expect(main.requests.at(-1)?.payload).not.toHaveProperty('folderId')
})

test('reverts a rejected rename', async () => {
  const { chats } = open(many(1), {
    fail: { 'library.rename': failure('READ_ONLY', { retriable: false }) },
  })
  await chats.section.load()
  const done = chats.rename('c-0', 'Bees')
  expect(chats.section.items[0]?.title).toBe('Bees')
  await done
  expect(chats.section.items[0]?.title).toBe('Chat 0')
  expect(chats.section.failure?.code).toBe('READ_ONLY')
})

test('moves a chat to the Trash at once, and restores it on failure', async () => {
  const { chats, shown } = open(many(2), {
    fail: { 'library.remove': failure('READ_ONLY', { retriable: false }) },
  })
  await chats.section.load()
  const done = chats.remove(['c-0'])
  expect(shown()).toEqual(['c-1'])
  expect(await done).toBe(false)
  expect(shown()).toEqual(['c-0', 'c-1'])
})
