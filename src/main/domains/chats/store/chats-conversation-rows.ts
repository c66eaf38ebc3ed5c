import type {
  ChatDraft,
  ChatSettings,
  Conversation,
  ConversationBrief,
  ConversationState,
  MessageState,
  TokenUse,
} from '../../../../shared/model/chat.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Row of `conversations` with its item. */
export interface ConversationRow {
  readonly item_seq: number
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly excerpt: string
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
  readonly settings: string
  readonly account_id: string
  readonly account_name: string
  readonly folder_id: string | null
  readonly starred: number
  readonly leaf_seq: number | null
  readonly leaf_id: string | null
  readonly messages: number
  readonly usage: string | null
  readonly draft: string | null
  readonly last_at: number
  /** States of running, queued and waiting messages, newest first. */
  readonly open: string | null
  readonly tags: string
}

/** Selects {@link ConversationRow}s of conversations `c` with their items `i`. */
export const selectConversations = `SELECT c.*, i.id, i.kind, i.title, i.excerpt, i.created_at, i.updated_at, i.deleted_at,
    i.starred, i.folder_id,
    (SELECT id FROM messages WHERE seq = c.leaf_seq) AS leaf_id,
    (SELECT json_group_array(state ORDER BY seq DESC) FROM messages
     WHERE item_seq = c.item_seq AND state IN ('running', 'queued', 'waiting')) AS open,
    (SELECT json_group_array(tag ORDER BY rowid) FROM item_tags WHERE item_seq = c.item_seq) AS tags
  FROM conversations c CROSS JOIN items i ON i.seq = c.item_seq`

/** Token usage of which nothing is known. */
export const noUse: TokenUse = {
  prompt: null,
  completion: null,
  total: null,
  reasoning: null,
  cached: null,
}

/** Adds the tokens of two answers; values that neither counted stay unknown. */
export function addUse(one: TokenUse, other: TokenUse | null): TokenUse {
  const sum = (key: keyof TokenUse): number | null =>
    one[key] === null && (other?.[key] ?? null) === null
      ? null
      : (one[key] ?? 0) + (other?.[key] ?? 0)
  return {
    prompt: sum('prompt'),
    completion: sum('completion'),
    total: sum('total'),
    reasoning: sum('reasoning'),
    cached: sum('cached'),
  }
}

/** Returns the list entry of a chat; null if it no longer exists. */
export function conversationBriefOf(connection: Connection, seq: number): ConversationBrief | null {
  const row = connection.get<ConversationRow>(`${selectConversations} WHERE c.item_seq = ?`, seq)
  return row ? toBrief(row) : null
}

/** Converts a row to a chat. */
export const toConversation = (row: ConversationRow): Conversation => ({
  ...toBrief(row),
  id: row.id,
  title: row.title,
  excerpt: row.excerpt,
  leafId: row.leaf_id,
  usage: parsed<TokenUse>(row.usage) ?? noUse,
  createdAt: row.created_at,
  lastAt: row.last_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
})

const toBrief = (row: ConversationRow): ConversationBrief => ({
  state: stateOf(row.open),
  settings: JSON.parse(row.settings) as ChatSettings,
  accountId: row.account_id,
  accountName: row.account_name,
  messages: row.messages,
  draft: parsed<ChatDraft>(row.draft),
  starred: row.starred !== 0,
  folderId: row.folder_id,
  tags: JSON.parse(row.tags) as readonly string[],
  temporary: row.kind === 'temporary',
})

/** A running answer takes precedence, because queued messages wait for it. */
function stateOf(open: string | null): ConversationState {
  const states = parsed<readonly MessageState[]>(open) ?? []
  if (states.includes('running')) return 'answering'
  const [newest] = states
  return newest === 'queued' || newest === 'waiting' ? newest : 'idle'
}
