import { expect, test } from 'vitest'
import {
  questionOf,
  questionQuery,
} from '../../../../src/renderer/src/domains/audio/meetings/meeting-question.ts'
import { askAboutMeeting } from '../../../../src/renderer/src/domains/chats/composer/chat-about-meeting.ts'
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
import type { ChatSettings, Conversation } from '../../../../src/shared/model/chat.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import { conversation } from './conversation.ts'

const own = {
  agent: { ...plainAgent, knowledgeIds: ['other'], topK: 4 },
  assistant: { model: 'gen-4-alltools', doSample: null, translate: null },
}
const given = {
  documentId: 'speech',
  pages: '2-3',
  question: '> Nine goats.',
  baseId: '',
  accountId: '',
}

function open(scenario = {}) {
  const app = rendererSetup(scenario)
  app.main.answer('chats.create', ({ settings }: { settings: ChatSettings }) =>
    conversation({ settings }),
  )
  return app
}

test('passes a document in the URL and reads it back unchanged', () => {
  expect(fromQuery(toQuery(given))).toEqual(given)
  const whole = { ...given, pages: '', question: '', baseId: 'b', accountId: 'local' }
  expect(fromQuery(toQuery(whole))).toEqual(whole)
  expect(fromQuery({ new: null })).toBe(null)
})

test('attaches a document to a chat with the plain assistant and the settings of new chats', async () => {
  const { client } = open()
  const reply = await chatAbout(client, given, own)
  expect(reply.ok && reply.data.chat.settings).toEqual({
    ...plainAssistant,
    ...own.assistant,
    assistantId: defaultAssistantId,
  })
  expect(reply.ok && reply.data.draft).toEqual({
    text: '> Nine goats.',
    attachments: [
      { kind: 'document', itemId: 'speech', title: 'Inaugural address, 1961', pages: '2-3' },
    ],
  })
})

test('lets the agent of its account search only the knowledge base that contains the document', async () => {
  const { client, main } = open()
  const from = { ...given, baseId: 'coast', accountId: 'local' }
  const reply = await chatAbout(client, from, own)
  expect(main.requests.at(-1)?.payload).toMatchObject({ accountId: 'local' })
  expect(reply.ok && reply.data.chat.settings).toEqual({ ...own.agent, knowledgeIds: ['coast'] })
  expect(reply.ok && reply.data.draft).toEqual({ text: '> Nine goats.', attachments: [] })
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

/** Storage of a page. */
function storage(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
  } as Storage
}

test('asks about a meeting in one chat, until that is deleted or another account is active', async () => {
  const { client, main } = open()
  const chats = new Map<string, Conversation>()
  main.answer('chats.create', ({ settings }: { settings: ChatSettings }) => {
    const made = conversation({ id: `chat-${chats.size + 1}`, settings })
    chats.set(made.id, made)
    return made
  })
  main.answer('chats.get', ({ id }: { id: string }) => chats.get(id))
  const asked: unknown[] = []
  main.answer('chats.ask', ({ id, text, attachments }: Record<string, string>) => {
    asked.push([id, text, attachments])
    return { conversation: chats.get(id ?? ''), question: null, answer: null }
  })
  const deps = {
    client,
    preferences: own,
    storage: storage(),
    accountId: conversation().accountId,
    streamId: 'stream-1',
  }
  const question = questionOf(
    questionQuery({ meetingId: 'speech', question: 'What did we decide?' }),
  )
  if (!question) throw new Error('The question was lost')
  await askAboutMeeting(question, deps)
  await askAboutMeeting({ ...question, question: 'And why?' }, deps)
  const name = 'Inaugural address, 1961'
  const attachments = [{ kind: 'meeting', itemId: 'speech', name }]
  expect(asked).toEqual([
    ['chat-1', 'What did we decide?', attachments],
    ['chat-1', 'And why?', attachments],
  ])
  const other = await askAboutMeeting(question, { ...deps, accountId: 'other' })
  expect(other.chat?.id).toBe('chat-2')
  chats.set('chat-2', conversation({ id: 'chat-2', deletedAt: 5 }))
  expect((await askAboutMeeting(question, deps)).chat?.id).toBe('chat-3')
})

test('keeps a rejected question about a meeting as the draft of its chat', async () => {
  const { client, main } = open({ fail: { 'chats.ask': failure('OFFLINE') } })
  main.answer('chats.draft', () => ({}))
  const { chat, failure: why } = await askAboutMeeting(
    { meetingId: 'speech', question: 'What did we decide?' },
    { client, preferences: own, storage: storage(), accountId: 'a', streamId: 'stream-1' },
  )
  expect([chat?.id, why?.code]).toEqual([conversation().id, 'OFFLINE'])
  expect(main.requests.at(-1)).toMatchObject({
    route: 'chats.draft',
    payload: { draft: { text: 'What did we decide?', attachments: [{ kind: 'meeting' }] } },
  })
})
