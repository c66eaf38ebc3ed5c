import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { QuestionWithAnswer } from '../../../../../shared/contract/chats.ts'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { ChatAttachment, ChatDraft, Conversation } from '../../../../../shared/model/chat.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'
import { sendable } from '../../knowledge/index.ts'
import { createBranch } from './branch.ts'

/** The open chat: a part of its shown branch, answers as they are received, and all actions on them. */
export const useThread = defineStore('thread', () => {
  const client = useClient()
  const toasts = useToasts()
  const id = ref<string | null>(null)
  const conversation = shallowRef<Conversation | null>(null)
  /** Error of reading it. */
  const failure = shallowRef<Failure | null>(null)
  /** Error of the last action. */
  const actionFailure = shallowRef<Failure | null>(null)
  const branch = createBranch(client, () => id.value)
  const { messageWindow } = branch
  const messages = computed(() => messageWindow.value.messages)
  /** The newest running answer, if it is loaded. */
  const running = computed(
    () => messages.value.findLast(({ state }) => state === 'running') ?? null,
  )
  const answering = computed(
    () => running.value !== null || conversation.value?.state === 'answering',
  )

  const close = (): void => {
    id.value = null
    conversation.value = null
    failure.value = null
    actionFailure.value = null
    branch.clear()
  }
  /**
   * Opens a chat at its end, or around a message; scrolls there if it is already open. Returns false when it cannot be
   * read.
   */
  const open = async (conversationId: string, at: string | null = null): Promise<boolean> => {
    if (id.value !== conversationId) {
      close()
      id.value = conversationId
    }
    return load(at)
  }
  const load = async (at: string | null = null, again = false): Promise<boolean> => {
    const requestedId = id.value
    if (requestedId === null) return false
    const [reply, read] = await Promise.all([
      client.request('chats.get', { id: requestedId }),
      branch.read(at, again),
    ])
    if (id.value !== requestedId) return false
    failure.value = reply.ok ? read : reply.error
    if (reply.ok) conversation.value = reply.data
    else if (reply.error.code === 'NOT_FOUND') conversation.value = null
    return failure.value === null
  }

  /** Runs an action on the open chat; returns null when it was rejected, or another chat is open by then. */
  const act = async <T>(ask: (conversationId: string) => Promise<Reply<T>>): Promise<T | null> => {
    const requestedId = id.value
    if (requestedId === null) return null
    const reply = await ask(requestedId)
    if (id.value !== requestedId) return null
    actionFailure.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }
  /** Shows a question with its answer at the end of the branch. */
  const showRequested = async ({
    conversation: now,
    question,
    answer,
  }: QuestionWithAnswer): Promise<void> => {
    conversation.value = now
    if (!branch.show(question) || (answer && !branch.show(answer))) await branch.read(null)
  }
  /** Sends a question and returns it; null when it was rejected. */
  const put = async (ask: (conversationId: string) => Promise<Reply<QuestionWithAnswer>>) => {
    const sent = await act(ask)
    if (!sent) return null
    await showRequested(sent)
    return sent.question
  }
  /**
   * Asks in the open chat, or in `to`, whichever is open when the reply arrives. Returns null when it was rejected.
   */
  const ask = async (
    text: string,
    attachments: readonly ChatAttachment[],
    waits = false,
    to: string | null = id.value,
  ) => {
    if (to === null) return null
    const question = { text, attachments: [...attachments], waits, streamId: callerId() }
    const reply = await client.request('chats.ask', { id: to, ...question })
    if (id.value === to) actionFailure.value = reply.ok ? null : reply.error
    if (!reply.ok) return null
    if (id.value === to) await showRequested(reply.data)
    return reply.data.question
  }
  const edit = (messageId: string, text: string, attachments: readonly ChatAttachment[]) =>
    put(() =>
      client.request('chats.edit', {
        messageId,
        text,
        attachments: [...attachments],
        streamId: callerId(),
      }),
    )
  const regenerate = (messageId: string) =>
    put(() => client.request('chats.regenerate', { messageId, streamId: callerId() }))
  /**
   * Moves the open chat to This computer, and asks the question of an answer again there, also when another chat is opened
   * meanwhile. Moves it back when that is rejected.
   */
  const answerOnDevice = async (messageId: string): Promise<void> => {
    const chat = conversation.value
    if (!chat) return
    const isOpen = () => id.value === chat.id
    const isRemoved =
      messages.value.find((one) => one.id === messageId)?.error?.code === 'ACCOUNT_REMOVED'
    const settle = <T>(reply: Reply<T>): T | null => {
      if (isOpen()) actionFailure.value = reply.ok ? null : reply.error
      return reply.ok ? reply.data : null
    }
    const moveTo = async (accountId: string): Promise<boolean> => {
      const { settings } = (isOpen() && conversation.value) || chat
      const change = { id: chat.id, settings: sendable(settings), accountId }
      const moved = settle(await client.request('chats.configure', change))
      if (moved) update(moved)
      return moved !== null
    }
    if (!(await moveTo(localAccountId))) return
    const reply = await client.request('chats.regenerate', { messageId, streamId: callerId() })
    if (!reply.ok && !isRemoved) await moveTo(chat.accountId)
    const sent = settle(reply)
    if (!sent) return
    if (isOpen()) await showRequested(sent)
    const undo = { key: 'app.undo', run: () => void moveTo(chat.accountId) }
    toasts.show('chatMessage.moved', { action: isRemoved ? null : undo })
  }
  const continueAnswer = (messageId: string) =>
    put(() => client.request('chats.continue', { messageId, streamId: callerId() }))
  const send = (messageId: string) =>
    put(() => client.request('chats.send', { messageId, streamId: callerId() }))
  /** Stops the running answer, wherever it is on the branch. */
  const stop = async (messageId: string | null = running.value?.id ?? null): Promise<void> => {
    const target = messageId ?? (await branch.findRunning())
    if (target === null) return
    const stopped = await act(() => client.request('chats.stop', { messageId: target }))
    if (stopped) branch.take(stopped)
  }
  /** Shows the branch through a message, which remains loaded. */
  const choose = async (messageId: string): Promise<boolean> => {
    const chosen = await act(() => client.request('chats.choose', { messageId }))
    if (!chosen) return false
    conversation.value = chosen
    return (await branch.read(messageId)) === null
  }
  /** Cancels a question that was not sent; returns its text for further editing. */
  const unqueue = async (messageId: string): Promise<ChatDraft | null> => {
    const changed = await act(() => client.request('chats.unqueue', { messageId }))
    if (!changed) return null
    update(changed)
    return changed.draft
  }
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    if (wanted === '') return
    const renamed = await act((conversationId) =>
      client.request('library.rename', { id: conversationId, title: wanted }),
    )
    if (renamed && conversation.value)
      conversation.value = { ...conversation.value, title: renamed.title }
  }
  /** Returns the shown branch as Markdown; null on failure. */
  const markdown = async (language: 'en' | 'zh'): Promise<string | null> =>
    (await act((conversationId) => client.request('chats.copy', { id: conversationId, language })))
      ?.markdown ?? null

  const update = (next: Conversation): void => {
    if (next.id !== id.value) return
    if (conversation.value && next.updatedAt < conversation.value.updatedAt) return
    conversation.value = next
    branch.endsWith(next.leafId)
  }
  client.onEvent((event) => {
    if (event.type === 'chat.changed') update(event.conversation)
    if (event.type === 'chat.message' && event.message.conversationId === id.value)
      branch.take(event.message)
    if (event.type === 'chat.removed' && id.value !== null && event.ids.includes(id.value)) close()
  })
  client.onReopen(() => {
    if (id.value !== null) void load(branch.anchorMessageId(), true)
  })
  return {
    id,
    conversation,
    failure,
    actionFailure,
    messageWindow,
    messages,
    running,
    answering,
    loadingSide: branch.loadingSide,
    open,
    load,
    close,
    more: branch.more,
    hold: branch.hold,
    loadTextUpTo: branch.loadTextUpTo,
    loadMoreText: branch.loadMoreText,
    toBegin: branch.toBegin,
    toEnd: branch.toEnd,
    ask,
    edit,
    regenerate,
    answerOnDevice,
    continue: continueAnswer,
    send,
    stop,
    choose,
    unqueue,
    rename,
    markdown,
  }
})
