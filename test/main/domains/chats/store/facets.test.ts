import { expect, test } from 'vitest'
import { assistant, newChat, withChat } from './fixture.ts'

test('lists the responders of existing chats, most used first', () =>
  withChat((store) => {
    const { chats } = store
    newChat(store, 'd', { settings: assistant('as-1'), at: 2000 })
    newChat(store, 'e', { settings: assistant('as-1'), at: 2001 })
    newChat(store, 'f', { settings: assistant('as-2'), at: 2002 })
    newChat(store, 'g', { settings: assistant('as-3'), at: 2003, temporary: true })
    store.items.remove(['f'], 9)
    expect(chats.facets()).toEqual({ whos: ['as-1', 'agent'] })
    store.items.restore(['f'], 10)
    expect(chats.facets()).toEqual({ whos: ['as-1', 'agent', 'as-2'] })
  }))
