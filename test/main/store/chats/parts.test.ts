import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Store } from '../../../../src/main/store/types.ts'
import type { AnswerPart } from '../../../../src/shared/chat/shown-answer.ts'
import { codeOf } from '../fixture.ts'
import { aMessage, anEnd, begin, withChat } from './fixture.ts'

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
