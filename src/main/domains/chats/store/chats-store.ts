import type { ChatMessage, ChatPrompt, ListedAssistant } from '../../../../shared/model/chat.ts'
import { fold } from '../../../../shared/text/fold.ts'
import { answerFolds } from './chats-answer-events.ts'
import { answerStore } from './chats-answers.ts'
import { conversationStore } from './chats-conversations.ts'
import { importConversation, type Arriving } from './chats-import.ts'
import { conversationSeq } from './chats-rows.ts'
import { messagesOf, upFrom } from './chats-traversal.ts'
import { treeStore } from './chats-tree.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { AppError } from '../../../errors.ts'

/** Number of messages read at once when all are needed. */
const readAtOnce = 40

/** Dependencies of the chat store. */
interface ChatStoreParts {
  /** Finds and searches outside the main thread. */
  readonly finder: Pick<ChatStore, 'find' | 'search'>
  /** Called when a chat leaves cleanup work. */
  settle(): void
  /** Chats that are being imported, shared with the cleanup. */
  readonly arriving: Arriving
}

/** Store of chats (see {@link ChatStore}). */
export function chatStore(
  connection: Connection,
  { finder, settle, arriving }: ChatStoreParts,
): ChatStore {
  const folds = answerFolds(connection)
  const tree = treeStore(connection, folds)

  function* inSteps(seqs: readonly number[]): Generator<ChatMessage> {
    for (let at = 0; at < seqs.length; at += readAtOnce)
      yield* messagesOf(connection, folds, seqs.slice(at, at + readAtOnce))
  }
  /** Wraps changes after which a long text may remain to be indexed. */
  const large =
    <Args extends unknown[], Result>(change: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const result = change(...args)
      settle()
      return result
    }

  return {
    ...conversationStore(connection),
    ...tree,
    add: large(tree.add),
    ...answerStore(connection, folds, settle),
    ...promptStore(connection),
    ...documentReferences(connection),
    facets: () => ({
      whos: connection
        .all<{ who: string }>(
          `SELECT c.who FROM conversations c CROSS JOIN items i ON i.seq = c.item_seq
           WHERE i.kind = 'conversation' AND i.deleted_at IS NULL GROUP BY c.who ORDER BY count(*) DESC, c.who`,
        )
        .map(({ who }) => who),
    }),
    ...finder,
    *branch(id) {
      const leaf = connection.get<{ seq: number | null }>(
        'SELECT leaf_seq AS seq FROM conversations WHERE item_seq = ?',
        conversationSeq(connection, id),
      )
      const way = leaf && leaf.seq !== null ? upFrom(connection, leaf.seq, -1) : []
      yield* inSteps(way.map((step) => step.seq).toReversed())
    },
    *all(id) {
      const rows = connection.all<{ seq: number }>(
        'SELECT seq FROM messages WHERE item_seq = ? ORDER BY seq',
        conversationSeq(connection, id),
      )
      yield* inSteps(rows.map((row) => row.seq))
    },
    async importConversation(...taken) {
      try {
        return await importConversation(connection, arriving, ...taken)
      } finally {
        settle()
      }
    },
  }
}

/** Returns a name without its extension, so that `Report.PDF` and `report` match. */
const stemOf = (name: string): string => fold(name.trim().replace(/\.[a-z][a-z0-9]{0,4}$/i, ''))

/** Part of the store that maps provider documents to Library documents. */
function documentReferences(
  connection: Connection,
): Pick<ChatStore, 'pushedFrom' | 'namedDocument'> {
  return {
    pushedFrom: (documentId) =>
      connection.get<{ id: string }>(
        `SELECT i.id FROM document_pushes p CROSS JOIN items i ON i.seq = p.item_seq
         WHERE p.remote_id = ? AND p.remote_id IS NOT NULL AND i.deleted_at IS NULL ORDER BY p.seq DESC LIMIT 1`,
        documentId,
      )?.id,
    namedDocument(name) {
      const stem = stemOf(name)
      if (stem === '') return undefined
      return connection
        .all<{ id: string; name: string; title: string }>(
          `SELECT i.id, d.name, i.title FROM documents d CROSS JOIN items i ON i.seq = d.item_seq
           WHERE i.deleted_at IS NULL ORDER BY d.item_seq DESC`,
        )
        .find((row) => stemOf(row.name) === stem || stemOf(row.title) === stem)?.id
    },
  }
}

const columns = 'id, name, text, updated_at AS updatedAt'

/** Part of the store for prompts and the saved list of assistants. */
function promptStore(
  connection: Connection,
): Pick<ChatStore, 'prompts' | 'savePrompt' | 'removePrompt' | 'keepAssistants' | 'assistants'> {
  return {
    prompts: () =>
      connection.all<ChatPrompt>(
        `SELECT ${columns} FROM chat_prompts ORDER BY name COLLATE NOCASE, rowid`,
      ),
    savePrompt({ id, name, text, at }) {
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO chat_prompts(id, name, text, updated_at) VALUES (?, ?, ?, ?)
           ON CONFLICT(id) DO UPDATE SET name = excluded.name, text = excluded.text, updated_at = excluded.updated_at`,
          id,
          name,
          text,
          at,
        )
        return { id, name, text, updatedAt: at }
      })
    },
    removePrompt(id) {
      if (connection.run('DELETE FROM chat_prompts WHERE id = ?', id).changes === 0)
        throw new AppError('NOT_FOUND', 'Prompt not found')
    },
    keepAssistants: (accountId, assistants, at) =>
      void connection.run(
        `INSERT INTO assistant_lists(account_id, assistants, at) VALUES (?, ?, ?)
         ON CONFLICT(account_id) DO UPDATE SET assistants = excluded.assistants, at = excluded.at`,
        accountId,
        JSON.stringify(assistants),
        at,
      ),
    assistants(accountId) {
      const row = connection.get<{ assistants: string; at: number }>(
        'SELECT assistants, at FROM assistant_lists WHERE account_id = ?',
        accountId,
      )
      return row
        ? { assistants: JSON.parse(row.assistants) as readonly ListedAssistant[], at: row.at }
        : { assistants: [], at: null }
    },
  }
}
