import { expect, test } from 'vitest'
import { chatAbout } from '../../../../src/renderer/src/domains/chats/composer/chat-about-document.ts'
import {
  plainAgent,
  plainAssistant,
} from '../../../../src/renderer/src/domains/knowledge/base-choice/plain-settings.ts'
import {
  fromQuery,
  toQuery,
} from '../../../../src/renderer/src/domains/documents/send-to/send-to.ts'
import { defaultAssistantId } from '../../../../src/shared/provider/assistants.ts'
import type { ChatSettings } from '../../../../src/shared/model/chat.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import { conversation } from './conversation.ts'

const own = {
  agent: { ...plainAgent, knowledgeIds: ['other'], topK: 4 },
  assistant: { model: 'gen-4-alltools', doSample: null, translate: null },
}
const given = { documentId: 'speech', pages: '2-3', question: 'How many goats?', baseId: '' }

function open(scenario = {}) {
  const app = rendererSetup(scenario)
  app.main.answer('chats.create', ({ settings }: { settings: ChatSettings }) =>
    conversation({ settings }),
  )
  return app
}

test('passes a document in the URL and reads it back unchanged', () => {
  expect(fromQuery(toQuery(given))).toEqual(given)
  expect(fromQuery(toQuery({ ...given, baseId: 'b', pages: '' }))).toEqual({
    ...given,
    baseId: 'b',
    pages: '',
  })
  expect(fromQuery({ new: null })).toBe(null)
})

test('sends the text of a document to the plain assistant with the settings of new chats', async () => {
  const { client } = open()
  const reply = await chatAbout(client, given, own)
  expect(reply.ok && reply.data.chat.settings).toEqual({
    ...plainAssistant,
    ...own.assistant,
    assistantId: defaultAssistantId,
  })
  expect(reply.ok && reply.data.draft).toEqual({
    text: 'How many goats?',
    attachments: [
      { kind: 'document', itemId: 'speech', title: 'Inaugural address, 1961', pages: '2-3' },
    ],
  })
})

test('lets the agent search only the knowledge base that contains the document', async () => {
  const { client } = open()
  const reply = await chatAbout(client, { ...given, baseId: 'coast' }, own)
  expect(reply.ok && reply.data.chat.settings).toEqual({ ...own.agent, knowledgeIds: ['coast'] })
  expect(reply.ok && reply.data.draft).toEqual({ text: 'How many goats?', attachments: [] })
})

test('creates no chat for a deleted document, and returns none if it could not be created', async () => {
  const { client, main } = open()
  const gone = await chatAbout(client, { ...given, documentId: 'nobody' }, own)
  expect(gone.ok ? null : gone.error.code).toBe('NOT_FOUND')
  expect(main.requests.map(({ route }) => route)).toEqual(['library.summary'])
  const full = open({ fail: { 'chats.create': failure('DISK_FULL') } })
  const refused = await chatAbout(full.client, given, own)
  expect(refused.ok ? null : refused.error.code).toBe('DISK_FULL')
})
