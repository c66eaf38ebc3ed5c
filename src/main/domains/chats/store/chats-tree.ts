import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import type { AnswerFolds } from './chats-answer-events.ts'
import { requireConversation } from './chats-conversations.ts'
import { removeMessage } from './chats-maintenance.ts'
import { insertMessage, type PlacedMessage, excerptChars, messageExcerpt } from './chats-insert.ts'
import { endOfText } from './chats-parts.ts'
import {
  conversationSeq,
  requireNode,
  selectMessages,
  type MessageRow,
  type NodeRow,
  selectNodes,
} from './chats-rows.ts'
import { choosePath, downFrom, endOf, messagesOf, upFrom, withReceived } from './chats-traversal.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/** Part of the store for message trees: the shown branch, and adding messages. */
export function treeStore(
  connection: Connection,
  folds: AnswerFolds,
): Pick<
  ChatStore,
  | 'window'
  | 'more'
  | 'message'
  | 'add'
  | 'choose'
  | 'takeBack'
  | 'attempts'
  | 'dropAttempts'
  | 'turnsBefore'
> {
  const leafOf = (itemSeq: number): { readonly seq: number; readonly depth: number } | undefined =>
    connection.get(
      `SELECT m.seq, m.depth FROM conversations c CROSS JOIN messages m ON m.seq = c.leaf_seq WHERE c.item_seq = ?`,
      itemSeq,
    )
  const read = (seqs: readonly number[]): readonly ChatMessage[] =>
    messagesOf(connection, folds, seqs)
  const message = (id: string): ChatMessage | undefined => {
    const row = connection.get<MessageRow>(`${selectMessages} WHERE m.id = ?`, id)
    return row && withReceived(row, folds)
  }
  const requireMessage = (id: string): ChatMessage => {
    const found = message(id)
    if (!found) throw new AppError('NOT_FOUND', 'Message not found')
    return found
  }
  function show(node: NodeRow): void {
    choosePath(connection, node.seq)
    connection.run(
      'UPDATE conversations SET leaf_seq = ? WHERE item_seq = ?',
      endOf(connection, node.seq).seq,
      node.item_seq,
    )
  }

  /** Returns the messages around one, with equal numbers before and after if possible. */
  function around(node: NodeRow, limit: number): ReturnType<ChatStore['window']> {
    const end = endOf(connection, node.seq)
    if (end.seq !== leafOf(node.item_seq)?.seq && connection.writable)
      connection.transaction(() => show(node))
    const behind = downFrom(connection, node.seq, limit)
    const ahead = upFrom(connection, node.seq, limit).slice(1)
    const fewAhead = Math.max(Math.floor(limit / 2), limit - behind.length)
    const head = ahead.slice(0, fewAhead).toReversed()
    const shown = [...head, ...behind.slice(0, limit - head.length)]
    return {
      messages: read(shown.map((step) => step.seq)),
      before: shown[0]?.depth ?? 0,
      after: end.depth - (shown.at(-1)?.depth ?? end.depth),
    }
  }

  /** Returns a text, or the last units of one that is longer than its message. */
  const lastUnits = (
    seq: number | undefined,
    text: string,
    shortened: ChatMessage['shortened'],
    units: number,
  ): string => {
    if (seq === undefined || !shortened || shortened.text === text.length) return text
    const end = endOfText(connection, seq, units) ?? ''
    return end.length < units ? (text + end).slice(-units) : end
  }

  return {
    window(id, aroundId, limit) {
      const itemSeq = conversationSeq(connection, id)
      if (aroundId !== null) {
        const node = requireNode(connection, aroundId)
        if (node.item_seq !== itemSeq)
          throw new AppError('NOT_FOUND', 'The message belongs to another chat')
        return around(node, limit)
      }
      const leaf = leafOf(itemSeq)
      const shown = leaf ? upFrom(connection, leaf.seq, limit).toReversed() : []
      const messages = read(shown.map((step) => step.seq))
      return { messages, before: shown[0]?.depth ?? 0, after: 0 }
    },
    more(messageId, side, limit) {
      const node = requireNode(connection, messageId)
      const walk = side === 'before' ? upFrom : downFrom
      const steps = walk(connection, node.seq, limit + 1).slice(1)
      const shown = side === 'before' ? steps.toReversed() : steps
      const leaf = leafOf(node.item_seq)
      const last = shown.at(-1)?.depth ?? node.depth - (side === 'before' ? 1 : 0)
      // On the shown branch, the depth of its end gives the count without traversal.
      const after = side === 'after' && steps.length < limit ? 0 : (leaf?.depth ?? 0) - last
      return {
        messages: read(shown.map((step) => step.seq)),
        before: shown[0]?.depth ?? (side === 'before' ? 0 : node.depth + 1),
        after: Math.max(0, after),
      }
    },
    message,
    add: (made) =>
      connection.transaction(() => {
        const parent = made.parentId === null ? null : requireNode(connection, made.parentId)
        const itemSeq = conversationSeq(connection, made.conversationId)
        if (parent && parent.item_seq !== itemSeq)
          throw new AppError('REFUSED', 'The parent of a message must be in the same chat')
        const placed: PlacedMessage = {
          ...made,
          itemSeq,
          parentSeq: parent?.seq ?? null,
          depth: parent ? parent.depth + 1 : 0,
        }
        const leaf = leafOf(itemSeq)
        const seq = insertMessage(connection, placed)
        if (parent && parent.seq !== leaf?.seq) choosePath(connection, seq)
        else if (parent)
          connection.run('UPDATE messages SET chosen_seq = ? WHERE seq = ?', seq, parent.seq)
        connection.run('UPDATE conversations SET leaf_seq = ? WHERE item_seq = ?', seq, itemSeq)
        return requireMessage(made.id)
      }),
    choose: (messageId) =>
      connection.transaction(() => {
        const node = requireNode(connection, messageId)
        show(node)
        return requireConversation(connection, requireMessage(messageId).conversationId)
      }),
    takeBack: (messageId) =>
      connection.transaction(() => {
        const taken = requireMessage(messageId)
        cancelQueuedMessage(connection, requireNode(connection, messageId))
        return taken
      }),
    attempts: (questionId) =>
      attemptsAt(connection, requireNode(connection, questionId)).map(({ id }) => id),
    dropAttempts: (questionId) =>
      connection.transaction(() => dropAttempts(connection, requireNode(connection, questionId))),
    turnsBefore(messageId, limit, units) {
      const steps = upFrom(connection, requireNode(connection, messageId).seq, limit + 1).slice(1)
      const seqs = steps.map((step) => step.seq).toReversed()
      return read(seqs).map(({ role, text, shortened }, at) => ({
        role,
        text: lastUnits(seqs[at], text, shortened, units),
      }))
    },
  }
}

/**
 * Removes an unsent question from the tree, with its failed attempts. The shown branch then ends with its parent, or
 * continues with the newest sibling question. Throws REFUSED for other messages.
 */
function cancelQueuedMessage(connection: Connection, node: NodeRow): void {
  const isOpen = node.role === 'user' && (node.state === 'queued' || node.state === 'waiting')
  if (isOpen)
    for (const attempt of attemptsAt(connection, node))
      if (!hasChild(connection, attempt)) takeOut(connection, attempt)
  if (!isOpen || hasChild(connection, node))
    throw new AppError('REFUSED', 'Only a question that was not sent yet can be canceled')
  takeOut(connection, node)
}

/** Returns the answers to a question that failed before anything was received, oldest first. */
const attemptsAt = (connection: Connection, node: NodeRow): readonly NodeRow[] =>
  connection.all<NodeRow>(
    `${selectNodes} CROSS JOIN message_bodies b ON b.message_seq = m.seq
     WHERE m.item_seq = ? AND m.parent_seq = ? AND m.role = 'assistant' AND m.state = 'failed' AND b.text = '' AND b.steps IS NULL
     ORDER BY m.seq`,
    node.item_seq,
    node.seq,
  )

/** Removes attempts without a following message whose session at the provider cannot contain the question. */
function dropAttempts(connection: Connection, node: NodeRow): void {
  for (const attempt of attemptsAt(connection, node))
    if (attempt.session_id === null && !hasChild(connection, attempt)) takeOut(connection, attempt)
}

const hasChild = (connection: Connection, { item_seq, seq }: NodeRow): boolean =>
  connection.get('SELECT 1 FROM messages WHERE item_seq = ? AND parent_seq = ?', item_seq, seq) !==
  undefined

/** Removes a message without children from the tree. */
function takeOut(connection: Connection, node: NodeRow): void {
  removeMessage(connection, node.seq)
  const sibling = connection.get<{ seq: number | null }>(
    'SELECT max(seq) AS seq FROM messages INDEXED BY messages_children WHERE item_seq = ? AND parent_seq IS ?',
    node.item_seq,
    node.parent_seq,
  )
  if (node.parent_seq !== null)
    connection.run(
      'UPDATE messages SET chosen_seq = ? WHERE seq = ? AND chosen_seq = ?',
      sibling?.seq ?? null,
      node.parent_seq,
      node.seq,
    )
  const leaf = connection.get<{ seq: number | null }>(
    'SELECT leaf_seq AS seq FROM conversations WHERE item_seq = ?',
    node.item_seq,
  )
  if (leaf?.seq === node.seq) {
    const shown = sibling?.seq ?? node.parent_seq
    if (shown !== null) choosePath(connection, shown)
    connection.run(
      'UPDATE conversations SET leaf_seq = ? WHERE item_seq = ?',
      shown === null ? null : endOf(connection, shown).seq,
      node.item_seq,
    )
  }
  updateSummary(connection, node.item_seq)
}

/** Updates the list entry of a chat from its newest remaining message. */
function updateSummary(connection: Connection, itemSeq: number): void {
  const newest = connection.get<{ text: string; created_at: number }>(
    `SELECT substr(b.text, 1, ${excerptChars}) AS text, m.created_at FROM messages m CROSS JOIN message_bodies b ON b.message_seq = m.seq
     WHERE m.item_seq = ? ORDER BY m.seq DESC LIMIT 1`,
    itemSeq,
  )
  connection.run(
    `UPDATE conversations SET messages = messages - 1,
       last_at = coalesce(?, (SELECT created_at FROM items WHERE seq = conversations.item_seq)) WHERE item_seq = ?`,
    newest?.created_at ?? null,
    itemSeq,
  )
  connection.run(
    'UPDATE items SET excerpt = ? WHERE seq = ?',
    messageExcerpt(newest?.text ?? ''),
    itemSeq,
  )
}
