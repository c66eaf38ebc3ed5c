import type { ChatMessage, MessageWindow } from '../../../../../shared/model/chat.ts'

/** The loaded part of the shown branch. */
export type HeldMessages = MessageWindow

export const emptyWindow: HeldMessages = { messages: [], before: 0, after: 0 }

/** Maximum loaded part of a branch: messages, and UTF-16 units of their texts. */
export interface WindowBounds {
  readonly messages: number
  readonly chars: number
}

/** Returns the number of messages on the branch, loaded or not. */
export const lengthOf = ({ messages, before, after }: HeldMessages): number =>
  before + messages.length + after

/**
 * Returns the span with a page that was read at one of its ends; null when the page does not match: another branch is
 * shown.
 */
export function withPage(
  messageWindow: HeldMessages,
  page: MessageWindow,
  side: 'before' | 'after',
): HeldMessages | null {
  const { messages } = messageWindow
  if (side === 'before') {
    const last = page.messages.at(-1)
    if (last && messages[0] && messages[0].parentId !== last.id) return null
    return { ...messageWindow, messages: [...page.messages, ...messages], before: page.before }
  }
  const first = page.messages[0]
  if (first && messages.length > 0 && first.parentId !== messages.at(-1)?.id) return null
  return { ...messageWindow, messages: [...messages, ...page.messages], after: page.after }
}

/** Returns the span with an updated message; the same span when it does not contain that message. */
export function withChanged(messageWindow: HeldMessages, message: ChatMessage): HeldMessages {
  const at = messageWindow.messages.findIndex(({ id }) => id === message.id)
  return at < 0
    ? messageWindow
    : { ...messageWindow, messages: messageWindow.messages.with(at, message) }
}

/** Whether a message follows the very end of the branch, as far as its parent and depth show. */
export function follows(messageWindow: HeldMessages, message: ChatMessage): boolean {
  if (message.depth !== lengthOf(messageWindow)) return false
  const last = messageWindow.messages.at(-1)
  return messageWindow.after > 0 || message.parentId === (last?.id ?? null)
}

/**
 * Returns the span after a message was added to the end of the branch: loaded if the end is, otherwise counted.
 */
export function withReceived(messageWindow: HeldMessages, message: ChatMessage): HeldMessages {
  if (messageWindow.after > 0) return { ...messageWindow, after: messageWindow.after + 1 }
  return { ...messageWindow, messages: [...messageWindow.messages, message] }
}

/**
 * Returns the span when the branch forks to a message that is now its end; null when its parent is not loaded.
 */
export function turnedOff(messageWindow: HeldMessages, message: ChatMessage): HeldMessages | null {
  const at = message.depth - messageWindow.before
  const parent = messageWindow.messages[at - 1]
  const isHeld = at === 0 ? message.parentId === null : parent?.id === message.parentId
  if (!isHeld || at > messageWindow.messages.length) return null
  return { ...messageWindow, messages: [...messageWindow.messages.slice(0, at), message], after: 0 }
}

/** Returns the span that ends with a loaded message: those after it were removed. */
export function endedAt(messageWindow: HeldMessages, messageId: string): HeldMessages {
  const at = messageWindow.messages.findIndex(({ id }) => id === messageId)
  return at < 0
    ? messageWindow
    : { ...messageWindow, messages: messageWindow.messages.slice(0, at + 1), after: 0 }
}

/**
 * Unloads messages over the limits at the end far from the reading position; at least one message remains.
 */
export function bounded(
  messageWindow: HeldMessages,
  keep: 'begin' | 'end',
  bounds: WindowBounds,
): HeldMessages {
  const { messages } = messageWindow
  const inOrder = keep === 'begin' ? messages : messages.toReversed()
  let chars = 0
  let retained = 0
  for (const { text } of inOrder) {
    chars += text.length
    if (retained > 0 && (retained >= bounds.messages || chars > bounds.chars)) break
    retained += 1
  }
  const gone = messages.length - retained
  if (gone === 0) return messageWindow
  return keep === 'begin'
    ? { ...messageWindow, messages: messages.slice(0, retained), after: messageWindow.after + gone }
    : { ...messageWindow, messages: messages.slice(gone), before: messageWindow.before + gone }
}
