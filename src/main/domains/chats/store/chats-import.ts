import { setImmediate as turn } from 'node:timers/promises'
import {
  beginningOf,
  createStepBudget,
  shownSteps,
  shownUnits,
  type AnswerPart,
} from '../../../../shared/chats/shown-answer.ts'
import type {
  ChatMessage,
  ChatSettings,
  Conversation,
  MessageState,
  TokenUse,
} from '../../../../shared/model/chat.ts'
import { stepsJson } from '../../../../shared/chats/steps-json.ts'
import { AppError } from '../../../errors.ts'
import { addUse, noUse } from './chats-conversation-rows.ts'
import { insertConversation, requireConversation, putTags } from './chats-conversations.ts'
import { indexLater } from './chats-index.ts'
import { touchConversation } from './chats-insert.ts'
import { drawingsOf, saveMedia, mediaOf } from './chats-media.ts'
import { insertPart, splitIntoParts } from './chats-parts.ts'
import { listColumn, responderOf } from './chats-rows.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/** Milliseconds per step on the main thread, after which other work runs. */
const stepMs = 6

/** Item numbers of chats that are being imported: their rows are not leftovers. */
export type Arriving = Set<number>

/**
 * Imports a whole chat in steps of a few milliseconds. Until the last step nothing is visible: its messages belong to an
 * item that does not exist yet, and are cleaned up as leftovers if the import never finishes. Indexing follows in steps.
 * Throws BAD_REQUEST for inconsistent messages, DATABASE_BUSY if the library was replaced in the meantime.
 */
export async function importConversation(
  connection: Connection,
  arriving: Arriving,
  ...[made, messages, leafId]: Parameters<ChatStore['importConversation']>
): Promise<Conversation> {
  const plan = await inSteps(planOf(messages, leafId))
  const file = connection.use((db) => db)
  const itemSeq = connection.transaction(() => reserve(connection, made.id))
  arriving.add(itemSeq)
  try {
    const stays = (): void => {
      const row = `SELECT 1 FROM chat_leftovers WHERE kind = 'item' AND seq = ?`
      if (connection.use((db) => db) === file && connection.get(row, itemSeq)) return
      throw new AppError('DATABASE_BUSY', 'The library was replaced during the import of a chat', {
        retriable: true,
      })
    }
    const put = writer(connection, plan, {
      itemSeq,
      settings: made.settings,
      temporary: made.temporary,
    })
    const rows = rowsOf(plan.messages, put)
    for (let isDone = false; !isDone;) {
      const until = performance.now() + stepMs
      isDone = connection.transaction(() => {
        stays()
        for (;;) {
          if (rows.next().done) return true
          if (performance.now() >= until) return false
        }
      })
      await turn()
    }
    return connection.transaction(() => {
      stays()
      connection.run(`DELETE FROM chat_leftovers WHERE kind = 'item' AND seq = ?`, itemSeq)
      insertConversation(connection, made, itemSeq)
      putTags(connection, itemSeq, made.tags)
      summarise(connection, itemSeq, plan, leafId === null ? null : seqOf(connection, leafId))
      return requireConversation(connection, made.id)
    })
  } finally {
    arriving.delete(itemSeq)
  }
}

/** Runs a generator that yields where it may pause, a few milliseconds at a time. */
async function inSteps<Result>(work: Generator<undefined, Result>): Promise<Result> {
  let until = performance.now() + stepMs
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await turn()
    until = performance.now() + stepMs
  }
}

/** Reserves an item number, and registers its rows as leftovers until the import is complete. */
function reserve(connection: Connection, id: string): number {
  const { lastId: seq } = connection.run(
    `INSERT INTO items(id, kind, title, created_at, updated_at) VALUES (?, 'temporary', '', 0, 0)`,
    id,
  )
  connection.run('DELETE FROM items WHERE seq = ?', seq)
  connection.run(`INSERT INTO chat_leftovers VALUES ('item', ?)`, seq)
  return seq
}

/** Import plan: the messages, each after its parent, and values derived from all of them. */
interface Plan {
  readonly messages: readonly ChatMessage[]
  /** IDs of the shown branch, from its end to its beginning. */
  readonly shown: ReadonlySet<string>
  readonly leafId: string | null
  readonly usage: TokenUse | null
  readonly newest: ChatMessage | undefined
}

function* planOf(
  messages: readonly ChatMessage[],
  leafId: string | null,
): Generator<undefined, Plan> {
  const parents = new Map<string, string | null>()
  let inOrder = true
  let usage: TokenUse | null = null
  let newest: ChatMessage | undefined
  for (const message of messages) {
    inOrder &&= message.parentId === null || parents.has(message.parentId)
    parents.set(message.id, message.parentId)
    if (message.usage) usage = addUse(usage ?? noUse, message.usage)
    if (!newest || newest.createdAt <= message.createdAt) newest = message
    yield
  }
  const ordered = inOrder ? messages : yield* parentsFirst(messages)
  if (ordered.length < messages.length)
    throw new AppError('BAD_REQUEST', 'The parent of a message is missing')
  if (leafId !== null && !parents.has(leafId))
    throw new AppError('BAD_REQUEST', 'The last message of the branch is missing')
  const shown = new Set<string>()
  for (let id = leafId; id !== null; id = parents.get(id) ?? null) {
    shown.add(id)
    yield
  }
  return { messages: ordered, shown, leafId, usage, newest }
}

/** Orders messages so that each follows its parent; omits those whose parent is missing. */
function* parentsFirst(
  messages: readonly ChatMessage[],
): Generator<undefined, readonly ChatMessage[]> {
  const children = new Map<string | null, ChatMessage[]>()
  for (const message of messages) {
    const siblings = children.get(message.parentId)
    if (siblings) siblings.push(message)
    else children.set(message.parentId, [message])
    yield
  }
  const ordered: ChatMessage[] = []
  const open = (children.get(null) ?? []).toReversed()
  for (let message = open.pop(); message; message = open.pop()) {
    ordered.push(message)
    open.push(...(children.get(message.id) ?? []).toReversed())
    yield
  }
  return ordered
}

/** Writes messages row by row: the parts of a long one are separate rows. */
function* rowsOf(
  messages: readonly ChatMessage[],
  put: (message: ChatMessage) => Iterable<undefined>,
): Generator<undefined> {
  for (const message of messages) {
    yield* put(message)
    yield
  }
}

/** Returns a function that writes a message, and yields between its rows. */
function writer(
  connection: Connection,
  { shown, leafId }: Plan,
  {
    itemSeq,
    settings,
    temporary,
  }: { readonly itemSeq: number; readonly settings: ChatSettings; readonly temporary: boolean },
): (message: ChatMessage) => Generator<undefined> {
  const places = new Map<string, { readonly seq: number; readonly depth: number }>()
  return function* put(whole) {
    const { message, parts } = toStored(whole)
    const { id, parentId } = message
    const parent = parentId === null ? undefined : places.get(parentId)
    const depth = parent ? parent.depth + 1 : 0
    const seq = insertWhole(connection, message, {
      drawings: drawingsOf(whole.steps),
      itemSeq,
      parentSeq: parent?.seq ?? null,
      depth,
      who: responderOf(message.settings ?? settings),
    })
    places.set(id, { seq, depth })
    // The newest sibling is the chosen one, unless the shown branch specifies another.
    const isDecided = parentId !== null && parentId !== leafId && shown.has(parentId)
    if (parent && (shown.has(id) || !isDecided))
      connection.run('UPDATE messages SET chosen_seq = ? WHERE seq = ?', seq, parent.seq)
    for (const part of parts) {
      yield
      insertPart(connection, seq, part)
    }
    // After the parts: a text that is indexed without them would lack its end.
    if (!temporary) indexLater(connection, seq)
  }
}

/** Returns a message as stored: of a long answer, its beginning and the parts with the rest. */
function toStored(whole: ChatMessage): {
  readonly message: ChatMessage
  readonly parts: Iterable<AnswerPart>
} {
  if (whole.role !== 'assistant') return { message: whole, parts: [] }
  const budget = createStepBudget()
  const shown = shownSteps(whole.steps, budget)
  const steps = budget.isExceeded ? shown : whole.steps
  const text = beginningOf(whole.text, shownUnits.text)
  const parts = function* (): Generator<AnswerPart> {
    yield* splitIntoParts([whole.text.slice(text.length)], 'text', text.length)
    if (budget.isExceeded) yield* splitIntoParts(stepsJson(whole.steps), 'steps', 0)
  }
  return { message: { ...whole, text, steps }, parts: parts() }
}

const seqOf = (connection: Connection, id: string): number | null =>
  connection.get<{ seq: number }>('SELECT seq FROM messages WHERE id = ?', id)?.seq ?? null

function summarise(
  connection: Connection,
  itemSeq: number,
  { messages, usage, newest }: Plan,
  leafSeq: number | null,
): void {
  connection.run(
    'UPDATE conversations SET leaf_seq = ?, messages = ?, usage = ?, last_at = coalesce(?, last_at) WHERE item_seq = ?',
    leafSeq,
    messages.length,
    usage && JSON.stringify(usage),
    newest?.createdAt ?? null,
    itemSeq,
  )
  if (newest) touchConversation(connection, itemSeq, newest.text, newest.createdAt)
}

/** Returns the final state of an imported message: nothing is running, waiting or being sent. */
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
    /** Media that the complete steps name. */
    readonly drawings: readonly string[]
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
    message.resentTurns,
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
  saveMedia(connection, seq, [...mediaOf(message.attachments), ...place.drawings])
  return seq
}
