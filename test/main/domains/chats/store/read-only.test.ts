import { expect, test } from 'vitest'
import { migrations } from '../../../../../src/main/platform/database/migrate.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { newChat, turn } from './fixture.ts'

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
