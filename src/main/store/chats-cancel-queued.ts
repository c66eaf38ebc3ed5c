import { AppError } from '../errors.ts'
import { unindex } from './chats-index.ts'
import { selectNodes, type NodeRow } from './chats-rows.ts'
import { choosePath, endOf } from './chats-traversal.ts'
import type { Connection } from './connection.ts'
import { excerptChars, messageExcerpt } from './chats-insert.ts'

/**
 * Removes an unsent question from the tree, with its failed attempts. The shown branch then ends with its parent, or
 * continues with the newest sibling question. Throws REFUSED for other messages.
 */
export function cancelQueuedMessage(connection: Connection, node: NodeRow): void {
  const isOpen = node.role === 'user' && (node.state === 'queued' || node.state === 'waiting')
  if (isOpen)
    for (const attempt of attemptsAt(connection, node))
      if (!hasChild(connection, attempt)) takeOut(connection, attempt)
  if (!isOpen || hasChild(connection, node))
    throw new AppError('REFUSED', 'Only a question that was not sent yet can be canceled')
  takeOut(connection, node)
}

/** Returns the answers to a question that failed before anything was received, oldest first. */
export const attemptsAt = (connection: Connection, node: NodeRow): readonly NodeRow[] =>
  connection.all<NodeRow>(
    `${selectNodes} CROSS JOIN message_bodies b ON b.message_seq = m.seq
     WHERE m.item_seq = ? AND m.parent_seq = ? AND m.role = 'assistant' AND m.state = 'failed' AND b.text = '' AND b.steps IS NULL
     ORDER BY m.seq`,
    node.item_seq,
    node.seq,
  )

/** Removes attempts without a following message whose session at the provider cannot contain the question. */
export function dropAttempts(connection: Connection, node: NodeRow): void {
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

/** Removes a message with everything stored for it. */
function removeMessage(connection: Connection, seq: number): void {
  unindex(connection, seq)
  for (const table of ['message_bodies', 'message_events', 'message_parts', 'message_media'])
    connection.run(`DELETE FROM ${table} WHERE message_seq = ?`, seq)
  connection.run('DELETE FROM messages WHERE seq = ?', seq)
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
