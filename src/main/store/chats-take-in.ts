import type { ChatMessage, Conversation, MessageState, TokenUse } from '../../shared/model/chat.ts'
import { AppError } from '../errors.ts'
import { addUse, noUse } from './chats-brief.ts'
import { insertConversation, mustConversation, putTags } from './chats-conversations.ts'
import { indexLater } from './chats-index.ts'
import { touchConversation } from './chats-insert.ts'
import { drawingsOf, keepMedia, mediaOf } from './chats-media.ts'
import { listColumn, whoOf } from './chats-rows.ts'
import type { ChatStore } from './chats-types.ts'
import { choosePath } from './chats-walk.ts'
import type { Connection } from './connection.ts'

/** Puts a whole conversation in. Its messages can be found in steps right afterwards. */
export function takeConversationIn(
  connection: Connection,
  ...[made, messages, leafId]: Parameters<ChatStore['takeIn']>
): Conversation {
  return connection.transaction(() => {
    const itemSeq = insertConversation(connection, made)
    putTags(connection, itemSeq, made.tags)
    const places = new Map<string, Place>()
    for (const message of parentsFirst(messages)) {
      const parent = message.parentId === null ? null : places.get(message.parentId)
      if (parent === undefined)
        throw new AppError('BAD_REQUEST', 'A message follows one that is not there')
      const depth = parent === null ? 0 : parent.depth + 1
      const seq = insertWhole(connection, message, {
        itemSeq,
        parentSeq: parent?.seq ?? null,
        depth,
        who: whoOf(message.settings ?? made.settings),
      })
      places.set(message.id, { seq, depth })
      if (!made.temporary) indexLater(connection, seq)
    }
    // What follows is the newest of what is beside it, until the branch that is shown says otherwise.
    connection.run(
      `UPDATE messages SET chosen_seq = (SELECT max(seq) FROM messages m INDEXED BY messages_children
         WHERE m.item_seq = messages.item_seq AND m.parent_seq = messages.seq) WHERE item_seq = ?`,
      itemSeq,
    )
    const leaf = leafId === null ? undefined : places.get(leafId)
    if (leafId !== null && !leaf)
      throw new AppError('BAD_REQUEST', 'The end of the branch is not among the messages')
    if (leaf) choosePath(connection, leaf.seq)
    summarise(connection, itemSeq, messages, leaf?.seq ?? null)
    return mustConversation(connection, made.id)
  })
}

interface Place {
  readonly seq: number
  readonly depth: number
}

function summarise(
  connection: Connection,
  itemSeq: number,
  messages: readonly ChatMessage[],
  leafSeq: number | null,
): void {
  const usage = messages.reduce<TokenUse>((sum, each) => addUse(sum, each.usage), noUse)
  const newest = messages.reduce<ChatMessage | undefined>(
    (last, each) => (last && last.createdAt > each.createdAt ? last : each),
    undefined,
  )
  connection.run(
    'UPDATE conversations SET leaf_seq = ?, messages = ?, usage = ?, last_at = coalesce(?, last_at) WHERE item_seq = ?',
    leafSeq,
    messages.length,
    messages.some((each) => each.usage !== null) ? JSON.stringify(usage) : null,
    newest?.createdAt ?? null,
    itemSeq,
  )
  if (newest) touchConversation(connection, itemSeq, newest.text, newest.createdAt)
}

/** Messages so that each comes after the one it follows; what follows nothing that is there comes last. */
function parentsFirst(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const children = Map.groupBy(messages, (message) => message.parentId)
  const ordered: ChatMessage[] = []
  const open = (children.get(null) ?? []).toReversed()
  for (let message = open.pop(); message; message = open.pop()) {
    ordered.push(message)
    open.push(...(children.get(message.id) ?? []).toReversed())
  }
  const placed = new Set(ordered)
  return ordered.length === messages.length
    ? ordered
    : [...ordered, ...messages.filter((message) => !placed.has(message))]
}

/** What is taken in is over: nothing of it runs, waits or is sent. */
const settledState = (state: MessageState): MessageState => {
  if (state === 'running') return 'broken'
  return state === 'queued' || state === 'waiting' ? 'done' : state
}

function insertWhole(
  connection: Connection,
  message: ChatMessage,
  place: {
    readonly itemSeq: number
    readonly parentSeq: number | null
    readonly depth: number
    readonly who: string
  },
): number {
  const { lastId: seq } = connection.run(
    `INSERT INTO messages(id, item_seq, parent_seq, depth, role, state, who, model, engine, notice, finish_reason, usage,
       service_message_id, request_id, retold, error, created_at, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    message.id,
    place.itemSeq,
    place.parentSeq,
    place.depth,
    message.role,
    settledState(message.state),
    place.who,
    message.model,
    message.engine,
    message.notice,
    message.finishReason,
    message.usage && JSON.stringify(message.usage),
    message.serviceMessageId,
    message.requestId,
    message.retold,
    message.error && JSON.stringify(message.error),
    message.createdAt,
    message.endedAt,
  )
  connection.run(
    'INSERT INTO message_bodies(message_seq, item_seq, role, text, steps, attachments, settings, slices) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    seq,
    place.itemSeq,
    message.role,
    message.text,
    listColumn(message.steps),
    listColumn(message.attachments),
    message.settings && JSON.stringify(message.settings),
    listColumn(message.slices),
  )
  keepMedia(connection, seq, [...mediaOf(message.attachments), ...drawingsOf(message.steps)])
  return seq
}
