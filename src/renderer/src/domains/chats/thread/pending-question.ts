import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ChatAttachment, ChatMessage } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useDrafts } from '../composer/drafts.ts'
import { useThread } from './thread-store.ts'

/** A question that was sent but is not confirmed to be in its chat yet. */
interface PendingQuestion {
  readonly key: number
  /** ID of its chat. */
  readonly to: string
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
  readonly waits: boolean
  /** Whether sending takes long enough that its progress must be shown. */
  readonly late: boolean
}

type Given = Pick<PendingQuestion, 'to' | 'text' | 'attachments' | 'waits'>

/** Milliseconds after which the progress of a question is shown. */
const lateMs = 400

/**
 * Questions being sent to their chats: each is shown until it arrives, and returns to its field when it is rejected.
 */
export const usePendingQuestions = defineStore('chatAsking', () => {
  const client = useClient()
  const thread = useThread()
  const drafts = useDrafts()
  const pending = shallowRef<readonly PendingQuestion[]>([])
  /** Last request in each chat. */
  const lines = new Map<string, Promise<unknown>>()
  let next = 1

  const without = (key: number): boolean => {
    const left = pending.value.filter((one) => one.key !== key)
    const was = left.length < pending.value.length
    pending.value = left
    return was
  }
  /** Undoes a question that was canceled too late for the main process. */
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
    // Another chat may be opened while this one is read to its end, or during the request.
    if (isPending(key) && thread.id === to) await thread.toEnd()
    if (!isPending(key)) return null
    const sent = await thread.ask(text, attachments, waits, to)
    if (!sent || isPending(key)) return sent
    await undo(sent)
    return null
  }
  /** Asks in a chat; returns null when the question was rejected or canceled and is in its field again. */
  const ask = async (given: Given): Promise<ChatMessage | null> => {
    const { to, text, attachments } = given
    const key = next++
    pending.value = [...pending.value, { ...given, key, late: false }]
    const timer = setTimeout(() => {
      pending.value = pending.value.map((one) => (one.key === key ? { ...one, late: true } : one))
    }, lateMs)
    // In order, and after canceled questions that have to be undone.
    const before = lines.get(to) ?? Promise.resolve()
    const done = before.then(() => send(key, given))
    lines.set(to, done)
    const sent = await done
    if (lines.get(to) === done) lines.delete(to)
    clearTimeout(timer)
    // Canceled: it is already in its field.
    if (!without(key)) return null
    if (!sent) drafts.fill(to, { text, attachments })
    return sent
  }
  /** Cancels a question and returns it to its field. */
  const takeBack = (key: number): void => {
    const one = pending.value.find((other) => other.key === key)
    if (one && without(key)) drafts.fill(one.to, one)
  }
  return { pending, ask, takeBack }
})
