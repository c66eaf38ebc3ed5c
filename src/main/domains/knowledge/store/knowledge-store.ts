import type { Connection } from '../../../platform/database/connection.ts'
import { type BaseMirror, baseMirror } from './knowledge-bases.ts'
import { type DocumentMirror, documentMirror } from './knowledge-documents.ts'
import { type ImageMirror, imageMirror } from './knowledge-images.ts'
import {
  type KnowledgeLog,
  type UploadStore,
  knowledgeLog,
  uploadStore,
} from './knowledge-uploads.ts'

/** The local mirror of knowledge bases. */
export interface KnowledgeStore {
  readonly bases: BaseMirror
  readonly documents: DocumentMirror
  readonly images: ImageMirror
  readonly uploads: UploadStore
  readonly log: KnowledgeLog
  /** Number of chats outside Trash that use a knowledge base. */
  chatsWith(baseId: string): number
}

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
