import type { Connection } from '../../../platform/database/connection.ts'
import { baseMirror } from './knowledge-bases.ts'
import { documentMirror } from './knowledge-documents.ts'
import { imageMirror } from './knowledge-images.ts'
import type { KnowledgeStore } from './knowledge-store-types.ts'
import { knowledgeLog, uploadStore } from './knowledge-uploads.ts'

/** The local mirror of knowledge bases. */
export function knowledgeStore(connection: Connection): KnowledgeStore {
  return {
    bases: baseMirror(connection),
    documents: documentMirror(connection),
    images: imageMirror(connection),
    uploads: uploadStore(connection),
    log: knowledgeLog(connection),
    chatsWith: (baseId) =>
      connection.get<{ readonly n: number }>(
        `SELECT count(*) AS n FROM conversations c JOIN items i ON i.seq = c.item_seq
         WHERE i.deleted_at IS NULL AND EXISTS (
           SELECT 1 FROM json_each(iif(json_valid(c.settings), c.settings, '{}'), '$.knowledgeIds') WHERE value = ?)`,
        baseId,
      )?.n ?? 0,
  }
}
