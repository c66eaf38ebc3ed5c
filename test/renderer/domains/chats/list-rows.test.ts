import { expect, test } from 'vitest'
import { fitsChat, placeChat } from '../../../../src/renderer/src/domains/chats/list/order.ts'
import { plainAssistant } from '../../../../src/renderer/src/domains/knowledge/base-choice/plain-settings.ts'
import { conversation } from './conversation.ts'

test('matches a chat by star, folder, tag and responder, but never a temporary or trashed one', () => {
  const chat = conversation({ folderId: 'f-1', tags: ['x'] })
  expect(fitsChat(chat, {}, '')).toBe(true)
  expect(fitsChat(chat, { folderId: 'f-1', tag: 'x' }, 'agent')).toBe(true)
  expect(fitsChat(chat, { folderId: 'f-2' }, '')).toBe(false)
  expect(fitsChat(chat, { folderId: null }, '')).toBe(false)
  expect(fitsChat(chat, { tag: 'y' }, '')).toBe(false)
  expect(fitsChat(chat, { starred: true }, '')).toBe(false)
  expect(fitsChat({ ...chat, starred: true }, { starred: true }, '')).toBe(true)
  expect(fitsChat(chat, {}, 'a-1')).toBe(false)
  const assistant = conversation({ settings: { ...plainAssistant, assistantId: 'a-1' } })
  expect(fitsChat(assistant, {}, 'a-1')).toBe(true)
  expect(fitsChat({ ...chat, temporary: true }, {}, '')).toBe(false)
  expect(fitsChat({ ...chat, deletedAt: 1 }, {}, '')).toBe(false)
})

test('moves a changed chat to its position; one older than the loaded pages waits for its page', () => {
  const list = [
    conversation({ id: 's', starred: true, lastAt: 1 }),
    conversation({ id: 'a', lastAt: 30 }),
    conversation({ id: 'b', lastAt: 20 }),
  ]
  const put = (chat: ReturnType<typeof conversation>, whole = true, fits = true) =>
    placeChat(list, chat, { fits, whole }).map(({ id }) => id)
  expect(put(conversation({ id: 'b', lastAt: 40 }))).toEqual(['s', 'b', 'a'])
  expect(put(conversation({ id: 'b', lastAt: 20, starred: true }))).toEqual(['b', 's', 'a'])
  expect(put(conversation({ id: 'c', lastAt: 10 }))).toEqual(['s', 'a', 'b', 'c'])
  expect(put(conversation({ id: 'c', lastAt: 10 }), false)).toEqual(['s', 'a', 'b'])
  expect(put(conversation({ id: 'a', lastAt: 30 }), true, false)).toEqual(['s', 'b'])
})
