import { join } from 'node:path'
import { renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Store } from '../../../../src/main/store/types.ts'
import { presets } from '../../../../src/shared/service/profiles.ts'
import { migrate } from '../../../../src/main/store/migrate.ts'
import { migrations } from '../../../../src/main/store/migrations/index.ts'
import { addItem, codeOf, temporaryHome, withStore } from '../fixture.ts'
import { newDocument, parse } from '../documents/fixture.ts'
import { aMeeting, transcribeAt } from '../meetings/fixture.ts'
import { aMessage, newChat, turn } from './fixture.ts'

const before = migrations.filter((step) => step.version <= 90)

test('a library of version 90 keeps everything, and accepts chats', async () => {
  const folder = temporaryHome()
  try {
    await withStore(
      folder.home,
      (store) => {
        addItem(store, 'r', 'A recording', 'spoken words')
        store.meetings.create(aMeeting('m'))
        transcribeAt(store, 'm', 's', 0, 0, ['words in a meeting'])
        newDocument(store, 'd')
        parse(store, 'd', 'v', 1, [['written words']])
      },
      { migrations: before },
    )
    await withStore(folder.home, async (store) => {
      expect(store.notice).toEqual({ state: 'ok' })
      newChat(store, 'c')
      turn(store, 1, null, ['asked words', 'answered words'])
      const found = async () =>
        (await store.search.search({ query: 'words', limit: 9 })).hits.map((hit) => hit.itemId)
      expect((await found()).toSorted()).toEqual(['c', 'd', 'm', 'r'])
      store.items.purge(['r', 'm', 'd', 'c'])
      expect(await found()).toEqual([])
    })
    const db = new Database(join(folder.home, 'library.db'))
    const options = db
      .prepare(
        `SELECT k, v FROM message_text_config WHERE k IN ('automerge', 'crisismerge') ORDER BY k`,
      )
      .all()
    expect(options).toEqual([
      { k: 'automerge', v: 0 },
      { k: 'crisismerge', v: 500 },
    ])
    db.close()
  } finally {
    folder.remove()
  }
})

test('a library of every older version is migrated, and can store chats', async () => {
  for (const { version } of migrations.filter((step) => step.version < 100)) {
    const folder = temporaryHome()
    try {
      const steps = migrations.filter((step) => step.version <= version)
      await withStore(folder.home, () => undefined, { migrations: steps })
      await withStore(folder.home, (store) => {
        newChat(store, 'c')
        turn(store, 1, null, ['asked', 'answered'])
        expect(store.chats.window('c', null, 5).messages, `${version}`).toHaveLength(2)
        expect(store.items.list({ bin: false, limit: 5 }).total).toBe(1)
      })
    } finally {
      folder.remove()
    }
  }
})

test('a read-only library of version 90 has lists, a search and no chats', async () => {
  const folder = temporaryHome()
  const fails = {
    version: 100,
    up: () => {
      throw new Error('not today')
    },
  }
  try {
    await withStore(folder.home, (store) => addItem(store, 'r', 'A recording', 'words'), {
      migrations: before,
    })
    await withStore(
      folder.home,
      async (store) => {
        const { chats } = store
        expect(store.writable).toBe(false)
        expect(store.items.summary('r')).toMatchObject({ conversation: null })
        expect((await store.search.search({ query: 'words', limit: 5 })).hits).toHaveLength(1)
        const query = { query: 'words', ranked: false, limit: 5 }
        expect((await chats.search(query)).hits).toEqual([])
        expect((await chats.find('r', 'words')).places).toEqual([])
        expect(chats.list({ bin: false, limit: 5 })).toEqual({
          conversations: [],
          next: null,
          total: 0,
        })
        for (const nothing of [
          chats.get('r'),
          chats.message('m'),
          chats.pushedFrom('x'),
          chats.namedDocument('x'),
        ])
          expect(nothing).toBeUndefined()
        for (const list of [
          chats.temporary(),
          chats.folders(),
          chats.unfinished(),
          chats.prompts(),
          chats.assistants('a').assistants,
        ])
          expect(list).toEqual([])
        for (const read of [
          () => chats.window('r', null, 5),
          () => chats.more('m', 'after', 5),
          () => chats.turnsBefore('m', 5, 9),
          () => chats.sessionOf('m'),
          () => chats.sessionGoesOn('m'),
          () => chats.holderOf('m'),
          () => chats.attempts('m'),
          () => chats.events('m', 0, 5),
          () => chats.branch('r'),
          () => chats.all('r'),
        ])
          expect(await codeOf(read)).toBe('NOT_FOUND')
        for (const write of [
          () => newChat(store, 'c'),
          () => chats.add(aMessage('m', null)),
          () => chats.choose('m'),
          () => chats.rename('r', 'x', 1),
          () => chats.saveFolder({ id: 'f', name: 'x', at: 1 }),
          () => chats.removePrompt('p'),
        ])
          expect(await codeOf(write)).toBe('READ_ONLY')
      },
      { migrations: [...before, fails] },
    )
  } finally {
    folder.remove()
  }
})

test('a read-only library shows a branch that is not the selected one, without selecting it', async () => {
  const folder = temporaryHome()
  const fails = {
    version: 99_999,
    up: () => {
      throw new Error('not today')
    },
  }
  try {
    await withStore(folder.home, (store) => {
      newChat(store, 'c')
      turn(store, 1, null)
      turn(store, 2, 'a1')
      turn(store, 3, 'a1')
    })
    await withStore(
      folder.home,
      (store) => {
        expect(store.writable).toBe(false)
        const { messages, before: ahead, after } = store.chats.window('c', 'q2', 9)
        expect(messages.map((message) => message.id)).toEqual(['q1', 'a1', 'q2', 'a2'])
        expect([ahead, after]).toEqual([0, 0])
        expect(store.chats.get('c')?.leafId).toBe('a3')
        expect(store.chats.list({ bin: false, limit: 5 }).total).toBe(1)
      },
      { migrations: [...migrations, fails] },
    )
  } finally {
    folder.remove()
  }
})

test('a library of version 100 is readable and migrated; its sessions have no holder', async () => {
  const folder = temporaryHome()
  const fails = {
    version: 110,
    up: () => {
      throw new Error('not today')
    },
  }
  const read = (store: Store): void => {
    const { messages } = store.chats.window('c', null, 9)
    expect(messages.map(({ text }) => text)).toEqual(['asked', 'answered'])
    expect(store.accounts.get('a')).toMatchObject({ name: 'Mine' })
  }
  try {
    await withStore(folder.home, (store) => {
      store.accounts.put({
        id: 'a',
        preset: 'custom',
        name: 'Mine',
        profile: presets.custom,
        createdAt: 1,
      })
      newChat(store, 'c')
      turn(store, 1, null, ['asked', 'answered'])
    })
    turnBack(join(folder.home, 'library.db'), 100)
    await withStore(
      folder.home,
      (store) => {
        expect(store.writable).toBe(false)
        read(store)
      },
      { migrations: [...before, ...migrations.filter(({ version }) => version === 100), fails] },
    )
    await withStore(
      folder.home,
      (store) => {
        expect(store.writable).toBe(true)
        read(store)
        expect(store.chats.sessionOf('a1')).toBe('s')
        expect(store.chats.holderOf('a1')).toBeNull()
        const first = store.accounts.holder('a')
        store.accounts.newKey('a')
        expect(store.accounts.holder('a')).not.toBe(first)
      },
      // Later steps create what this library already has.
      { migrations: migrations.filter(({ version }) => version <= 120 || version === 270) },
    )
  } finally {
    folder.remove()
  }
})

/** Writes the contents of a library to one of an older version, as far as that has the tables and columns. */
function turnBack(path: string, version: number): void {
  const older = new Database(`${path}.older`)
  migrate(
    older,
    migrations.filter((step) => step.version <= version),
  )
  older.prepare('ATTACH ? AS newer').run(path)
  const columns = (schema: string, table: string): string[] =>
    older
      .prepare<[string, string], { name: string }>('SELECT name FROM pragma_table_info(?, ?)')
      .all(table, schema)
      .map(({ name }) => name)
  older.pragma('foreign_keys = OFF')
  for (const table of ['accounts', 'items', 'conversations', 'messages', 'message_bodies']) {
    const theirs = new Set(columns('newer', table))
    const shared = columns('main', table)
      .filter((name) => theirs.has(name))
      .join(', ')
    older.exec(`DELETE FROM main.${table};
      INSERT INTO main.${table}(${shared}) SELECT ${shared} FROM newer.${table}`)
  }
  older.exec(`UPDATE messages SET session_id = 's'`)
  older.close()
  for (const side of ['-wal', '-shm']) rmSync(path + side, { force: true })
  renameSync(`${path}.older`, path)
}
