import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/bridge/reply.ts'
import type { ChatMessage, MessageWindow } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../api/client.ts'
import {
  appendedMessage,
  followAnswer,
  hasMoreText,
  lengthenedMessage,
  type LiveAnswer,
} from './live-answer.ts'
import {
  bounded,
  emptyWindow,
  endedAt,
  follows,
  turnedOff,
  withReceived,
  withChanged,
  withPage,
  type WindowBounds,
} from './message-window.ts'

/** Messages read first, enough to fill a view, and at a time from then on. */
const firstSize = 14
const pageSize = 24
/** What is held at most: enough for some windows in both directions, or a few very long answers. */
const bounds: WindowBounds = { messages: 96, chars: 12_000_000 }
/** Time in which the messages of a changed branch are told of, in milliseconds; then they are read. */
const reportMs = 80

/** The held part of the shown branch, and the answers in it that run. `opened` tells which conversation it is of. */
export function createBranch(client: Client, opened: () => string | null) {
  const stretch = shallowRef(emptyWindow)
  const reading = ref<'before' | 'after' | null>(null)
  const lives = new Map<string, LiveAnswer>()
  let turn = 0
  let looked: ReturnType<typeof setTimeout> | undefined
  let moved: ReturnType<typeof setTimeout> | undefined

  const held = (id: string): ChatMessage | undefined =>
    stretch.value.messages.find((message) => message.id === id)

  /** A message as it is shown: a running one with what came of it by now. */
  const alive = (message: ChatMessage): ChatMessage => {
    const known = held(message.id)
    if (message.state !== 'running') {
      lives.get(message.id)?.leave()
      lives.delete(message.id)
      // What was read on stays.
      const isLonger = known?.state === message.state && hasMoreText(message)
      return isLonger && known.text.startsWith(message.text) ? known : message
    }
    // Told late: it is over.
    if (known && known.role === 'assistant' && known.state !== 'running') return known
    let live = lives.get(message.id)
    if (!live) {
      const { id } = message
      live = followAnswer(client, message, {
        grown() {
          const now = held(id)
          if (now) stretch.value = withChanged(stretch.value, extendedTo(now, lives.get(id)))
        },
        over: take,
      })
      lives.set(id, live)
    } else live.catchUp(message)
    return extendedTo(message, live)
  }
  /** Takes a message that was told of: one that is held, or that came to the end of the branch. */
  const take = (message: ChatMessage): void => {
    const known = held(message.id)
    if (known) {
      stretch.value = withChanged(stretch.value, alive(message))
      if (known.parentId !== message.parentId) readMoved()
    } else if (isNew(message) && follows(stretch.value, message))
      stretch.value = bounded(withReceived(stretch.value, alive(message)), 'end', bounds)
    else if (message.state !== 'running') alive(message)
  }
  /** A question that others stood before follows another message now: what lies between is not held, or gone. */
  const readMoved = (): void => {
    clearTimeout(moved)
    moved = setTimeout(() => void read(stands(), true), reportMs)
  }
  /** Shows a message that was asked for as the end of the branch; false when what lies before it is not held. */
  const show = (message: ChatMessage): boolean => {
    if (held(message.id)) {
      take(message)
      return true
    }
    const turned = turnedOff(stretch.value, message)
    if (!turned) return false
    stretch.value = turned
    take(message)
    return true
  }
  /** The branch is known to end with a message: what is held of another one is read anew. */
  const endsWith = (leafId: string | null): void => {
    clearTimeout(looked)
    const { messages, after } = stretch.value
    if (after > 0 || leafId === (messages.at(-1)?.id ?? null)) return
    if (leafId !== null && held(leafId)) stretch.value = endedAt(stretch.value, leafId)
    else if (leafId === null) stretch.value = emptyWindow
    else
      looked = setTimeout(() => {
        const now = stretch.value
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
    reading.value = null
    if (!reply.ok) return reply.error
    put({ ...reply.data, messages: reply.data.messages.map(alive) })
    return null
  }
  /** Reads what lies around a message, or the end of the branch, in the place of what is held; as much as that with `again`. */
  const read = (around: string | null, again = false): Promise<Failure | null> =>
    ask(
      (id) => {
        const limit = again ? Math.max(firstSize, stretch.value.messages.length) : firstSize
        return client.request('chats.window', { id, limit, ...(around !== null && { around }) })
      },
      (page) => (stretch.value = page),
    )
  /** Reads on at one end, and lets go of the other where too much is held. False when there is nothing more. */
  const more = async (side: 'before' | 'after'): Promise<boolean> => {
    const edge = stretch.value.messages.at(side === 'before' ? 0 : -1)
    if (!edge || reading.value !== null || stretch.value[side] === 0) return false
    reading.value = side
    let fits = true
    const failed = await ask(
      () => client.request('chats.more', { messageId: edge.id, side, limit: pageSize }),
      (page) => {
        const joined = withPage(stretch.value, page, side)
        fits = joined !== null
        if (joined) stretch.value = bounded(joined, side === 'before' ? 'begin' : 'end', bounds)
      },
    )
    if (!fits) await read(null)
    return failed === null
  }
  /** Makes sure that a message is held; false when it cannot be. */
  const hold = async (messageId: string): Promise<boolean> => {
    if (!held(messageId)) await read(messageId)
    return held(messageId) !== undefined
  }
  const readingOn = new Map<string, Promise<boolean>>()
  /** Reads on in a message that is longer than what is held of it; false when it cannot. */
  const readOn = (messageId: string): Promise<boolean> => {
    const readNext = async (): Promise<boolean> => {
      const message = held(messageId)
      if (!message || !hasMoreText(message)) return false
      const from = message.text.length
      const reply = await client.request('chats.text', { messageId, from })
      const now = held(messageId)
      if (!reply.ok || reply.data.text === '' || now?.text.length !== from) return false
      stretch.value = withChanged(stretch.value, lengthenedMessage(now, reply.data.text))
      return true
    }
    const known = readingOn.get(messageId)
    if (known) return known
    const made = readNext().finally(() => readingOn.delete(messageId))
    readingOn.set(messageId, made)
    return made
  }
  /** Makes sure that so much of a message's text is held, where there is as much. */
  const holdText = async (messageId: string, units: number): Promise<void> => {
    while ((held(messageId)?.text.length ?? units) < units) if (!(await readOn(messageId))) return
  }
  const toEnd = async (): Promise<void> => {
    if (stretch.value.after > 0) await read(null)
  }
  const toBegin = async (): Promise<void> => {
    if (stretch.value.before === 0) return
    await ask(
      (id) => client.request('chats.window', { id, limit: pageSize, begin: true }),
      (page) => (stretch.value = page),
    )
  }
  /** The answer that runs, where it is not held. */
  const findRunning = async (): Promise<string | null> => {
    const id = opened()
    const reply = id === null ? null : await client.request('chats.window', { id, limit: 10 })
    if (!reply?.ok) return null
    return reply.data.messages.findLast(({ state }) => state === 'running')?.id ?? null
  }
  const clear = (): void => {
    turn += 1
    clearTimeout(looked)
    clearTimeout(moved)
    for (const live of lives.values()) live.leave()
    lives.clear()
    reading.value = null
    stretch.value = emptyWindow
  }
  /** The message to read around when all is read anew: none at the end of the branch. */
  const stands = (): string | null => {
    const { messages, after } = stretch.value
    return after === 0 ? null : (messages[messages.length >> 1]?.id ?? null)
  }
  return {
    stretch,
    reading,
    take,
    show,
    endsWith,
    read,
    more,
    hold,
    holdText,
    readOn,
    toEnd,
    toBegin,
    findRunning,
    clear,
    stands,
  }
}

/** Settled answers that are told of stand on other branches; what begins is new. */
const isNew = (message: ChatMessage): boolean =>
  message.role === 'user' || message.state === 'running' || message.state === 'failed'

const extendedTo = (message: ChatMessage, live: LiveAnswer | undefined): ChatMessage =>
  live ? appendedMessage(message, live) : message
