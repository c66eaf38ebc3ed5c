import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { AnswerEvent } from '../../../../../src/shared/chats/answer.ts'
import { codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aBatch, aMessage, anEnd, begin, newChat, turn, withChat } from './fixture.ts'

const textEvent = (text: string, at = 1): AnswerEvent => ({ t: 'text', text, at })
const thought = (text: string, at = 1): AnswerEvent => ({ t: 'reasoning', text, at })

/** A question with an answer that has started. */
function addQuestion(store: Store): void {
  store.chats.add(aMessage('q', null))
  begin(store, 'a', 'q')
}

test('an answer grows event by event, and reports its current content', () =>
  withChat((store) => {
    addQuestion(store)
    expect(store.chats.message('a')).toMatchObject({
      state: 'running',
      text: '',
      nextEvent: 0,
      streamId: 's-a',
    })
    store.chats.appendEvents('a', aBatch(0, [thought('Hm'), thought(', so')]))
    store.chats.appendEvents('a', aBatch(2, [textEvent('It '), textEvent('is')]))
    expect(store.chats.message('a')).toMatchObject({
      text: 'It is',
      nextEvent: 4,
      steps: [{ kind: 'reasoning', text: 'Hm, so' }],
    })
    store.chats.appendEvents('a', aBatch(4, [textEvent(' so.')]))
    expect(store.chats.window('c', null, 5).messages.at(-1)).toMatchObject({
      text: 'It is so.',
      nextEvent: 5,
    })
    expect(store.chats.get('c')?.state).toBe('answering')
  }))

test('a page reads the events it missed, in whole batches from a position', () =>
  withChat(async (store) => {
    addQuestion(store)
    for (let n = 0; n < 5; n++)
      store.chats.appendEvents('a', aBatch(n * 2, [textEvent(`${n}`), textEvent('.')]))
    const all = store.chats.events('a', 0, 100)
    expect(all.batches.map((batch) => batch.first)).toEqual([0, 2, 4, 6, 8])
    expect(all.next).toBeNull()
    const some = store.chats.events('a', 3, 3)
    expect(some.batches.map((batch) => batch.first)).toEqual([2, 4])
    expect(some.next).toBe(6)
    expect(store.chats.events('a', 10, 5)).toEqual({ batches: [], next: null })
    expect(await codeOf(() => store.chats.appendEvents('a', aBatch(8, [textEvent('x')])))).toMatch(
      /UNIQUE/,
    )
    expect(store.chats.message('a')?.nextEvent).toBe(10)
  }))

test('events of a rolled-back transaction are not in the answer', () =>
  withChat((store) => {
    addQuestion(store)
    store.chats.appendEvents('a', aBatch(0, [textEvent('kept')]))
    expect(() =>
      store.transaction(() => {
        store.chats.appendEvents('a', aBatch(1, [textEvent(' lost')]))
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(store.chats.message('a')).toMatchObject({ text: 'kept', nextEvent: 1 })
    store.chats.appendEvents('a', aBatch(1, [textEvent(' and more')]))
    expect(store.chats.message('a')?.text).toBe('kept and more')
  }))

test('a finished answer keeps its result, and its events are deleted', () =>
  withChat(async (store, home) => {
    addQuestion(store)
    for (let n = 0; n < 450; n++) store.chats.appendEvents('a', aBatch(n, [textEvent('x')]))
    const usage = { prompt: 5, completion: 7, total: 12, reasoning: null, cached: 0 }
    const settled = store.chats.settle('a', {
      ...anEnd('the whole'),
      usage,
      sessionId: 's1',
      engine: 'e',
      requestId: 'r',
      serviceMessageId: 'sm',
      steps: [{ kind: 'reasoning', text: 'Hm', textAt: 0, startedAt: 1, endedAt: 2 }],
    })
    expect(settled).toMatchObject({
      state: 'done',
      text: 'the whole',
      usage,
      engine: 'e',
      model: 'm',
      endedAt: 3000,
      steps: [{ text: 'Hm' }],
    })
    expect(store.chats.events('a', 0, 10)).toEqual({ batches: [], next: null })
    expect(store.chats.get('c')).toMatchObject({
      state: 'idle',
      excerpt: 'the whole',
      usage,
      updatedAt: 3000,
    })
    for (const again of [
      () => store.chats.settle('a', anEnd('other')),
      () => store.chats.appendEvents('a', aBatch(450, [textEvent('late')])),
      () => store.chats.settle('q', anEnd('no answer')),
    ])
      expect(await codeOf(again)).toBe('REFUSED')
    // Many batches are deleted in steps, and none remains.
    const db = new Database(join(home, 'library.db'), { readonly: true })
    const left = (): unknown =>
      db.prepare<[], { n: number }>('SELECT count(*) AS n FROM message_events').get()?.n
    await expect.poll(left).toBe(0)
    db.close()
  }))

test('reads a running answer from its events after a crash, and can settle it', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      newChat(store, 'c')
      addQuestion(store)
      store.chats.appendEvents('a', aBatch(0, [textEvent('so '), textEvent('far')]))
      store.chats.add(aMessage('q2', 'a', { state: 'queued' }))
    })
    await withStore(folder.home, (store) => {
      expect(store.chats.unfinished()).toEqual([
        { messageId: 'a', conversationId: 'c', state: 'running' },
        { messageId: 'q2', conversationId: 'c', state: 'queued' },
      ])
      expect(store.chats.message('a')).toMatchObject({ text: 'so far', nextEvent: 2 })
      store.chats.appendEvents('a', aBatch(2, [textEvent('!')]))
      expect(store.chats.message('a')?.text).toBe('so far!')
      store.chats.settle('a', anEnd('so far!', { state: 'broken' }))
      expect(store.chats.get('c')?.state).toBe('queued')
      store.chats.setState('q2', { state: 'waiting' })
      expect(store.chats.get('c')?.state).toBe('waiting')
    })
  } finally {
    folder.remove()
  }
})

test('a session continues only from its end', () =>
  withChat((store) => {
    const answer = (n: number, parent: string | null, session: string): void => {
      store.chats.add(aMessage(`q${n}`, parent))
      begin(store, `a${n}`, `q${n}`)
      store.chats.settle(`a${n}`, anEnd('x', { sessionId: session }))
    }
    answer(1, null, 's')
    expect(store.chats.sessionOf('a1')).toBe('s')
    answer(2, 'a1', 's')
    expect(store.chats.sessionOf('a1')).toBeNull()
    expect(store.chats.sessionContinues('a1')).toBe(true)
    expect(store.chats.sessionOf('a2')).toBe('s')
    expect(store.chats.sessionContinues('a2')).toBe(false)
    // A branch in the middle starts its own session.
    answer(3, 'a1', 'other')
    expect(store.chats.sessionOf('a3')).toBe('other')
    turn(store, 4, 'a3')
    expect(store.chats.sessionOf('a4')).toBeNull()
    expect(store.chats.sessionContinues('a4')).toBe(false)
    // It is known as soon as it is reported.
    store.chats.add(aMessage('q5', 'a2'))
    begin(store, 'a5', 'q5')
    store.chats.appendEvents('a5', aBatch(0, [{ t: 'session', id: 's', at: 1 }]))
    expect(store.chats.sessionOf('a2')).toBeNull()
  }))

test('updates the state of questions, and the provider IDs of files', () =>
  withChat((store) => {
    const file = { kind: 'file', mediaId: 'm', name: 'n.txt', fileId: null } as const
    store.chats.add(aMessage('q', null, { state: 'waiting', attachments: [file] }))
    const failure = { code: 'OFFLINE', message: 'x', retriable: true, at: 1 } as const
    expect(store.chats.setState('q', { state: 'waiting', error: failure }).error).toEqual(failure)
    const sent = store.chats.setState('q', {
      state: 'done',
      error: null,
      attachments: [{ ...file, fileId: 'f1' }],
      streamId: 'new',
    })
    expect(sent).toMatchObject({
      state: 'done',
      error: null,
      streamId: 'new',
      attachments: [{ fileId: 'f1' }],
    })
  }))

test('saves chunks with their message, without duplicates', () =>
  withChat((store) => {
    turn(store, 1, null)
    store.chats.keepSlices('a1', { requestId: 'r', nodeId: 'n', at: 1, data: { old: true } })
    store.chats.keepSlices('a1', { requestId: 'r', nodeId: 'other', at: 2, data: 2 })
    store.chats.keepSlices('a1', { requestId: 'r', nodeId: 'n', at: 3, data: { old: false } })
    expect(store.chats.message('a1')?.slices).toEqual([
      { requestId: 'r', nodeId: 'other', at: 2, data: 2 },
      { requestId: 'r', nodeId: 'n', at: 3, data: { old: false } },
    ])
  }))
