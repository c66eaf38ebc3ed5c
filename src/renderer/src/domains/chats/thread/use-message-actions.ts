import { nextTick, onBeforeUnmount, ref, shallowRef } from 'vue'
import type { ChatAttachment, ChatDraft, ChatMessage } from '../../../../../shared/model/chat.ts'
import type { CopyMessage } from './use-copy-message.ts'
import { siblingOf, type Action } from './message-actions.ts'
import type { Scroll } from './scroll.ts'
import { useThread } from './thread-store.ts'

/** Dependencies of message actions on the page. */
interface MessageActionsDeps {
  readonly list: () => {
    scroll(): Scroll | null
    rows(): HTMLElement | null
    focus(id: string | null, bring: boolean): void
    showQuestion(id: string): Promise<void>
  } | null
  readonly copy: CopyMessage
  /** Fills the composer with a question for editing. */
  readonly fill: (draft: ChatDraft) => void
  /** Opens the text of an answer for speech synthesis. */
  readonly speak: (message: ChatMessage) => void
}

/** Milliseconds for which “Copied” is shown. */
const copiedMs = 2000

/** Runs the actions of buttons and keys on messages. */
export function useMessageActions({ list, copy, fill, speak }: MessageActionsDeps) {
  const thread = useThread()
  const editing = ref<string | null>(null)
  const copied = ref<string | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  onBeforeUnmount(() => clearTimeout(timer))

  const say = (id: string, done: boolean): void => {
    if (!done) return
    copied.value = id
    clearTimeout(timer)
    timer = setTimeout(() => (copied.value = null), copiedMs)
  }
  /** Messages with a pending request: a second press has no further effect. */
  const busy = shallowRef<ReadonlySet<string>>(new Set())
  const once = async (id: string, ask: () => Promise<ChatMessage | null>) => {
    if (busy.value.has(id)) return null
    busy.value = new Set(busy.value).add(id)
    try {
      return await ask()
    } finally {
      busy.value = new Set([...busy.value].filter((other) => other !== id))
    }
  }
  const begun = async (question: ChatMessage | null): Promise<void> => {
    if (question) await list()?.showQuestion(question.id)
  }
  const hadFocus = (): boolean => list()?.rows()?.contains(document.activeElement) ?? false
  /** Shows another version in the position of this one. */
  const turn = async (message: ChatMessage, by: 1 | -1): Promise<void> => {
    const to = siblingOf(message, by)
    if (to === null) return
    const offset = list()?.scroll()?.offsetOf(message.id) ?? 0
    const focused = hadFocus()
    if (!(await thread.choose(to))) return
    await nextTick()
    list()?.scroll()?.pin(to, offset)
    if (focused) list()?.focus(to, false)
  }
  const takeBack = async (message: ChatMessage): Promise<void> => {
    const draft = await thread.unqueue(message.id)
    if (draft) fill(draft)
  }
  const act = (action: Action, message: ChatMessage): void => {
    const { id } = message
    if (action === 'copy' || action === 'copyRich' || action === 'copyImage')
      void copy(action, message).then((done) => say(id, done))
    else if (action === 'speak') speak(message)
    else if (action === 'edit') editing.value = id
    else if (action === 'regenerate') void once(id, () => thread.regenerate(id)).then(begun)
    else if (action === 'continue') void once(id, () => thread.continue(id)).then(begun)
    else if (action === 'send') void once(id, () => thread.send(id)).then(begun)
    else if (action === 'stop') void thread.stop(id)
    else if (action === 'unqueue') void takeBack(message)
    else void turn(message, action === 'next' ? 1 : -1)
  }
  const cancel = async (): Promise<void> => {
    const id = editing.value
    editing.value = null
    await nextTick()
    list()?.focus(id, false)
  }
  const save = async (
    message: ChatMessage,
    question: { text: string; attachments: readonly ChatAttachment[] },
  ): Promise<void> => {
    const { text, attachments } = question
    const sent = await once(message.id, () => thread.edit(message.id, text, attachments))
    // Rejected: the text is still there to be sent again.
    if (!sent) return
    if (editing.value === message.id) editing.value = null
    await begun(sent)
    list()?.focus(sent.id, false)
  }
  return { editing, copied, busy, act, save, cancel }
}
