import type { AnswerEvent } from '../../../../src/shared/chats/answer.ts'
import type { ChatMessage, Conversation, MessageWindow } from '../../../../src/shared/model/chat.ts'
import type { EventBatch } from '../../../../src/shared/model/run.ts'
import type { FakeTransport } from '../../fake-transport.ts'
import { conversation } from './conversation.ts'

/** Question of the chat `c-1`. */
export const question = (id: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  conversationId: 'c-1',
  parentId: null,
  role: 'user',
  state: 'done',
  text: `Question ${id}`,
  depth: 0,
  siblings: [id],
  attachments: [],
  steps: [],
  slices: [],
  streamId: null,
  nextEvent: 0,
  settings: null,
  model: null,
  engine: null,
  notice: null,
  finishReason: null,
  usage: null,
  serviceMessageId: null,
  requestId: null,
  resentTurns: 0,
  error: null,
  createdAt: 1000,
  endedAt: null,
  ...more,
})

/** Finished answer. */
export const answer = (id: string, more: Partial<ChatMessage> = {}): ChatMessage =>
  question(id, { role: 'assistant', text: `Answer ${id}`, depth: 1, endedAt: 2000, ...more })

/** Running answer. */
export const runningAnswer = (id: string, more: Partial<ChatMessage> = {}): ChatMessage =>
  answer(id, { state: 'running', text: '', streamId: `stream-${id}`, endedAt: null, ...more })

/** Turns of a branch: `m0` is a question, `m1` its answer, and so on. */
export const turns = (count: number): ChatMessage[] =>
  Array.from({ length: count }, (_, depth) => {
    const place = { depth, parentId: depth === 0 ? null : `m${depth - 1}` }
    return depth % 2 === 0 ? question(`m${depth}`, place) : answer(`m${depth}`, place)
  })

/** Events as main sends them. */
export const events = (first: number, ...all: AnswerEvent[]): EventBatch => ({
  first,
  count: all.length,
  json: JSON.stringify(all),
})

/** Part of an answer's text. */
export const textEvent = (text: string): AnswerEvent => ({ t: 'text', text, at: 1500 })

/** Main process with one branch and the events of its running answers. */
export interface FakeBranch {
  conversation: Conversation
  branch: ChatMessage[]
  stored: EventBatch[]
}

/** Lets a fake main store the branch of the chat `c-1`. */
export function serveBranch(main: FakeTransport, branch: ChatMessage[]): FakeBranch {
  const saved: FakeBranch = {
    conversation: conversation({ leafId: branch.at(-1)?.id ?? null, messages: branch.length }),
    branch,
    stored: [],
  }
  const part = (from: number, to: number): MessageWindow => ({
    messages: saved.branch.slice(Math.max(0, from), to),
    before: Math.max(0, from),
    after: Math.max(0, saved.branch.length - to),
  })
  const placeOf = (id: string): number => saved.branch.findIndex((one) => one.id === id)
  main.answer('chats.get', () => saved.conversation)
  main.answer(
    'chats.window',
    ({ around, limit, begin }: { around?: string; limit: number; begin?: boolean }) => {
      const { length } = saved.branch
      if (begin === true) return part(0, Math.min(limit, length))
      if (around === undefined) return part(length - limit, length)
      const from = Math.max(0, placeOf(around) - (limit >> 1))
      return part(from, Math.min(length, from + limit))
    },
  )
  main.answer(
    'chats.more',
    ({ messageId, side, limit }: { messageId: string; side: string; limit: number }) => {
      const at = placeOf(messageId)
      return side === 'before'
        ? part(at - limit, at)
        : part(at + 1, Math.min(saved.branch.length, at + 1 + limit))
    },
  )
  main.answer('chats.message', ({ id }: { id: string }) => saved.branch[placeOf(id)])
  main.answer('chats.events', ({ from }: { from: number }) => ({
    batches: saved.stored.filter((one) => one.first + one.count > from),
    next: null,
  }))
  return saved
}
