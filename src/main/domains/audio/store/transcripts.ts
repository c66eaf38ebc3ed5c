import type { Transcript } from '../../../../shared/model/library.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { rowsPerItem } from '../../../platform/database/search-numbers.ts'
import { putSearchRow } from '../../../platform/database/search-rows.ts'
import type { TranscriptStore } from '../../../library-database/types.ts'
import type { Clock } from '../../../deps.ts'
import { excerptOf } from '../../../platform/text/display-title.ts'

interface TranscriptRow {
  readonly id: string
  readonly item_id: string
  readonly text: string
  readonly state: Transcript['state']
  readonly model: string
  readonly account_id: string
  readonly account_name: string
  readonly request_id: string | null
  readonly notice: string | null
  readonly created_at: number
}

const select = `SELECT t.*, i.id AS item_id FROM transcripts t JOIN items i ON i.seq = t.item_seq`

/** Creates the store of transcripts; search rows and the item's excerpt are updated in the same transaction. */
export function transcriptStore(connection: Connection, clock: Clock): TranscriptStore {
  function numberOf(id: string, seq: number): number {
    const known = connection.get<{ item_seq: number; number: number }>(
      'SELECT item_seq, number FROM transcripts WHERE id = ?',
      id,
    )
    if (known && known.item_seq !== seq)
      throw new AppError('REFUSED', 'The transcript belongs to another item')
    if (known) return known.number
    const next =
      connection.get<{ next: number }>(
        'SELECT coalesce(max(number) + 1, 0) AS next FROM transcripts WHERE item_seq = ?',
        seq,
      )?.next ?? 0
    if (next >= rowsPerItem)
      throw new AppError('LIMIT_EXCEEDED', 'The recording has the maximum number of transcripts', {
        params: { limit: rowsPerItem, value: next },
      })
    return next
  }

  return {
    put(transcript) {
      connection.transaction(() => {
        const item = connection.get<{ seq: number; title: string }>(
          'SELECT seq, title FROM items WHERE id = ?',
          transcript.itemId,
        )
        if (!item) throw new AppError('NOT_FOUND', 'The item of this transcript does not exist')
        const number = numberOf(transcript.id, item.seq)
        connection.run(
          `INSERT INTO transcripts(id, item_seq, number, text, state, model, account_id, account_name, request_id, notice, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT(id) DO UPDATE SET text = excluded.text, state = excluded.state, model = excluded.model,
             account_id = excluded.account_id, account_name = excluded.account_name, request_id = excluded.request_id,
             notice = excluded.notice`,
          transcript.id,
          item.seq,
          number,
          transcript.text,
          transcript.state,
          transcript.model,
          transcript.accountId,
          transcript.accountName,
          transcript.requestId,
          transcript.notice,
          transcript.createdAt,
        )
        putSearchRow(connection, {
          seq: item.seq,
          number,
          title: item.title,
          text: transcript.text,
        })
        connection.run(
          'UPDATE items SET excerpt = ?, updated_at = ? WHERE seq = ?',
          newestExcerpt(connection, item.seq),
          clock(),
          item.seq,
        )
      })
    },
    grow(id, text) {
      connection.run('UPDATE transcripts SET text = ? WHERE id = ?', text, id)
    },
    get(id) {
      const row = connection.get<TranscriptRow>(`${select} WHERE t.id = ?`, id)
      return row && toTranscript(row)
    },
  }
}

/** Returns an item's transcripts, newest first. */
export function transcriptsOf(connection: Connection, itemId: string): readonly Transcript[] {
  return connection
    .all<TranscriptRow>(`${select} WHERE i.id = ? ORDER BY t.number DESC`, itemId)
    .map(toTranscript)
}

/** Returns the beginning of the newest transcript with text: a re-run without text yet does not clear the excerpt. */
function newestExcerpt(connection: Connection, seq: number): string {
  const row = connection.get<{ head: string }>(
    `SELECT substr(text, 1, 400) AS head FROM transcripts WHERE item_seq = ? AND text <> '' ORDER BY number DESC LIMIT 1`,
    seq,
  )
  return excerptOf(row?.head ?? '')
}

function toTranscript(row: TranscriptRow): Transcript {
  return {
    id: row.id,
    itemId: row.item_id,
    text: row.text,
    state: row.state,
    model: row.model,
    accountId: row.account_id,
    accountName: row.account_name,
    requestId: row.request_id,
    notice: row.notice,
    createdAt: row.created_at,
  }
}
