import { expect, test } from 'vitest'
import type { ChatFolder, Conversation } from '../../../../src/shared/model/chat.ts'
import { useChatFolders } from '../../../../src/renderer/src/domains/chats/list/folders.ts'
import { useChats } from '../../../../src/renderer/src/domains/chats/list/chat-list-store.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import { conversation } from './conversation.ts'

const many = (count: number): Conversation[] =>
  Array.from({ length: count }, (_, i) =>
    conversation({ id: `c-${i}`, title: `Chat ${i}`, lastAt: 10_000 - i }),
  )

interface ListQuery {
  readonly folderId?: string
  readonly tag?: string
  readonly who?: string
  readonly cursor?: string
  readonly limit: number
}

function open(all: Conversation[], scenario = {}) {
  const app = rendererSetup(scenario)
  const fitting = ({ folderId, tag }: ListQuery) =>
    all.filter(
      (chat) =>
        (folderId === undefined || chat.folderId === folderId) &&
        (tag === undefined || chat.tags.includes(tag)),
    )
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
  app.main.answer(
    'chats.organise',
    ({ ids, pinned, ...change }: { ids: string[]; pinned?: boolean }) =>
      all
        .filter(({ id }) => ids.includes(id))
        .map((chat) => ({
          ...chat,
          ...change,
          ...(pinned !== undefined && { pinnedAt: pinned ? 5 : null }),
        })),
  )
  return { ...app, chats: app.run(useChats) }
}
const ids = (chats: readonly Conversation[]) => chats.map(({ id }) => id)

test('pages through chats without duplicates, with the correct total', async () => {
  const all = many(150)
  const { chats, settle } = open(all)
  void chats.load()
  await settle()
  expect([chats.chats.length, chats.total]).toEqual([60, 150])
  await chats.more()
  await chats.more()
  await chats.more()
  expect(ids(chats.chats)).toEqual(ids(all))
})

test('updates the list with events: adds new chats on top, renames in place, removes', async () => {
  const { main, chats, settle } = open(many(3))
  void chats.load()
  await settle()
  const change = (chat: Conversation) => main.app({ type: 'chat.changed', conversation: chat })
  change(conversation({ id: 'new', lastAt: 20_000 }))
  expect(ids(chats.chats)).toEqual(['new', 'c-0', 'c-1', 'c-2'])
  change(conversation({ id: 'c-1', title: 'Bees', lastAt: 9_999, updatedAt: 30_000 }))
  expect(chats.chats[2]?.title).toBe('Bees')
  change(conversation({ id: 'c-2', lastAt: 9_998, pinnedAt: 1 }))
  expect(ids(chats.chats)).toEqual(['c-2', 'new', 'c-0', 'c-1'])
  change(conversation({ id: 'secret', temporary: true, lastAt: 40_000 }))
  change(conversation({ id: 'c-0', deletedAt: 1 }))
  main.app({ type: 'chat.removed', ids: ['new', 'stranger'] })
  expect(ids(chats.chats)).toEqual(['c-2', 'c-1'])
  expect(chats.total).toBe(2)
})

test('removes chats that do not match the filter, and requests with the filter', async () => {
  const all = [
    conversation({ id: 'a', lastAt: 3, folderId: 'f', tags: ['x'] }),
    conversation({ id: 'b', lastAt: 2, folderId: 'f' }),
    conversation({ id: 'c', lastAt: 1 }),
  ]
  const { main, chats, settle } = open(all)
  void chats.load()
  await settle()
  await chats.setFilter({ folderId: 'f' })
  expect(ids(chats.chats)).toEqual(['a', 'b'])
  expect(chats.filtered).toBe(true)
  main.app({ type: 'chat.changed', conversation: conversation({ id: 'b', folderId: null }) })
  main.app({ type: 'chat.changed', conversation: conversation({ id: 'd', lastAt: 9 }) })
  expect(ids(chats.chats)).toEqual(['a'])
  expect(main.requests.at(-1)?.payload).toMatchObject({ folderId: 'f', bin: false })
})

test('shows pinning and filing at once, and reports a rejection', async () => {
  const { chats, settle } = open(many(2))
  void chats.load()
  await settle()
  await chats.organise(['c-1'], { pinned: true })
  expect(ids(chats.chats)).toEqual(['c-1', 'c-0'])
  const refused = open(many(2), {
    fail: { 'chats.organise': failure('READ_ONLY', { retriable: false }) },
  })
  void refused.chats.load()
  await refused.settle()
  await refused.chats.organise(['c-1'], { pinned: true })
  expect(refused.chats.refusal?.code).toBe('READ_ONLY')
  expect(ids(refused.chats.chats)).toEqual(['c-0', 'c-1'])
})

test('reverts a rejected rename', async () => {
  const { chats, settle } = open(many(1), {
    fail: { 'library.rename': failure('READ_ONLY', { retriable: false }) },
  })
  void chats.load()
  await settle()
  const done = chats.rename('c-0', 'Bees')
  expect(chats.chats[0]?.title).toBe('Bees')
  await done
  expect(chats.chats[0]?.title).toBe('Chat 0')
})

test('moves a chat to the Trash at once, and restores it on failure', async () => {
  const { chats, settle } = open(many(2), {
    fail: { 'library.remove': failure('READ_ONLY', { retriable: false }) },
  })
  void chats.load()
  await settle()
  const done = chats.remove(['c-0'])
  expect(ids(chats.chats)).toEqual(['c-1'])
  expect(await done).toBe(false)
  expect(ids(chats.chats)).toEqual(['c-0', 'c-1'])
})

test('recounts folders only when a chat moves between them', async () => {
  const { main, run, settle } = rendererSetup()
  let counted = 0
  const folders: ChatFolder[] = [{ id: 'f', name: 'Work', conversations: 0 }]
  main.answer('chats.folders', () => {
    counted += 1
    return folders
  })
  const store = run(useChatFolders)
  await store.load()
  expect(store.nameOf('f')).toBe('Work')
  const emitChange = async (chat: Conversation) => {
    main.app({ type: 'chat.changed', conversation: chat })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await settle()
  }
  await emitChange(conversation({ id: 'a' }))
  expect(counted).toBe(1)
  await emitChange(conversation({ id: 'a', folderId: 'f' }))
  await emitChange(conversation({ id: 'a', folderId: 'f', title: 'Other' }))
  expect(counted).toBe(2)
  await emitChange(conversation({ id: 'a', folderId: 'f', deletedAt: 1 }))
  expect(counted).toBe(3)
})
