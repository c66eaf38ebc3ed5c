import type { ChatMessage, MessageWindow } from '../../../../../shared/model/chat.ts'

/** The part of the shown branch that the page holds. */
export type Span = MessageWindow

/** Nothing is held. */
export const emptyWindow: Span = { messages: [], before: 0, after: 0 }

/** How much of a branch is held at most: messages, and UTF-16 units of their texts. */
export interface WindowBounds {
  readonly messages: number
  readonly chars: number
}

/** Messages on the branch, held or not. */
export const lengthOf = ({ messages, before, after }: Span): number =>
  before + messages.length + after

/** The stretch with a page that was read at one of its ends; null when the page does not fit it: another branch is shown. */
export function withPage(
  stretch: Span,
  page: MessageWindow,
  side: 'before' | 'after',
): Span | null {
  const { messages } = stretch
  if (side === 'before') {
    const last = page.messages.at(-1)
    if (last && messages[0] && messages[0].parentId !== last.id) return null
    return { ...stretch, messages: [...page.messages, ...messages], before: page.before }
  }
  const first = page.messages[0]
  if (first && messages.length > 0 && first.parentId !== messages.at(-1)?.id) return null
  return { ...stretch, messages: [...messages, ...page.messages], after: page.after }
}

/** The stretch with a message as it is now; the same stretch when it does not hold that message. */
export function withChanged(stretch: Span, message: ChatMessage): Span {
  const at = stretch.messages.findIndex(({ id }) => id === message.id)
  return at < 0 ? stretch : { ...stretch, messages: stretch.messages.with(at, message) }
}

/** Whether a message follows the very end of the branch, as far as its parent and place tell. */
export function follows(stretch: Span, message: ChatMessage): boolean {
  if (message.depth !== lengthOf(stretch)) return false
  const last = stretch.messages.at(-1)
  return stretch.after > 0 || message.parentId === (last?.id ?? null)
}

/** The stretch after a message came to the end of the branch: held where the end is, else counted. */
export function withReceived(stretch: Span, message: ChatMessage): Span {
  if (stretch.after > 0) return { ...stretch, after: stretch.after + 1 }
  return { ...stretch, messages: [...stretch.messages, message] }
}

/** The stretch when the branch turns off to a message that now is its end; null when its parent is not held. */
export function turnedOff(stretch: Span, message: ChatMessage): Span | null {
  const at = message.depth - stretch.before
  const parent = stretch.messages[at - 1]
  const isHeld = at === 0 ? message.parentId === null : parent?.id === message.parentId
  if (!isHeld || at > stretch.messages.length) return null
  return { ...stretch, messages: [...stretch.messages.slice(0, at), message], after: 0 }
}

/** The stretch that ends with a message it holds: what followed was taken back. */
export function endedAt(stretch: Span, messageId: string): Span {
  const at = stretch.messages.findIndex(({ id }) => id === messageId)
  return at < 0 ? stretch : { ...stretch, messages: stretch.messages.slice(0, at + 1), after: 0 }
}

/** Lets go of what is over the bounds at the end far from where is read; one message always stays. */
export function bounded(stretch: Span, keep: 'begin' | 'end', bounds: WindowBounds): Span {
  const { messages } = stretch
  const inOrder = keep === 'begin' ? messages : messages.toReversed()
  let chars = 0
  let kept = 0
  for (const { text } of inOrder) {
    chars += text.length
    if (kept > 0 && (kept >= bounds.messages || chars > bounds.chars)) break
    kept += 1
  }
  const gone = messages.length - kept
  if (gone === 0) return stretch
  return keep === 'begin'
    ? { ...stretch, messages: messages.slice(0, kept), after: stretch.after + gone }
    : { ...stretch, messages: messages.slice(gone), before: stretch.before + gone }
}
