import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ChatAttachment, ChatMessage } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../api/use-client.ts'
import { useDrafts } from '../composer/drafts.ts'
import { useThread } from './store.ts'

/** A question that left its field and is not known to be in its conversation yet. */
export interface PendingQuestion {
  readonly key: number
  /** The conversation it is asked in. */
  readonly to: string
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
  readonly waits: boolean
  /** It takes long enough that it has to be seen where it went. */
  readonly late: boolean
}

type Given = Pick<PendingQuestion, 'to' | 'text' | 'attachments' | 'waits'>

/** How long nobody has to see that a question is on its way, in milliseconds. */
const lateMs = 400

/** Questions on their way into their conversations: each is seen until it is there, and back in its field when it was refused. */
export const usePendingQuestions = defineStore('chatAsking', () => {
  const client = useClient()
  const thread = useThread()
  const drafts = useDrafts()
  const pending = shallowRef<readonly PendingQuestion[]>([])
  /** What was asked last in each conversation. */
  const lines = new Map<string, Promise<unknown>>()
  let next = 1

  const without = (key: number): boolean => {
    const left = pending.value.filter((one) => one.key !== key)
    const was = left.length < pending.value.length
    pending.value = left
    return was
  }
  /** What was taken back and asked all the same, because main heard of it late, goes no further. */
  const undo = async (question: ChatMessage): Promise<void> => {
    if (question.state !== 'done') {
      await client.request('chats.unqueue', { messageId: question.id })
      return
    }
    const reply = await client.request('chats.window', { id: question.conversationId, limit: 10 })
    const running = reply.ok
      ? reply.data.messages.find(
          ({ parentId, state }) => parentId === question.id && state === 'running',
        )
      : undefined
    if (running) await client.request('chats.stop', { messageId: running.id })
  }
  const isPending = (key: number): boolean => pending.value.some((one) => one.key === key)
  const send = async (key: number, { to, text, attachments, waits }: Given) => {
    // Another conversation may be opened while this one is read to its end, or while it is asked.
    if (isPending(key) && thread.id === to) await thread.toEnd()
    if (!isPending(key)) return null
    const sent = await thread.ask(text, attachments, waits, to)
    if (!sent || isPending(key)) return sent
    await undo(sent)
    return null
  }
  /** Asks in a conversation; null when it was refused or taken back, and the question is in its field again. */
  const ask = async (given: Given): Promise<ChatMessage | null> => {
    const { to, text, attachments } = given
    const key = next++
    pending.value = [...pending.value, { ...given, key, late: false }]
    const timer = setTimeout(() => {
      pending.value = pending.value.map((one) => (one.key === key ? { ...one, late: true } : one))
    }, lateMs)
    // In their order, and behind what was taken back and has to be undone.
    const before = lines.get(to) ?? Promise.resolve()
    const done = before.then(() => send(key, given))
    lines.set(to, done)
    const sent = await done
    if (lines.get(to) === done) lines.delete(to)
    clearTimeout(timer)
    // Taken back: it is in its field already.
    if (!without(key)) return null
    if (!sent) drafts.fill(to, { text, attachments })
    return sent
  }
  /** Takes one back into its field. */
  const takeBack = (key: number): void => {
    const one = pending.value.find((other) => other.key === key)
    if (one && without(key)) drafts.fill(one.to, one)
  }
  return { pending, ask, takeBack }
})
