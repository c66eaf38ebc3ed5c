import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Question } from '../../../../../shared/bridge/chats.ts'
import type { Failure, Reply } from '../../../../../shared/bridge/reply.ts'
import type { ChatAttachment, ChatDraft, Conversation } from '../../../../../shared/model/chat.ts'
import { callerId, useClient } from '../../../api/use-client.ts'
import { createBranch } from './branch.ts'

/** The opened conversation: a stretch of its shown branch, answers as they come, and everything that can be done with them. */
export const useThread = defineStore('thread', () => {
  const client = useClient()
  const id = ref<string | null>(null)
  const conversation = shallowRef<Conversation | null>(null)
  /** Why it could not be read. */
  const failure = shallowRef<Failure | null>(null)
  /** Why the last deed was refused. */
  const actionFailure = shallowRef<Failure | null>(null)
  const branch = createBranch(client, () => id.value)
  const { stretch } = branch
  const messages = computed(() => stretch.value.messages)
  /** The newest answer that runs, as far as it is held. */
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
  /** Opens a conversation at its end, or around a message; one that is open already goes there. False when it cannot be read. */
  const open = async (conversationId: string, at: string | null = null): Promise<boolean> => {
    if (id.value !== conversationId) {
      close()
      id.value = conversationId
    }
    return load(at)
  }
  const load = async (at: string | null = null, again = false): Promise<boolean> => {
    const asked = id.value
    if (asked === null) return false
    const [told, read] = await Promise.all([
      client.request('chats.get', { id: asked }),
      branch.read(at, again),
    ])
    if (id.value !== asked) return false
    failure.value = told.ok ? read : told.error
    if (told.ok) conversation.value = told.data
    else if (told.error.code === 'NOT_FOUND') conversation.value = null
    return failure.value === null
  }

  /** Does something to the opened conversation; what it answers is null when it was refused, or another one is open by then. */
  const act = async <T>(ask: (conversationId: string) => Promise<Reply<T>>): Promise<T | null> => {
    const asked = id.value
    if (asked === null) return null
    const reply = await ask(asked)
    if (id.value !== asked) return null
    actionFailure.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }
  /** Shows a question with its answer at the end of the branch. */
  const showRequested = async ({
    conversation: now,
    question,
    answer,
  }: Question): Promise<void> => {
    conversation.value = now
    if (!branch.show(question) || (answer && !branch.show(answer))) await branch.read(null)
  }
  /** The question that was asked; null when it was refused. */
  const put = async (ask: (conversationId: string) => Promise<Reply<Question>>) => {
    const asked = await act(ask)
    if (!asked) return null
    await showRequested(asked)
    return asked.question
  }
  /** Asks in the opened conversation, or in `to`, whichever is open when the reply comes. Null when it was refused. */
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
  const continueAnswer = (messageId: string) =>
    put(() => client.request('chats.continue', { messageId, streamId: callerId() }))
  const send = (messageId: string) =>
    put(() => client.request('chats.send', { messageId, streamId: callerId() }))
  /** Stops the answer that runs, wherever on the branch it stands. */
  const stop = async (messageId: string | null = running.value?.id ?? null): Promise<void> => {
    const target = messageId ?? (await branch.findRunning())
    if (target === null) return
    const stopped = await act(() => client.request('chats.stop', { messageId: target }))
    if (stopped) branch.take(stopped)
  }
  /** Shows the branch that goes through a message, which stays held. */
  const choose = async (messageId: string): Promise<boolean> => {
    const chosen = await act(() => client.request('chats.choose', { messageId }))
    if (!chosen) return false
    conversation.value = chosen
    return (await branch.read(messageId)) === null
  }
  /** Takes back a question that was not sent; what it said is to be written on with. */
  const unqueue = async (messageId: string): Promise<ChatDraft | null> => {
    const changed = await act(() => client.request('chats.unqueue', { messageId }))
    if (!changed) return null
    tell(changed)
    return changed.draft
  }
  const rename = async (title: string): Promise<void> => {
    const wanted = title.trim()
    if (wanted === '') return
    const renamed = await act((asked) =>
      client.request('library.rename', { id: asked, title: wanted }),
    )
    if (renamed && conversation.value)
      conversation.value = { ...conversation.value, title: renamed.title }
  }
  /** The shown branch as Markdown; null when it cannot be had. */
  const markdown = async (language: 'en' | 'zh'): Promise<string | null> =>
    (await act((asked) => client.request('chats.copy', { id: asked, language })))?.markdown ?? null

  const tell = (next: Conversation): void => {
    if (next.id !== id.value) return
    if (conversation.value && next.updatedAt < conversation.value.updatedAt) return
    conversation.value = next
    branch.endsWith(next.leafId)
  }
  client.onEvent((event) => {
    if (event.type === 'chat.changed') tell(event.conversation)
    if (event.type === 'chat.message' && event.message.conversationId === id.value)
      branch.take(event.message)
    if (event.type === 'chat.removed' && id.value !== null && event.ids.includes(id.value)) close()
  })
  let bridge = ''
  client.onBridge((now) => {
    const back = bridge !== '' && bridge !== 'connecting' && now === 'open'
    bridge = now
    if (back && id.value !== null) void load(branch.stands(), true)
  })
  return {
    id,
    conversation,
    failure,
    actionFailure,
    stretch,
    messages,
    running,
    answering,
    reading: branch.reading,
    open,
    load,
    close,
    more: branch.more,
    hold: branch.hold,
    holdText: branch.holdText,
    readOn: branch.readOn,
    toBegin: branch.toBegin,
    toEnd: branch.toEnd,
    ask,
    edit,
    regenerate,
    continue: continueAnswer,
    send,
    stop,
    choose,
    unqueue,
    rename,
    markdown,
  }
})
