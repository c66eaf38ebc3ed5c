import type { AnswerStep } from '../../../../shared/chats/answer-step.ts'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  ChatAttachment,
  ChatMessage,
  ChatSettings,
  MessageState,
  SliceReply,
  TokenUse,
} from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Position of a message in its tree, as needed for traversal. */
export interface NodeRow {
  readonly seq: number
  readonly id: string
  readonly item_seq: number
  readonly parent_seq: number | null
  readonly chosen_seq: number | null
  readonly depth: number
  readonly role: ChatMessage['role']
  readonly state: MessageState
  readonly events: number
  readonly session_id: string | null
}

/** Message with its body and the IDs of its relatives. */
export interface MessageRow extends NodeRow {
  readonly conversation_id: string
  readonly parent_id: string | null
  readonly siblings: string
  /** Length in UTF-16 units of a text that is longer than `text`, and whether `steps` are shortened. */
  readonly text_units: number | null
  readonly has_steps: number
  readonly text: Buffer | null
  readonly steps: Buffer | null
  readonly attachments: string | null
  readonly settings: string | null
  readonly slices: string | null
  readonly stream_id: string | null
  readonly model: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly finish_reason: string | null
  readonly usage: string | null
  readonly service_message_id: string | null
  readonly request_id: string | null
  readonly retold: number
  readonly error: string | null
  readonly created_at: number
  readonly ended_at: number | null
}

/** Selects {@link NodeRow}s of messages `m` whose chat exists; rows of deleted chats are removed in steps. */
export const selectNodes = `SELECT m.seq, m.id, m.item_seq, m.parent_seq, m.chosen_seq, m.depth, m.role, m.state, m.events, m.session_id
  FROM messages m CROSS JOIN conversations c ON c.item_seq = m.item_seq`

/** Selects a long text column as bytes, which {@link textOf} decodes several times faster than the driver. */
export const longText = (column: string, name: string): string =>
  `CAST(${column} AS BLOB) AS ${name}`
export const textOf = (bytes: Buffer | null): string | null => bytes && bytes.toString()

/** Selects {@link MessageRow}s of messages `m`. */
export const selectMessages = `SELECT m.*, ${longText('b.text', 'text')}, ${longText('b.steps', 'steps')}, b.attachments, b.settings, b.slices, i.id AS conversation_id,
    (SELECT p.id FROM messages p WHERE p.seq = m.parent_seq) AS parent_id,
    (SELECT json_group_array(s.id ORDER BY s.seq) FROM messages s
     WHERE s.item_seq = m.item_seq AND s.parent_seq IS m.parent_seq AND s.role = m.role) AS siblings,
    (SELECT p.start + p.units FROM message_parts p WHERE p.message_seq = m.seq AND p.kind = 'text' ORDER BY p.start DESC LIMIT 1) AS text_units,
    EXISTS (SELECT 1 FROM message_parts p WHERE p.message_seq = m.seq AND p.kind = 'steps') AS has_steps
  FROM messages m CROSS JOIN conversations c ON c.item_seq = m.item_seq CROSS JOIN items i ON i.seq = c.item_seq
  LEFT JOIN message_bodies b ON b.message_seq = m.seq`

/** Returns the position of a message. Throws NOT_FOUND. */
export function requireNode(connection: Connection, id: string): NodeRow {
  const row = connection.get<NodeRow>(`${selectNodes} WHERE m.id = ?`, id)
  if (!row) throw new AppError('NOT_FOUND', 'Message not found')
  return row
}

/** Returns the item number of a chat, including temporary ones. Throws NOT_FOUND. */
export function conversationSeq(connection: Connection, id: string): number {
  const row = connection.get<{ seq: number }>(
    'SELECT i.seq FROM items i CROSS JOIN conversations c ON c.item_seq = i.seq WHERE i.id = ?',
    id,
  )
  if (!row) throw new AppError('NOT_FOUND', 'Chat not found')
  return row.seq
}

/** Converts a row to a message; for a running answer, without its partial content. */
export const toMessage = (row: MessageRow): ChatMessage => ({
  ...bodyOf(row),
  id: row.id,
  conversationId: row.conversation_id,
  parentId: row.parent_id,
  role: row.role,
  state: row.state,
  depth: row.depth,
  siblings: JSON.parse(row.siblings) as readonly string[],
  attachments: parsed<readonly ChatAttachment[]>(row.attachments) ?? [],
  slices: parsed<readonly SliceReply[]>(row.slices) ?? [],
  streamId: row.stream_id,
  nextEvent: 0,
  settings: parsed<ChatSettings>(row.settings),
  model: row.model,
  engine: row.engine,
  notice: row.notice,
  finishReason: row.finish_reason,
  usage: parsed<TokenUse>(row.usage),
  serviceMessageId: row.service_message_id,
  requestId: row.request_id,
  resentTurns: row.retold,
  error: parsed<Failure>(row.error),
  createdAt: row.created_at,
  endedAt: row.ended_at,
})

/** Returns the text and steps of a row, and whether they are shortened. */
function bodyOf(row: MessageRow): Pick<ChatMessage, 'text' | 'steps' | 'shortened'> {
  const text = textOf(row.text) ?? ''
  const steps = parsed<readonly AnswerStep[]>(textOf(row.steps)) ?? []
  const isShortened = row.text_units !== null || row.has_steps !== 0
  const shortened = { text: row.text_units ?? text.length, steps: row.has_steps !== 0 }
  return { text, steps, ...(isShortened && { shortened }) }
}

/** Formats a list for a column: null for an empty one. */
export const listColumn = (list: readonly unknown[]): string | null =>
  list.length === 0 ? null : JSON.stringify(list)

/** Returns the responder of these settings: `agent`, or the ID of an assistant. */
export const responderOf = (settings: ChatSettings): string =>
  settings.kind === 'agent' ? 'agent' : settings.assistantId
