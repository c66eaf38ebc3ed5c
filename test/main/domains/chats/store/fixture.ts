import type {
  AnswerEnd,
  NewConversation,
  NewMessage,
} from '../../../../../src/main/domains/chats/store/chats-types.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { AnswerEvent } from '../../../../../src/shared/chats/answer.ts'
import type { ChatMessage, ChatSettings } from '../../../../../src/shared/model/chat.ts'
import type { EventBatch } from '../../../../../src/shared/model/run.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

/** Default settings of the agent. */
export const agent: ChatSettings = {
  kind: 'agent',
  knowledgeIds: ['k'],
  topK: null,
  topN: null,
  rerank: true,
  similarityThreshold: null,
  model: null,
  temperature: null,
  maxSteps: null,
  thinking: true,
}

/** Settings of an assistant. */
export const assistant = (assistantId: string): ChatSettings => ({
  kind: 'assistant',
  assistantId,
  model: null,
  doSample: null,
  translate: null,
})

/** Creates a chat without messages. */
export function newChat(store: Store, id: string, changes: Partial<NewConversation> = {}): void {
  store.chats.create({
    id,
    title: `Conversation ${id}`,
    settings: agent,
    accountId: 'a',
    accountName: 'An account',
    temporary: false,
    folderId: null,
    at: 1000,
    ...changes,
  })
}

/** A message of chat `c`. */
export const aMessage = (
  id: string,
  parentId: string | null,
  changes: Partial<NewMessage> = {},
): NewMessage => ({
  id,
  conversationId: 'c',
  parentId,
  role: 'user',
  state: 'done',
  text: `text of ${id}`,
  attachments: [],
  streamId: null,
  settings: null,
  resentTurns: 0,
  at: 2000,
  ...changes,
})

/** The end of an answer. */
export const anEnd = (text: string, changes: Partial<AnswerEnd> = {}): AnswerEnd => ({
  state: 'done',
  text,
  steps: [],
  sessionId: null,
  model: 'm',
  engine: null,
  notice: null,
  finishReason: 'stop',
  usage: null,
  serviceMessageId: null,
  requestId: null,
  error: null,
  at: 3000,
  ...changes,
})

/** Starts an answer of chat `c`. */
export const begin = (
  store: Store,
  id: string,
  parentId: string,
  changes: Partial<NewMessage> = {},
): ChatMessage =>
  store.chats.add(
    aMessage(id, parentId, {
      role: 'assistant',
      state: 'running',
      text: '',
      streamId: `s-${id}`,
      settings: agent,
      ...changes,
    }),
  )

/** Adds a question and its answer: question `q<n>`, answer `a<n>`. */
export function turn(
  store: Store,
  n: string | number,
  parentId: string | null,
  words: readonly [question: string, answer: string] = [`question ${n}`, `answer ${n}`],
  conversationId = 'c',
): string {
  store.chats.add(aMessage(`q${n}`, parentId, { text: words[0], conversationId }))
  begin(store, `a${n}`, `q${n}`, { conversationId })
  store.chats.settle(`a${n}`, anEnd(words[1]))
  return `a${n}`
}

/** Events as they are stored. */
export const aBatch = (first: number, events: readonly AnswerEvent[]): EventBatch => ({
  first,
  count: events.length,
  json: JSON.stringify(events),
})

/** The ids of messages. */
export const idsOf = (messages: Iterable<{ readonly id: string }>): readonly string[] =>
  Array.from(messages, (message) => message.id)

/** Runs `work` with a new library that contains an empty chat `c`. */
export async function withChat<T>(
  work: (store: Store, home: string) => T | Promise<T>,
): Promise<T> {
  const folder = temporaryHome()
  try {
    return await withStore(folder.home, (store) => {
      newChat(store, 'c')
      return work(store, folder.home)
    })
  } finally {
    folder.remove()
  }
}
