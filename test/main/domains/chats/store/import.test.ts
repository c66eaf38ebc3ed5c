import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import { aMedia, codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { agent, newChat, turn as say, withChat } from './fixture.ts'

const made = {
  id: 'n',
  title: 'Taken in',
  settings: agent,
  accountId: 'a',
  accountName: 'A',
  temporary: false,
  folderId: null,
  at: 5,
  tags: ['one'],
}
const count = 4000

/** A chain of messages, each with an image, that follow an existing one. */
function chain(store: Store): readonly ChatMessage[] {
  say(store, 1, null, ['a question', 'an answer'])
  const [pattern] = Array.from(store.chats.all('c'))
  if (!pattern) throw new Error('Nothing was said')
  return Array.from({ length: count }, (_, n) => ({
    ...pattern,
    id: `n${n}`,
    conversationId: 'n',
    parentId: n === 0 ? null : `n${n - 1}`,
    role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `a zebra, number ${n}`,
    attachments: [{ kind: 'image' as const, mediaId: 'm1', name: 'm1.png' }],
  }))
}

/** Numbers of rows in the library's tables, read without the store. */
function rowsIn(home: string): Readonly<Record<string, number>> {
  const db = new Database(join(home, 'library.db'), { readonly: true })
  const tables = [
    'items',
    'conversations',
    'messages',
    'message_bodies',
    'message_media',
    'message_unindexed',
    'message_text_docsize',
    'chat_leftovers',
  ]
  const rows = tables.map((table) => [
    table,
    db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0,
  ])
  db.close()
  return Object.fromEntries(rows) as Readonly<Record<string, number>>
}
/** The existing chat with its two messages. */
const asBefore = {
  items: 1,
  conversations: 1,
  messages: 2,
  message_bodies: 2,
  message_media: 0,
  message_unindexed: 0,
  message_text_docsize: 2,
  chat_leftovers: 0,
}
const zebras = async (store: Store): Promise<number> =>
  (await store.chats.search({ query: 'zebra', ranked: false, limit: 9999 })).hits.length

test('imports a chat of thousands of messages concurrently, visible only when complete', () =>
  withChat(async (store, home) => {
    store.media.put(aMedia('m1'))
    newChat(store, 'gone')
    say(store, 'g', null, ['to be', 'swept'], 'gone')
    const messages = chain(store)
    let turns = 0
    let isThere = false
    let early: Promise<boolean> | undefined
    const importing = store.chats
      .importConversation(made, messages, `n${count - 1}`)
      .then((taken) => {
        isThere = true
        return taken
      })
    while (!isThere) {
      await turn()
      if (isThere) break
      turns += 1
      expect(store.chats.get('n')).toBeUndefined()
      expect(store.chats.message('n0')).toBeUndefined()
      expect(store.items.summary('n')).toBeUndefined()
      if (turns === 1) {
        // Remains of another one are deleted meanwhile, and a new one may start.
        store.items.purge(['gone'])
        newChat(store, 'begun', { at: 9 })
        // Nothing is found before it is complete.
        early = zebras(store).then((found) => !isThere && found > 0)
      }
    }
    expect(await early).toBe(false)
    expect(turns).toBeGreaterThan(1)
    expect(await importing).toMatchObject({
      messages: count,
      leafId: `n${count - 1}`,
      tags: ['one'],
    })
    expect(Array.from(store.chats.branch('n'), ({ id }) => id)).toEqual(
      messages.map(({ id }) => id),
    )
    expect(store.chats.list({ bin: false, limit: 9 })).toMatchObject({ total: 3 })
    expect(store.items.list({ bin: false, limit: 9 })).toMatchObject({ total: 3 })
    await expect.poll(() => zebras(store)).toBe(count)
    expect(rowsIn(home)).toMatchObject({
      items: 3,
      messages: count + 2,
      message_media: count,
      chat_leftovers: 0,
    })
  }))

test('nothing remains of a chat import interrupted by a crash', () =>
  withChat(async (store, home) => {
    store.media.put(aMedia('m1'))
    const died = temporaryHome()
    const importing = store.chats.importConversation(made, chain(store), null)
    for (let n = 0; n < 6; n++) await turn()
    // The state after a crash: the files as they are at this moment.
    cpSync(home, died.home, { recursive: true })
    expect(rowsIn(died.home).messages).toBeGreaterThan(2)
    await importing
    await withStore(died.home, async (again) => {
      expect(again.chats.list({ bin: false, limit: 9 }).total).toBe(1)
      await expect.poll(() => rowsIn(died.home)).toEqual(asBefore)
      expect(again.media.orphans(99).map(({ id }) => id)).toEqual(['m1'])
      // The same file can be imported again.
      await again.chats.importConversation(made, [], null)
      expect(again.chats.get('n')).toBeDefined()
    })
    died.remove()
  }))

test('imports a chat completely or not at all', () =>
  withChat(async (store, home) => {
    store.media.put(aMedia('m1'))
    const messages = chain(store)
    const [first] = messages
    if (!first) throw new Error('Nothing was made')
    // The last one already exists.
    const importing = store.chats.importConversation(
      made,
      [...messages, { ...first, id: 'q1' }],
      null,
    )
    await expect(importing).rejects.toThrow(/UNIQUE/)
    await expect.poll(() => rowsIn(home)).toEqual(asBefore)
    expect(store.chats.message('q1')?.text).toBe('a question')
    await store.chats.importConversation(made, messages, null)
    expect(store.chats.get('n')?.messages).toBe(count)
  }))

test('a chat import does not outlive the library it is imported into', () =>
  withChat(async (store, home) => {
    const importing = store.chats.importConversation(
      made,
      chain(store).map((message) => ({ ...message, attachments: [] })),
      null,
    )
    const ended = codeOf(() => importing)
    for (let n = 0; n < 6; n++) await turn()
    store.erase()
    expect(await ended).toBe('DATABASE_BUSY')
    expect(rowsIn(home)).toMatchObject({ items: 0, conversations: 0, messages: 0 })
  }))
