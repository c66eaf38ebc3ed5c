import type { Failure } from '../../../../shared/contract/reply.ts'
import type { DocumentImage } from '../../../../shared/model/knowledge.ts'
import type { SliceImage } from '../../../../shared/model/slices.ts'
import { unsigned } from '../../../platform/security/unsigned.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { isDueSql } from '../../../platform/database/due.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import type { SliceStore } from './slices-types.ts'

/** Images in the slices of documents: as listed, with their download status. Their owner is the document. */
export type ImageMirror = SliceStore['images'] & {
  /** Null when they were never listed. */
  list(
    accountId: string,
    documentId: string,
  ): { readonly images: readonly DocumentImage[]; readonly seenAt: number } | null
  /** Saves a list; existing images stay, all others are to be fetched. */
  keep(
    accountId: string,
    documentId: string,
    images: readonly Pick<DocumentImage, 'text' | 'url'>[],
    at: number,
  ): void
}

interface Row {
  readonly key: string
  readonly state: SliceImage['state']
  readonly media_id: string | null
  readonly error: string | null
}

const ofDocument = 'account_id = ? AND document_id = ?'
const ofImage = `${ofDocument} AND key = ?`

/** Returns an image URL without its signature, which differs in each list. Other query parameters stay. */
function imageKey(url: string): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname, search } = new URL(unsigned(url))
  return `${origin}${pathname}${search}`
}

/** Images in the slices of documents: as listed, with their download status. */
export function imageMirror(connection: Connection): ImageMirror {
  return {
    list(accountId, documentId) {
      const listed = connection.get<{ readonly images: string; readonly seen_at: number }>(
        `SELECT images, seen_at FROM knowledge_images WHERE ${ofDocument}`,
        accountId,
        documentId,
      )
      if (!listed) return null
      const rows = new Map(
        connection
          .all<Row>(
            `SELECT key, state, media_id, error FROM knowledge_pictures WHERE ${ofDocument}`,
            accountId,
            documentId,
          )
          .map((row) => [row.key, row]),
      )
      const images = parsed<readonly { text: string; url: string }[]>(listed.images) ?? []
      const documentImages = images.map(({ text, url }): DocumentImage => {
        const row = rows.get(imageKey(url))
        return {
          text,
          url,
          state: row?.state ?? 'failed',
          mediaId: row?.media_id ?? null,
          error: parsed<Failure>(row?.error ?? null),
        }
      })
      return { images: documentImages, seenAt: listed.seen_at }
    },
    keep(accountId, documentId, images, at) {
      connection.transaction(() => {
        connection.run(
          'INSERT OR REPLACE INTO knowledge_images(account_id, document_id, images, seen_at) VALUES (?, ?, ?, ?)',
          accountId,
          documentId,
          JSON.stringify(images.map(({ text, url }) => ({ text, url }))),
          at,
        )
        const keys = images.map(({ url }) => imageKey(url))
        connection.run(
          `DELETE FROM knowledge_pictures WHERE ${ofDocument} AND key NOT IN (SELECT value FROM json_each(?))`,
          accountId,
          documentId,
          JSON.stringify(keys),
        )
        // Downloaded images stay; all others are retried under their new URL.
        for (const [n, { url }] of images.entries())
          connection.run(
            `INSERT INTO knowledge_pictures(account_id, document_id, key, url, state) VALUES (?, ?, ?, ?, 'waiting')
             ON CONFLICT(account_id, document_id, key) DO UPDATE SET url = excluded.url, attempts = 0, next_try_at = NULL,
               state = iif(media_id IS NULL, 'waiting', state)`,
            accountId,
            documentId,
            keys[n] ?? '',
            url,
          )
      })
    },
    waiting: (now, limit) =>
      connection
        .all<{
          account_id: string
          document_id: string
          url: string
          attempts: number
          next_try_at: number | null
        }>(
          `SELECT account_id, document_id, url, attempts, next_try_at FROM knowledge_pictures
           WHERE state = 'waiting' AND ${isDueSql('next_try_at')} ORDER BY next_try_at, document_id, key LIMIT ?`,
          now,
          now,
          limit,
        )
        .map((row) => ({
          accountId: row.account_id,
          owner: row.document_id,
          url: row.url,
          attempts: row.attempts,
          nextTryAt: row.next_try_at,
        })),
    nextTime: (after) =>
      connection.get<{ at: number | null }>(
        "SELECT min(next_try_at) AS at FROM knowledge_pictures WHERE state = 'waiting' AND next_try_at > ?",
        after,
      )?.at ?? null,
    fetched({ accountId, owner, url }, mediaId) {
      connection.run(
        `UPDATE knowledge_pictures SET state = 'kept', media_id = ?, error = NULL, next_try_at = NULL WHERE ${ofImage}`,
        mediaId,
        accountId,
        owner,
        imageKey(url),
      )
    },
    failed({ accountId, owner, url }, error, retryAt) {
      connection.run(
        `UPDATE knowledge_pictures SET state = iif(? IS NULL, 'failed', 'waiting'), attempts = attempts + 1, error = ?, next_try_at = ?
         WHERE ${ofImage} AND state <> 'kept'`,
        retryAt,
        JSON.stringify(error),
        retryAt,
        accountId,
        owner,
        imageKey(url),
      )
    },
  }
}
