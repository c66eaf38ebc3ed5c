import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { codeOf } from '../../../platform/database/fixture.ts'
import { aMessage, begin, anEnd, idsOf, newChat, turn, withChat } from './fixture.ts'

const shown = (store: Store): readonly string[] => idsOf(store.chats.branch('c'))

/** Adds the given number of consecutive turns: `q1`, `a1`, `q2`... */
function turns(store: Store, count: number): void {
  store.transaction(() => {
    for (let n = 1; n <= count; n++) turn(store, n, n === 1 ? null : `a${n - 1}`)
  })
}

test('messages follow each other, and the last added is shown', () =>
  withChat((store) => {
    expect(store.chats.window('c', null, 10)).toEqual({ messages: [], before: 0, after: 0 })
    expect(store.chats.get('c')).toMatchObject({ leafId: null, messages: 0, excerpt: '' })
    turns(store, 2)
    const { messages, before, after } = store.chats.window('c', null, 10)
    expect(idsOf(messages)).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect([before, after]).toEqual([0, 0])
    expect(messages.map((each) => each.depth)).toEqual([0, 1, 2, 3])
    expect(messages.map((each) => each.parentId)).toEqual([null, 'q1', 'a1', 'q2'])
    expect(messages[3]).toMatchObject({ state: 'done', text: 'answer 2', siblings: ['a2'] })
    expect(store.chats.get('c')).toMatchObject({ leafId: 'a2', messages: 4, excerpt: 'answer 2' })
  }))

test('an edited question is a sibling: both branches stay, and each is shown to its end', () =>
  withChat((store) => {
    turns(store, 3)
    turn(store, '2b', 'a1')
    turn(store, '3b', 'a2b')
    expect(shown(store)).toEqual(['q1', 'a1', 'q2b', 'a2b', 'q3b', 'a3b'])
    expect(store.chats.message('q2')?.siblings).toEqual(['q2', 'q2b'])
    expect(store.chats.choose('q2').leafId).toBe('a3')
    expect(shown(store)).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3'])
    expect(store.chats.choose('a2b').leafId).toBe('a3b')
    // The other branch remembers its last displayed message, deep inside.
    turn(store, '3c', 'a2b')
    store.chats.choose('q3b')
    store.chats.choose('q2')
    expect(store.chats.choose('q2b').leafId).toBe('a3b')
    expect(idsOf(store.chats.all('c'))).toHaveLength(12)
  }))

test('the first question can be edited too', () =>
  withChat((store) => {
    turns(store, 2)
    turn(store, 'x', null)
    expect(shown(store)).toEqual(['qx', 'ax'])
    expect(store.chats.message('qx')?.siblings).toEqual(['q1', 'qx'])
    store.chats.choose('q1')
    expect(shown(store)).toEqual(['q1', 'a1', 'q2', 'a2'])
  }))

test('regenerating an answer in the middle keeps what followed it on its branch', () =>
  withChat((store) => {
    turns(store, 3)
    begin(store, 'a1b', 'q1')
    store.chats.settle('a1b', anEnd('another answer'))
    expect(shown(store)).toEqual(['q1', 'a1b'])
    expect(store.chats.message('a1b')?.siblings).toEqual(['a1', 'a1b'])
    // Another answer is requested on a branch that is not displayed.
    begin(store, 'a3b', 'q3')
    expect(shown(store)).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3b'])
  }))

test('windows open at the end, around a message and around one on a hidden branch', () =>
  withChat((store) => {
    turns(store, 20)
    const end = store.chats.window('c', null, 5)
    expect(idsOf(end.messages)).toEqual(['a18', 'q19', 'a19', 'q20', 'a20'])
    expect([end.before, end.after]).toEqual([35, 0])
    const middle = store.chats.window('c', 'q10', 6)
    expect(idsOf(middle.messages)).toEqual(['a8', 'q9', 'a9', 'q10', 'a10', 'q11'])
    expect([middle.before, middle.after]).toEqual([15, 19])
    const start = store.chats.window('c', 'q1', 6)
    expect(idsOf(start.messages)).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3'])
    expect([start.before, start.after]).toEqual([0, 34])
    const last = store.chats.window('c', 'a20', 6)
    expect(idsOf(last.messages)).toEqual(['q18', 'a18', 'q19', 'a19', 'q20', 'a20'])
    expect([last.before, last.after]).toEqual([34, 0])

    turn(store, 'side', 'a3')
    expect(store.chats.get('c')?.leafId).toBe('aside')
    const found = store.chats.window('c', 'q10', 4)
    expect(idsOf(found.messages)).toEqual(['q9', 'a9', 'q10', 'a10'])
    expect([found.before, found.after]).toEqual([16, 20])
    expect(store.chats.get('c')?.leafId).toBe('a20')
  }))

test('loads more before and after, until there is none', () =>
  withChat((store) => {
    turns(store, 10)
    const before = store.chats.more('q5', 'before', 3)
    expect(idsOf(before.messages)).toEqual(['a3', 'q4', 'a4'])
    expect([before.before, before.after]).toEqual([5, 12])
    const first = store.chats.more('q2', 'before', 5)
    expect(idsOf(first.messages)).toEqual(['q1', 'a1'])
    expect([first.before, first.after]).toEqual([0, 18])
    const none = store.chats.more('q1', 'before', 5)
    expect(none).toEqual({ messages: [], before: 0, after: 20 })
    const after = store.chats.more('q5', 'after', 3)
    expect(idsOf(after.messages)).toEqual(['a5', 'q6', 'a6'])
    expect([after.before, after.after]).toEqual([9, 8])
    const rest = store.chats.more('q9', 'after', 9)
    expect(idsOf(rest.messages)).toEqual(['a9', 'q10', 'a10'])
    expect(rest.after).toBe(0)
    expect(store.chats.more('a10', 'after', 9)).toEqual({ messages: [], before: 20, after: 0 })
  }))

test('withdrawing an unsent question shows the previous branch again', () =>
  withChat((store) => {
    turns(store, 1)
    store.chats.add(aMessage('q2', 'a1', { state: 'queued', at: 9000 }))
    expect(store.chats.get('c')).toMatchObject({ state: 'queued', leafId: 'q2', lastAt: 9000 })
    expect(store.chats.takeBack('q2')).toMatchObject({ id: 'q2', text: 'text of q2' })
    expect(store.chats.get('c')).toMatchObject({
      state: 'idle',
      leafId: 'a1',
      messages: 2,
      excerpt: 'answer 1',
      lastAt: 2000,
    })
    expect(store.chats.message('q2')).toBeUndefined()

    turn(store, 2, 'a1')
    store.chats.add(aMessage('q2b', 'a1', { state: 'waiting' }))
    store.chats.takeBack('q2b')
    expect(shown(store)).toEqual(['q1', 'a1', 'q2', 'a2'])

    newChat(store, 'other')
    store.chats.add(aMessage('only', null, { state: 'waiting', conversationId: 'other' }))
    store.chats.takeBack('only')
    expect(store.chats.get('other')).toMatchObject({ leafId: null, messages: 0, excerpt: '' })
  }))

test('withdraws only questions that were not sent and have no answer', () =>
  withChat(async (store) => {
    turns(store, 1)
    for (const id of ['q1', 'a1'])
      expect(await codeOf(() => store.chats.takeBack(id))).toBe('REFUSED')
    store.chats.add(aMessage('q2', 'a1', { state: 'queued' }))
    store.chats.add(aMessage('q3', 'q2', { state: 'queued' }))
    expect(await codeOf(() => store.chats.takeBack('q2'))).toBe('REFUSED')
    expect(await codeOf(() => store.chats.takeBack('none'))).toBe('NOT_FOUND')
  }))

test('removes an attempt without a result unless a session may contain it', () =>
  withChat((store) => {
    const failed = (id: string, question: string, sessionId: string | null): void => {
      begin(store, id, question)
      store.chats.settle(id, anEnd('', { state: 'failed', sessionId }))
    }
    turns(store, 1)
    store.chats.add(aMessage('q2', 'a1', { state: 'queued' }))
    failed('x', 'q2', null)
    failed('y', 'q2', 's')
    expect(store.chats.attempts('q2')).toEqual(['x', 'y'])
    expect(store.chats.attempts('q1')).toEqual([])
    store.chats.dropAttempts('q2')
    expect(store.chats.attempts('q2')).toEqual(['y'])
    expect(shown(store)).toEqual(['q1', 'a1', 'q2', 'y'])
    store.chats.takeBack('q2')
    expect(shown(store)).toEqual(['q1', 'a1'])
    expect(store.chats.get('c')).toMatchObject({ messages: 2, leafId: 'a1', state: 'idle' })
  }))

test('returns earlier turns oldest first, limited to the newest', () =>
  withChat((store) => {
    turns(store, 3)
    expect(store.chats.turnsBefore('q3', 3, 999)).toEqual([
      { role: 'assistant', text: 'answer 1' },
      { role: 'user', text: 'question 2' },
      { role: 'assistant', text: 'answer 2' },
    ])
    expect(store.chats.turnsBefore('q1', 3, 999)).toEqual([])
    expect(store.chats.turnsBefore('a2', 99, 999)).toHaveLength(3)
  }))

test('a message belongs to one chat', () =>
  withChat(async (store) => {
    turns(store, 1)
    newChat(store, 'd')
    const { chats } = store
    for (const [code, work] of [
      ['REFUSED', () => chats.add(aMessage('x', 'a1', { conversationId: 'd' }))],
      ['NOT_FOUND', () => chats.add(aMessage('x', 'none'))],
      ['NOT_FOUND', () => chats.add(aMessage('x', null, { conversationId: 'none' }))],
      ['NOT_FOUND', () => chats.window('d', 'a1', 5)],
      ['NOT_FOUND', () => chats.window('none', null, 5)],
      ['NOT_FOUND', () => chats.more('none', 'after', 5)],
      ['NOT_FOUND', () => chats.choose('none')],
      ['NOT_FOUND', () => Array.from(chats.branch('none'))],
    ] as const)
      expect(await codeOf(work)).toBe(code)
    expect(chats.message('none')).toBeUndefined()
    expect(chats.get('none')).toBeUndefined()
    expect(chats.get('d')?.messages).toBe(0)
  }))
