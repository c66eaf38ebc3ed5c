import type { ChatMessage } from '../../shared/model/chat.ts'
import { AppError } from '../errors.ts'
import { requireConversation } from './chats-conversations.ts'
import type { AnswerFolds } from './chats-answer-events.ts'
import { insertMessage, type PlacedMessage } from './chats-insert.ts'
import {
  conversationSeq,
  requireNode,
  selectMessages,
  type MessageRow,
  type NodeRow,
} from './chats-rows.ts'
import { attemptsAt, dropAttempts, cancelQueuedMessage } from './chats-cancel-queued.ts'
import type { ChatStore } from './chats-types.ts'
import { endOfText } from './chats-parts.ts'
import { choosePath, downFrom, endOf, messagesOf, upFrom, withReceived } from './chats-traversal.ts'
import type { Connection } from './connection.ts'

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
