import type { Connection } from './connection.ts'
import { baseMirror } from './knowledge-bases.ts'
import { documentMirror } from './knowledge-documents.ts'
import { imageMirror } from './knowledge-images.ts'
import type { KnowledgeStore } from './knowledge-types.ts'
import { knowledgeLog, uploadStore } from './knowledge-uploads.ts'

/** The local mirror of knowledge bases. For a read-only library with an older schema it is empty. */
export function knowledgeStore(connection: Connection): KnowledgeStore {
  // A writable library has been migrated to this schema. Others are checked each time, since the file may be exchanged.
  const none = (): boolean =>
    !connection.writable &&
    connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'knowledge_accounts'`) === undefined
  const orElse =
    <Args extends unknown[], Result>(read: (...args: Args) => Result, other: Result) =>
    (...args: Args): Result =>
      none() ? other : read(...args)
  const bases = baseMirror(connection)
  const documents = documentMirror(connection)
  const images = imageMirror(connection)
  const uploads = uploadStore(connection)
  const log = knowledgeLog(connection)
  return {
    bases: {
      ...bases,
      list: orElse(bases.list, { bases: [], total: 0 }),
      get: orElse(bases.get, undefined),
      listedAt: orElse(bases.listedAt, null),
      capacity: orElse(bases.capacity, null),
    },
    documents: {
      ...documents,
      list: orElse(documents.list, { documents: [], total: 0 }),
      counts: orElse(documents.counts, { running: 0, failed: 0, all: 0 }),
      get: orElse(documents.get, undefined),
      inState: orElse(documents.inState, []),
      due: orElse(documents.due, []),
      nextDue: orElse(documents.nextDue, null),
    },
    images,
    uploads: {
      ...uploads,
      get: orElse(uploads.get, undefined),
      ofBase: orElse(uploads.ofBase, []),
      open: orElse(uploads.open, []),
      due: orElse(uploads.due, []),
      waiting: orElse(uploads.waiting, { count: 0, next: null }),
    },
    log: { ...log, list: orElse(log.list, []) },
    chatsWith: (baseId) =>
      connection.get<{ readonly n: number }>(
        `SELECT count(*) AS n FROM conversations c JOIN items i ON i.seq = c.item_seq
         WHERE i.deleted_at IS NULL AND EXISTS (
           SELECT 1 FROM json_each(iif(json_valid(c.settings), c.settings, '{}'), '$.knowledgeIds') WHERE value = ?)`,
        baseId,
      )?.n ?? 0,
  }
}
