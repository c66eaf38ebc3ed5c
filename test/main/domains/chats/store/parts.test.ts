import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { takeSnapshot } from '../../../../../src/main/domains/library/archive/archive-snapshot.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { shownUnits, type AnswerPart } from '../../../../../src/shared/chats/shown-answer.ts'
import { aMedia, codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aBatch, agent, aMessage, anEnd, begin, newChat, turn, withChat } from './fixture.ts'

const text = (start: number, words: string): AnswerPart => ({ kind: 'text', start, text: words })
const steps = (start: number, json: string): AnswerPart => ({ kind: 'steps', start, text: json })

/** Adds an answer whose message contains only the beginning. */
function addLongAnswer(store: Store): void {
  store.chats.add(aMessage('q', null))
  begin(store, 'a', 'q')
  store.chats.savePart('a', text(6, 'left by a try before'))
  store.chats.savePart('a', text(26, 'and more of it'))
  store.chats.savePart('a', text(6, 'middle '))
  store.chats.savePart('a', text(13, 'zebrafinch'))
  store.chats.savePart('a', steps(0, '[]'))
  store.chats.settle('a', anEnd('begin ', { shortened: { text: 23, steps: true } }))
}

test('saves a long answer in parts and reads ranges of it', () =>
  withChat(async (store) => {
    addLongAnswer(store)
    expect(store.chats.message('a')).toMatchObject({
      text: 'begin ',
      shortened: { text: 23, steps: true },
    })
    expect([...store.chats.parts('a')]).toEqual([
      text(6, 'middle '),
      text(13, 'zebrafinch'),
      steps(0, '[]'),
    ])
    const read = (from: number, units: number) => store.chats.textAt('a', from, units)
    expect([read(0, 99), read(2, 3), read(6, 99), read(15, 3), read(23, 9)]).toEqual([
      'begin ',
      'gin',
      'middle ',
      'bra',
      '',
    ])
    expect(await codeOf(() => store.chats.savePart('a', text(23, 'late')))).toBe('REFUSED')
    expect((await store.chats.find('c', 'zebrafinch')).places).toEqual([
      { messageId: 'a', offset: 13, length: 10 },
    ])
  }))

test('deletes the parts of an earlier attempt when the answer is short', () =>
  withChat((store) => {
    store.chats.add(aMessage('q', null))
    begin(store, 'a', 'q')
    store.chats.savePart('a', text(6, 'left'))
    store.chats.savePart('a', steps(0, '[]'))
    const settled = store.chats.settle('a', anEnd('short'))
    expect(settled).not.toHaveProperty('shortened')
    expect([...store.chats.parts('a')]).toEqual([])
  }))

test('resends the end of a long answer up to the requested length', () =>
  withChat((store) => {
    addLongAnswer(store)
    store.chats.add(aMessage('q2', 'a'))
    const last = (units: number) => store.chats.turnsBefore('q2', 9, units).at(-1)?.text
    expect([last(6), last(12), last(99)]).toEqual([
      'afinch',
      'e zebrafinch',
      'begin middle zebrafinch',
    ])
  }))

test('deletes the parts of a chat together with it', () =>
  withChat(async (store, home) => {
    addLongAnswer(store)
    const db = new Database(join(home, 'library.db'), { readonly: true })
    const left = () => db.prepare('SELECT count(*) FROM message_parts').pluck().get()
    expect(left()).toBe(3)
    store.items.purge(['c'])
    await expect.poll(left).toBe(0)
    db.close()
  }))

test('does not end an answer whose parts have a gap or overlap: its events stay', () =>
  withChat(async (store) => {
    store.chats.add(aMessage('q', null))
    begin(store, 'a', 'q')
    store.chats.appendEvents('a', aBatch(0, [{ t: 'text', text: 'begin middle', at: 1 }]))
    const end = anEnd('begin ', { shortened: { text: 12, steps: false } })
    const withSteps = anEnd('begin ', { shortened: { text: 12, steps: true } })
    const settle = (given: typeof end) => codeOf(() => store.chats.settle('a', given))
    expect(await settle(end)).toBe('INTERNAL')
    store.chats.savePart('a', text(8, 'ddle'))
    expect(await settle(end)).toBe('INTERNAL')
    store.chats.savePart('a', text(6, 'mid'))
    expect(await settle(end)).toBe('INTERNAL')
    store.chats.savePart('a', text(8, 'ddle'))
    expect(await settle(end)).toBe('INTERNAL')
    store.chats.savePart('a', text(6, 'mid'))
    store.chats.savePart('a', text(9, 'dle'))
    expect(await settle(withSteps)).toBe('INTERNAL')
    store.chats.savePart('a', steps(3, ']'))
    expect(await settle(withSteps)).toBe('INTERNAL')
    expect(store.chats.events('a', 0, 9).batches).toHaveLength(1)
    expect(store.chats.message('a')?.state).toBe('running')
    expect(store.chats.settle('a', end).state).toBe('done')
  }))

test('files that only the parts of an answer name stay in use', () =>
  withChat((store) => {
    store.media.put(aMedia('picture'))
    store.chats.add(aMessage('q', null))
    begin(store, 'a', 'q')
    store.chats.settle('a', anEnd('short', { drawings: ['picture'] }))
    expect(store.media.orphans(9)).toEqual([])
  }))

test('imports the files and the last word of a long answer while other texts wait for the index', () =>
  withChat(async (store) => {
    for (const id of ['picture', 'other']) store.media.put(aMedia(id))
    turn(store, 1, null)
    const [, answer] = Array.from(store.chats.all('c'))
    if (!answer) throw new Error('Nothing was said')
    const take = (id: string, given: Partial<typeof answer>) =>
      store.chats.importConversation(
        {
          id,
          title: id,
          settings: agent,
          accountId: 'a',
          accountName: 'A',
          temporary: false,
          folderId: null,
          at: 5,
          tags: [],
        },
        [{ ...answer, parentId: null, conversationId: id, id: `a-${id}`, ...given }],
        `a-${id}`,
      )
    const words = 'words and more words. '.repeat(150_000)
    await take('backlog', { text: words })
    const tool = (mediaId: string): (typeof answer.steps)[number] => ({
      kind: 'tool',
      // A shortened list contains fewer.
      call: {
        type: 'drawing_tool',
        outputs: [...Array.from({ length: 20 }, () => ({})), { mediaId }],
      },
      textAt: 0,
      startedAt: 1,
      endedAt: 2,
    })
    await take('long', {
      text: `${words}zebrafinch`,
      steps: [
        {
          kind: 'thought',
          text: 'x'.repeat(shownUnits.steps),
          textAt: 0,
          startedAt: 1,
          endedAt: 2,
        },
        tool('picture'),
      ],
    })
    expect(store.media.orphans(9).map(({ id }) => id)).toEqual(['other'])
    await expect
      .poll(
        async () =>
          (await store.chats.search({ query: 'zebrafinch', ranked: false, limit: 9 })).hits,
        {
          timeout: 60_000,
        },
      )
      .toHaveLength(1)
  }))

test('a snapshot contains no rows of messages that no longer exist', async () => {
  const { home, remove } = temporaryHome()
  try {
    await withStore(home, (store) => {
      newChat(store, 'c')
      turn(store, 1, null)
      store.media.put(aMedia('picture'))
    })
    const path = join(home, 'library.db')
    const db = new Database(path)
    db.exec(`INSERT INTO message_events VALUES (999, 0, 1, '["left words"]');
      INSERT INTO message_parts VALUES (999, 'text', 0, 10, 'left words');
      INSERT INTO message_media VALUES (999, 'picture')`)
    db.close()
    const target = join(home, 'snapshot.db')
    takeSnapshot(path, target)
    expect(readFileSync(target).includes('left words')).toBe(false)
    const copy = new Database(target, { readonly: true })
    for (const table of ['message_events', 'message_parts', 'message_media'])
      expect(copy.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0)
    copy.close()
  } finally {
    remove()
  }
})
