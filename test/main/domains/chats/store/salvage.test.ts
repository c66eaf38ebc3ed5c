import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { recount } from '../../../../../src/main/library-database/counts.ts'
import { rebuildDatabase } from '../../../../../src/main/library-database/rebuild.ts'
import { salvage } from '../../../../../src/main/library-database/salvage.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { aMedia, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aBatch, aMessage, anEnd, assistant, begin, idsOf, newChat, turn } from './fixture.ts'

const tables = [
  'items',
  'folders',
  'conversations',
  'item_tags',
  'messages',
  'message_bodies',
  'message_events',
  'message_media',
  'draft_media',
  'chat_prompts',
  'assistant_lists',
]

const rowsOf = (db: Database.Database) =>
  Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]))

/** A library with rows in every chat table: branches, a queue, a running answer, a draft, files. */
const make = (home: string): Promise<void> =>
  withStore(home, (store) => {
    const { chats } = store
    store.entries.saveFolder({ id: 'f', kind: 'conversation', name: 'A folder', at: 1 })
    newChat(store, 'c', { folderId: 'f', title: 'The title' })
    store.entries.organize({
      ids: ['c'],
      others: [],
      starred: true,
      addTags: ['one', 'two'],
      removeTags: [],
    })
    store.media.put(aMedia('picture'))
    chats.add(
      aMessage('q1', null, {
        text: 'first question',
        attachments: [{ kind: 'image', mediaId: 'picture', name: 'p.png' }],
      }),
    )
    begin(store, 'a1', 'q1', { settings: assistant('as-1') })
    const usage = { prompt: 1, completion: 2, total: 3, reasoning: null, cached: null }
    chats.settle('a1', anEnd('第一个回答', { usage }))
    turn(store, 2, 'a1', ['second question', 'second answer'])
    turn(store, '2b', 'a1', ['edited question', 'edited answer'])
    chats.choose('q2')
    chats.add(aMessage('q3', 'a2'))
    begin(store, 'a3', 'q3')
    chats.appendEvents('a3', aBatch(0, [{ t: 'text', text: 'so far', at: 1 }]))
    chats.add(aMessage('q4', 'a3', { state: 'queued' }))
    chats.saveDraft('c', {
      text: 'a draft',
      attachments: [{ kind: 'image', mediaId: 'picture', name: 'p.png' }],
    })
    newChat(store, 'hidden', { temporary: true })
    chats.add(aMessage('t1', null, { conversationId: 'hidden', text: 'secret words' }))
    chats.savePrompt({ id: 'p', name: 'prompt', text: 'Say {{it}}', at: 1 })
    chats.keepAssistants('a', [], 7)
  })

/** Deletes rows as if they were unreadable, and opens the library rebuilt from the rest. */
async function afterLoss(loss: string, inspect: (store: Store) => unknown): Promise<void> {
  const folder = temporaryHome()
  const other = temporaryHome()
  try {
    await make(folder.home)
    await withStore(other.home, () => undefined)
    const source = new Database(join(folder.home, 'library.db'))
    source.pragma('foreign_keys = OFF')
    source.exec(loss)
    const into = new Database(join(other.home, 'library.db'))
    salvage(source, into)
    expect(into.pragma('foreign_key_check')).toEqual([])
    source.close()
    into.close()
    await withStore(other.home, inspect)
  } finally {
    folder.remove()
    other.remove()
  }
}

test('rebuilds chats completely: rows, branches, files in use and search', async () => {
  const folder = temporaryHome()
  try {
    await make(folder.home)
    const path = join(folder.home, 'library.db')
    const target = join(folder.home, 'rebuilt.db')
    rebuildDatabase({ damaged: path, backup: null, target })
    const [old, made] = [new Database(path), new Database(target)]
    expect(rowsOf(made)).toEqual(rowsOf(old))
    for (const table of tables) expect(rowsOf(made)[table], table).not.toEqual([])
    expect(made.pragma('foreign_key_check')).toEqual([])
    expect(made.prepare(`SELECT uses FROM media WHERE id = 'picture'`).get()).toEqual({ uses: 2 })
    const savedRows = rowsOf(made)
    recount(made)
    expect(rowsOf(made)).toEqual(savedRows)
    const count = (db: Database.Database, table: string, words: string): unknown =>
      db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${table} MATCH ?`).get(words)
    for (const [table, words, n] of [
      ['message_text', 'question', 3],
      ['message_text', 'mine : question', 3],
      ['message_text', 'theirs : "第一 一个 个回"', 1],
      ['message_text', 'secret', 0],
      ['search_text', 'title', 1],
    ] as const)
      for (const db of [old, made]) expect(count(db, table, words), words).toEqual({ n })
    old.close()
    made.close()
  } finally {
    folder.remove()
  }
})

test('recovers messages of an unreadable chat, in order', () =>
  afterLoss('DELETE FROM conversations', (store) => {
    expect(store.chats.get('c')).toMatchObject({
      title: 'The title',
      leafId: 'q4',
      messages: 9,
      settings: { kind: 'agent', knowledgeIds: ['k'] },
      usage: { total: 3 },
    })
    expect(idsOf(store.chats.branch('c'))).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3', 'q4'])
    expect(store.chats.message('a3')).toMatchObject({ state: 'running', text: 'so far' })
    expect(store.chats.temporary()).toEqual(['hidden'])
  }))

test('a text whose message is unreadable follows the one before it', () =>
  afterLoss(`DELETE FROM messages WHERE id IN ('q2', 'q1')`, (store) => {
    const messages = Array.from(store.chats.branch('c'))
    expect(messages.map((message) => message.text)).toEqual([
      'first question',
      '第一个回答',
      'second question',
      'second answer',
      'text of q3',
      'so far',
      'text of q4',
    ])
    expect(messages.map((message) => message.depth)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(messages[0]).toMatchObject({ role: 'user', error: { code: 'DATABASE_DAMAGED' } })
    expect(store.chats.get('c')?.messages).toBe(9)
    // The other branch still exists.
    expect(store.chats.choose('a2b').leafId).toBe('a2b')
    expect(store.media.remove('picture')).toBe(false)
  }))

test('a message with unreadable text reports that, and is not sent', () =>
  afterLoss(
    `DELETE FROM message_bodies WHERE message_seq IN (SELECT seq FROM messages WHERE id IN ('a2', 'q4'));
     DELETE FROM message_events`,
    (store) => {
      expect(store.chats.message('a2')).toMatchObject({
        state: 'broken',
        text: '',
        error: { code: 'DATABASE_DAMAGED' },
      })
      expect(store.chats.unfinished()).toMatchObject([{ messageId: 'a3', state: 'running' }])
      expect(store.chats.message('a3')).toMatchObject({ text: '', nextEvent: 0 })
      expect(idsOf(store.chats.branch('c'))).toHaveLength(7)
    },
  ))

test('takes items out of a folder that is unreadable', () =>
  afterLoss('DELETE FROM folders', (store) => {
    expect(store.chats.get('c')).toMatchObject({ starred: true, folderId: null })
  }))

test('deletes remains of a chat that no longer exists', () =>
  afterLoss(`DELETE FROM items WHERE id = 'c'; DELETE FROM media`, async (store) => {
    expect(store.chats.get('c')).toBeUndefined()
    expect(store.chats.message('q1')).toBeUndefined()
    expect(store.entries.facets('conversation').folders).toEqual([
      { id: 'f', kind: 'conversation', name: 'A folder', items: 0 },
    ])
    expect(store.chats.message('t1')?.text).toBe('secret words')
  }))

test('an answer that lacks a part of its text reports that, and steps that lack a part are deleted', () => {
  const part = (id: string, kind: string, start: number, text: string): string =>
    `INSERT INTO message_parts SELECT seq, '${kind}', ${start}, ${text.length}, '${text}' FROM messages WHERE id = '${id}';`
  return afterLoss(
    `UPDATE message_bodies SET text = 'emoji 😀' WHERE message_seq = (SELECT seq FROM messages WHERE id = 'a2');
     ${part('a1', 'text', 5, '第二')} ${part('a1', 'text', 9, 'rest')} ${part('a1', 'steps', 0, '[]')}
     ${part('a2', 'text', 8, ' and')} ${part('a2', 'text', 12, ' more')} ${part('a2', 'steps', 0, '[')} ${part('a2', 'steps', 2, ']')}
     ${part('a3', 'text', 7, 'running')}`,
    (store) => {
      expect(store.chats.message('a1')).toMatchObject({
        state: 'broken',
        error: { code: 'DATABASE_DAMAGED' },
        shortened: { steps: true },
      })
      expect(store.chats.message('a2')).toMatchObject({
        state: 'done',
        error: null,
        shortened: { text: 17, steps: false },
      })
      expect(store.chats.message('a3')).toMatchObject({ state: 'running', error: null })
    },
  )
})
