import { expect, test } from 'vitest'
import { plainAgent } from '../../../../src/renderer/src/domains/knowledge/base-choice/plain-settings.ts'
import {
  readSideWidth,
  sideWidth,
  writeSideWidth,
} from '../../../../src/renderer/src/domains/chats/views/chats-view-preferences.ts'
import { startChat } from '../../../../src/renderer/src/domains/chats/views/start-chat.ts'
import { useTemporaryChat } from '../../../../src/renderer/src/domains/chats/views/temporary-chats.ts'
import { isNewChatKey } from '../../../../src/renderer/src/domains/chats/views/use-chat-keys.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import { conversation } from './conversation.ts'

function open(scenario = {}) {
  const app = rendererSetup(scenario)
  app.main.answer('chats.create', ({ temporary }: { temporary: boolean }) =>
    conversation({ temporary }),
  )
  app.main.answer('chats.ask', () => ({
    conversation: conversation({ messages: 2 }),
    question: null,
    answer: null,
  }))
  app.main.answer('chats.draft', () => ({}))
  app.main.answer('chats.end', () => ({}))
  const requestsTo = (route: string) =>
    app.main.requests.filter((one) => one.route === route).map(({ payload }) => payload)
  return { ...app, requestsTo }
}

test('creates a chat that starts with text, and asks the question', async () => {
  const { client, requestsTo } = open()
  const { chat, failure: why } = await startChat(
    client,
    { settings: plainAgent, text: 'Why do bees dance?', folderId: 'f' },
    'stream-1',
  )
  expect([chat?.messages, why]).toEqual([2, null])
  expect(requestsTo('chats.create')).toEqual([
    { settings: plainAgent, temporary: false, folderId: 'f' },
  ])
  expect(requestsTo('chats.ask')).toEqual([
    { id: 'c-1', text: 'Why do bees dance?', attachments: [], waits: false, streamId: 'stream-1' },
  ])
})

test('only creates a chat that starts without text', async () => {
  const { client, requestsTo } = open()
  const { chat } = await startChat(client, { settings: plainAgent, temporary: true }, 's')
  expect(chat?.temporary).toBe(true)
  expect(requestsTo('chats.ask')).toEqual([])
})

test('keeps text that could not be sent as a draft, with the reason', async () => {
  const { client, requestsTo } = open({ fail: { 'chats.ask': failure('BAD_REQUEST') } })
  const { chat, failure: why } = await startChat(
    client,
    { settings: plainAgent, text: 'Why?' },
    's',
  )
  expect([chat?.id, why?.code]).toEqual(['c-1', 'BAD_REQUEST'])
  expect(requestsTo('chats.draft')).toEqual([
    { id: 'c-1', draft: { text: 'Why?', attachments: [] } },
  ])
})

test('ends a temporary chat when another is opened, but not when another page is shown', async () => {
  const { main, run, requestsTo } = open()
  const temporary = run(useTemporaryChat)
  temporary.keep('t-1')
  await temporary.leaveFor('t-1')
  expect(requestsTo('chats.end')).toEqual([])
  await temporary.leaveFor('c-1')
  await temporary.leaveFor('')
  expect(requestsTo('chats.end')).toEqual([{ id: 't-1' }])
  temporary.keep('t-2')
  main.app({ type: 'chat.removed', ids: ['t-2'] })
  await temporary.leaveFor('')
  expect(requestsTo('chats.end').length).toBe(1)
})

test('recognizes the keys of a new chat', () => {
  const press = (more: object) =>
    ({
      key: 'n',
      ctrlKey: true,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      isComposing: false,
      repeat: false,
      ...more,
    }) as KeyboardEvent
  expect(isNewChatKey(press({}))).toBe(true)
  expect(isNewChatKey(press({ key: 'O', shiftKey: true }))).toBe(true)
  expect(isNewChatKey(press({ key: 'o' }))).toBe(false)
  expect(isNewChatKey(press({ shiftKey: true }))).toBe(false)
  expect(isNewChatKey(press({ isComposing: true }))).toBe(false)
  expect(isNewChatKey(press({ ctrlKey: false }))).toBe(false)
})

test('saves the width of the panel next to a chat, and rejects invalid values', () => {
  const stored = new Map<string, string>()
  const store = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  expect(readSideWidth(store)).toBe(sideWidth.default)
  writeSideWidth(store, 512)
  expect(readSideWidth(store)).toBe(512)
  for (const strange of ['', 'x', '-5', '99999']) {
    for (const name of stored.keys()) stored.set(name, strange)
    expect(readSideWidth(store)).toBe(sideWidth.default)
  }
})
