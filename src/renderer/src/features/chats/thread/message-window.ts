import type { ChatMessage, MessageWindow } from '../../../../../shared/model/chat.ts'

/** The part of the shown branch that the page holds. */
export type HeldMessages = MessageWindow

/** Nothing is held. */
export const emptyWindow: HeldMessages = { messages: [], before: 0, after: 0 }

/** How much of a branch is held at most: messages, and UTF-16 units of their texts. */
export interface WindowBounds {
  readonly messages: number
  readonly chars: number
}

/** Messages on the branch, held or not. */
export const lengthOf = ({ messages, before, after }: HeldMessages): number =>
  before + messages.length + after

/** The stretch with a page that was read at one of its ends; null when the page does not fit it: another branch is shown. */
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

/** The stretch with a message as it is now; the same stretch when it does not hold that message. */
export function withChanged(messageWindow: HeldMessages, message: ChatMessage): HeldMessages {
  const at = messageWindow.messages.findIndex(({ id }) => id === message.id)
  return at < 0 ? messageWindow : { ...messageWindow, messages: messageWindow.messages.with(at, message) }
}

/** Whether a message follows the very end of the branch, as far as its parent and place tell. */
export function follows(messageWindow: HeldMessages, message: ChatMessage): boolean {
  if (message.depth !== lengthOf(messageWindow)) return false
  const last = messageWindow.messages.at(-1)
  return messageWindow.after > 0 || message.parentId === (last?.id ?? null)
}

/** The stretch after a message came to the end of the branch: held where the end is, else counted. */
export function withReceived(messageWindow: HeldMessages, message: ChatMessage): HeldMessages {
  if (messageWindow.after > 0) return { ...messageWindow, after: messageWindow.after + 1 }
  return { ...messageWindow, messages: [...messageWindow.messages, message] }
}

/** The stretch when the branch turns off to a message that now is its end; null when its parent is not held. */
export function turnedOff(messageWindow: HeldMessages, message: ChatMessage): HeldMessages | null {
  const at = message.depth - messageWindow.before
  const parent = messageWindow.messages[at - 1]
  const isHeld = at === 0 ? message.parentId === null : parent?.id === message.parentId
  if (!isHeld || at > messageWindow.messages.length) return null
  return { ...messageWindow, messages: [...messageWindow.messages.slice(0, at), message], after: 0 }
}

/** The stretch that ends with a message it holds: what followed was taken back. */
export function endedAt(messageWindow: HeldMessages, messageId: string): HeldMessages {
  const at = messageWindow.messages.findIndex(({ id }) => id === messageId)
  return at < 0 ? messageWindow : { ...messageWindow, messages: messageWindow.messages.slice(0, at + 1), after: 0 }
}

/** Lets go of what is over the bounds at the end far from where is read; one message always stays. */
export function bounded(messageWindow: HeldMessages, keep: 'begin' | 'end', bounds: WindowBounds): HeldMessages {
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
