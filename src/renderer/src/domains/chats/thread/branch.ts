import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { ChatMessage, MessageWindow } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import {
  appendedMessage,
  followAnswer,
  hasMoreText,
  lengthenedMessage,
  type LiveAnswer,
} from './live-answer.ts'

/** Number of messages read first, enough to fill a view, and at a time later. */
const firstSize = 14
const pageSize = 24
/** Maximum amount loaded: enough for some screens in both directions, or a few very long answers. */
const bounds: WindowBounds = { messages: 96, chars: 12_000_000 }
/** Milliseconds in which events about the messages of a changed branch are expected; then they are read. */
const reportMs = 80

/** The loaded part of the shown branch, and its running answers. `opened` returns the ID of its chat. */
export function createBranch(client: Client, opened: () => string | null) {
  const messageWindow = shallowRef(emptyWindow)
  const loadingSide = ref<'before' | 'after' | null>(null)
  const lives = new Map<string, LiveAnswer>()
  let turn = 0
  let leafCheck: ReturnType<typeof setTimeout> | undefined
  let moved: ReturnType<typeof setTimeout> | undefined

  const held = (id: string): ChatMessage | undefined =>
    messageWindow.value.messages.find((message) => message.id === id)

  /** Returns a message to show: a running one with the answer received so far. */
  const alive = (message: ChatMessage): ChatMessage => {
    const known = held(message.id)
    if (message.state !== 'running') {
      lives.get(message.id)?.leave()
      lives.delete(message.id)
      // Text that was loaded in addition stays; everything else is taken from the update.
      const isLonger =
        known?.state === message.state &&
        hasMoreText(message) &&
        known.text.length > message.text.length &&
        known.text.startsWith(message.text)
      return isLonger ? { ...message, text: known.text } : message
    }
    // A late event: the answer has already ended.
    if (known && known.role === 'assistant' && known.state !== 'running') return known
    let live = lives.get(message.id)
    if (!live) {
      const { id } = message
      live = followAnswer(client, message, {
        grown() {
          const now = held(id)
          if (now)
            messageWindow.value = withChanged(messageWindow.value, extendedTo(now, lives.get(id)))
        },
        over: take,
      })
      lives.set(id, live)
    } else live.catchUp(message)
    return extendedTo(message, live)
  }
  /** Handles an event about a message: one that is loaded, or that was added at the end of the branch. */
  const take = (message: ChatMessage): void => {
    const known = held(message.id)
    if (known) {
      messageWindow.value = withChanged(messageWindow.value, alive(message))
      if (known.parentId !== message.parentId) readMoved()
    } else if (isNew(message) && follows(messageWindow.value, message))
      messageWindow.value = bounded(
        withReceived(messageWindow.value, alive(message)),
        'end',
        bounds,
      )
    else if (message.state !== 'running') alive(message)
  }
  /**
   * A question that followed others has another parent now: the messages between are not loaded, or deleted.
   */
  const readMoved = (): void => {
    clearTimeout(moved)
    moved = setTimeout(() => void read(anchorMessageId(), true), reportMs)
  }
  /** Shows a requested message as the end of the branch; returns false when what precedes it is not loaded. */
  const show = (message: ChatMessage): boolean => {
    if (held(message.id)) {
      take(message)
      return true
    }
    const turned = turnedOff(messageWindow.value, message)
    if (!turned) return false
    messageWindow.value = turned
    take(message)
    return true
  }
  /** Handles the news that the branch ends with a message: if another branch is loaded, it is read again. */
  const endsWith = (leafId: string | null): void => {
    clearTimeout(leafCheck)
    const { messages, after } = messageWindow.value
    if (after > 0 || leafId === (messages.at(-1)?.id ?? null)) return
    if (leafId !== null && held(leafId)) messageWindow.value = endedAt(messageWindow.value, leafId)
    else if (leafId === null) messageWindow.value = emptyWindow
    else
      leafCheck = setTimeout(() => {
        const now = messageWindow.value
        if (now.after === 0 && now.messages.at(-1)?.id !== leafId) void read(null)
      }, reportMs)
  }

  const ask = async (
    request: (id: string) => Promise<Reply<MessageWindow>>,
    put: (page: MessageWindow) => void,
  ): Promise<Failure | null> => {
    const id = opened()
    if (id === null) return null
    const mine = ++turn
    const reply = await request(id)
    if (opened() !== id || mine !== turn) return null
    loadingSide.value = null
    if (!reply.ok) return reply.error
    put({ ...reply.data, messages: reply.data.messages.map(alive) })
    return null
  }
  /**
   * Reads the messages around one, or the end of the branch, replacing the loaded ones; as many as before with `again`.
   */
  const read = (around: string | null, again = false): Promise<Failure | null> =>
    ask(
      (id) => {
        const limit = again ? Math.max(firstSize, messageWindow.value.messages.length) : firstSize
        return client.request('chats.window', { id, limit, ...(around !== null && { around }) })
      },
      (page) => (messageWindow.value = page),
    )
  /**
   * Reads more at one end, and unloads messages at the other when there are too many. Returns false when there are no
   * more.
   */
  const more = async (side: 'before' | 'after'): Promise<boolean> => {
    const edge = messageWindow.value.messages.at(side === 'before' ? 0 : -1)
    if (!edge || loadingSide.value !== null || messageWindow.value[side] === 0) return false
    loadingSide.value = side
    let fits = true
    const failed = await ask(
      () => client.request('chats.more', { messageId: edge.id, side, limit: pageSize }),
      (page) => {
        const joined = withPage(messageWindow.value, page, side)
        fits = joined !== null
        if (joined)
          messageWindow.value = bounded(joined, side === 'before' ? 'begin' : 'end', bounds)
      },
    )
    if (!fits) await read(null)
    return failed === null
  }
  /** Loads a message if necessary; returns false when that fails. */
  const hold = async (messageId: string): Promise<boolean> => {
    if (!held(messageId)) await read(messageId)
    return held(messageId) !== undefined
  }
  const textLoads = new Map<string, Promise<boolean>>()
  /** Loads the next range of a message's text; returns false when there is none or it cannot be loaded. */
  const loadMoreText = (messageId: string): Promise<boolean> => {
    const loadNext = async (): Promise<boolean> => {
      const message = held(messageId)
      if (!message || !hasMoreText(message)) return false
      const from = message.text.length
      const reply = await client.request('chats.text', { messageId, from })
      const now = held(messageId)
      if (!reply.ok || reply.data.text === '' || now?.text.length !== from) return false
      messageWindow.value = withChanged(
        messageWindow.value,
        lengthenedMessage(now, reply.data.text),
      )
      return true
    }
    const known = textLoads.get(messageId)
    if (known) return known
    const load = loadNext().finally(() => textLoads.delete(messageId))
    textLoads.set(messageId, load)
    return load
  }
  /** Loads at least the first `units` UTF-16 units of a message's text, if it has as many. */
  const loadTextUpTo = async (messageId: string, units: number): Promise<void> => {
    while ((held(messageId)?.text.length ?? units) < units)
      if (!(await loadMoreText(messageId))) return
  }
  const toEnd = async (): Promise<void> => {
    if (messageWindow.value.after > 0) await read(null)
  }
  const toBegin = async (): Promise<void> => {
    if (messageWindow.value.before === 0) return
    await ask(
      (id) => client.request('chats.window', { id, limit: pageSize, begin: true }),
      (page) => (messageWindow.value = page),
    )
  }
  /** Finds the running answer when it is not loaded. */
  const findRunning = async (): Promise<string | null> => {
    const id = opened()
    const reply = id === null ? null : await client.request('chats.window', { id, limit: 10 })
    if (!reply?.ok) return null
    return reply.data.messages.findLast(({ state }) => state === 'running')?.id ?? null
  }
  const clear = (): void => {
    turn += 1
    clearTimeout(leafCheck)
    clearTimeout(moved)
    for (const live of lives.values()) live.leave()
    lives.clear()
    loadingSide.value = null
    messageWindow.value = emptyWindow
  }
  /** Returns the message to read around when everything is reloaded: null at the end of the branch. */
  const anchorMessageId = (): string | null => {
    const { messages, after } = messageWindow.value
    return after === 0 ? null : (messages[messages.length >> 1]?.id ?? null)
  }
  return {
    messageWindow,
    loadingSide,
    take,
    show,
    endsWith,
    read,
    more,
    hold,
    loadTextUpTo,
    loadMoreText,
    toEnd,
    toBegin,
    findRunning,
    clear,
    anchorMessageId,
  }
}

/** Whether a message is new: finished answers in events are on other branches. */
const isNew = (message: ChatMessage): boolean =>
  message.role === 'user' || message.state === 'running' || message.state === 'failed'

const extendedTo = (message: ChatMessage, live: LiveAnswer | undefined): ChatMessage =>
  live ? appendedMessage(message, live) : message

/** The loaded part of the shown branch. */
type HeldMessages = MessageWindow

const emptyWindow: HeldMessages = { messages: [], before: 0, after: 0 }

/** Maximum loaded part of a branch: messages, and UTF-16 units of their texts. */
interface WindowBounds {
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
function withPage(
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
function withChanged(messageWindow: HeldMessages, message: ChatMessage): HeldMessages {
  const at = messageWindow.messages.findIndex(({ id }) => id === message.id)
  return at < 0
    ? messageWindow
    : { ...messageWindow, messages: messageWindow.messages.with(at, message) }
}

/** Whether a message follows the very end of the branch, as far as its parent and depth show. */
function follows(messageWindow: HeldMessages, message: ChatMessage): boolean {
  if (message.depth !== lengthOf(messageWindow)) return false
  const last = messageWindow.messages.at(-1)
  return messageWindow.after > 0 || message.parentId === (last?.id ?? null)
}

/**
 * Returns the span after a message was added to the end of the branch: loaded if the end is, otherwise counted.
 */
function withReceived(messageWindow: HeldMessages, message: ChatMessage): HeldMessages {
  if (messageWindow.after > 0) return { ...messageWindow, after: messageWindow.after + 1 }
  return { ...messageWindow, messages: [...messageWindow.messages, message] }
}

/**
 * Returns the span when the branch forks to a message that is now its end; null when its parent is not loaded.
 */
function turnedOff(messageWindow: HeldMessages, message: ChatMessage): HeldMessages | null {
  const at = message.depth - messageWindow.before
  const parent = messageWindow.messages[at - 1]
  const isHeld = at === 0 ? message.parentId === null : parent?.id === message.parentId
  if (!isHeld || at > messageWindow.messages.length) return null
  return { ...messageWindow, messages: [...messageWindow.messages.slice(0, at), message], after: 0 }
}

/** Returns the span that ends with a loaded message: those after it were removed. */
function endedAt(messageWindow: HeldMessages, messageId: string): HeldMessages {
  const at = messageWindow.messages.findIndex(({ id }) => id === messageId)
  return at < 0
    ? messageWindow
    : { ...messageWindow, messages: messageWindow.messages.slice(0, at + 1), after: 0 }
}

/**
 * Unloads messages over the limits at the end far from the reading position; at least one message remains.
 */
function bounded(
  messageWindow: HeldMessages,
  keep: 'begin' | 'end',
  max: WindowBounds,
): HeldMessages {
  const { messages } = messageWindow
  const inOrder = keep === 'begin' ? messages : messages.toReversed()
  let chars = 0
  let retained = 0
  for (const { text } of inOrder) {
    chars += text.length
    if (retained > 0 && (retained >= max.messages || chars > max.chars)) break
    retained += 1
  }
  const gone = messages.length - retained
  if (gone === 0) return messageWindow
  return keep === 'begin'
    ? { ...messageWindow, messages: messages.slice(0, retained), after: messageWindow.after + gone }
    : { ...messageWindow, messages: messages.slice(gone), before: messageWindow.before + gone }
}
