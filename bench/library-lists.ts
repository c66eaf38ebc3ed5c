import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { WorkerUrl } from '../src/main/deps.ts'
import { itemKinds } from '../src/shared/model/library.ts'
import { otherKinds, otherTraits, type EntryKind } from '../src/shared/model/library-entry.ts'
import { openStore } from '../src/main/library-database/open.ts'
import { against, medianTime, type Bench, type Row } from './row.ts'

const items = 300_000
/** Kinds that the Library lists without being asked. */
const made: readonly EntryKind[] = [
  ...itemKinds,
  ...otherKinds.filter((kind) => otherTraits[kind].listed === 'always'),
]
const calls = 50_000

const workerUrl: WorkerUrl = (worker) =>
  new URL(`../src/main/workers/${worker}.ts`, import.meta.url)

/**
 * Measures list requests of a page to a library of 300,000 items and 50,000 activity entries, compared with the same answers
 * without counts and indexes.
 */
export const bench: Bench = {
  name: 'library-lists',
  async run() {
    const home = mkdtempSync(join(tmpdir(), 'lectern-library-lists-'))
    const quiet = () => undefined
    const options = {
      home,
      clock: () => Date.now(),
      workerUrl,
      log: { info: quiet, warn: quiet, error: quiet },
      appVersion: 'bench',
      checkAfterMs: 3_600_000,
    }
    try {
      await (await openStore(options)).close()
      const path = join(home, 'library.db')
      fillUp(path)
      const store = await openStore(options)
      const plain = new Database(path, { readonly: true })
      const text = 'no such text'
      const row = async (
        name: string,
        query: () => unknown,
        reference: string,
        sql: string,
      ): Promise<Row> => {
        const statement = plain.prepare(sql)
        const figure = await medianTime(query)
        return against(
          { name, figure, unit: 'ms' },
          reference,
          await medianTime(() => statement.all()),
        )
      }
      try {
        return [
          await row(
            'first page of 300,000 items, with their count',
            () => store.items.list({ bin: false, limit: 50 }),
            'counting them',
            'SELECT count(*) FROM items WHERE deleted_at IS NULL',
          ),
          await row(
            'first page of all entries',
            () => store.entries.list({ order: 'newest', limit: 50 }),
            'counting the items',
            'SELECT count(*) FROM items WHERE deleted_at IS NULL',
          ),
          await row(
            'first page of what the user made, without data of providers',
            () => store.entries.list({ order: 'newest', limit: 50, kinds: made }),
            'counting the items',
            'SELECT count(*) FROM items WHERE deleted_at IS NULL',
          ),
          await row(
            'the same by type',
            () => store.entries.list({ order: 'kind', limit: 50, kinds: made }),
            'counting the items',
            'SELECT count(*) FROM items WHERE deleted_at IS NULL',
          ),
          await row(
            'first page of all entries with a tag of 3,000 entries',
            () => store.entries.list({ order: 'newest', limit: 50, tag: 'rare' }),
            'counting the items',
            'SELECT count(*) FROM items WHERE deleted_at IS NULL',
          ),
          await row(
            'first page of one entry type in a date range, of 100,000 that are not items',
            () =>
              store.entries.list({
                order: 'newest',
                limit: 50,
                kinds: ['source'],
                from: 20_000,
                to: 60_000,
              }),
            'a full scan',
            `SELECT * FROM knowledge_documents NOT INDEXED WHERE first_seen_at BETWEEN 20000 AND 59999
             ORDER BY first_seen_at DESC LIMIT 51`,
          ),
          await row(
            'unused media',
            () => store.media.orphans(Date.now()),
            'a lookup of each in the items',
            'SELECT * FROM media WHERE NOT EXISTS (SELECT 1 FROM items WHERE media_id = media.id)',
          ),
          await row(
            'a text that is in none of 50,000 requests',
            () => store.activity.list({ text, limit: 50 }),
            'a scan of the rows',
            `SELECT * FROM activity NOT INDEXED WHERE sought LIKE '%${text}%'`,
          ),
        ]
      } finally {
        plain.close()
        await store.close()
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
}

/** Inserts rows in the size of a library that grew for years. */
function fillUp(path: string): void {
  const db = new Database(path)
  const numbers = (n: number): string =>
    `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${n})`
  db.exec(`BEGIN;
    ${numbers(items)} INSERT INTO media(id, sha256, bytes, mime, name, created_at)
      SELECT 'm' || x, '', 1, 'audio/wav', 'n', x FROM n;
    ${numbers(items)} INSERT INTO items(id, kind, title, media_id, created_at, updated_at)
      SELECT 'i' || x, 'meeting', 't' || x, 'm' || x, x, x FROM n;
    ${numbers(calls)} INSERT INTO activity(at, account_id, account_name, operation, method, path, model, outcome, queued_ms,
        duration_ms, bytes_sent, bytes_received, attempt, request_id, log_id)
      SELECT x, 'a', 'This computer', 'transcriptions.create', 'POST', '/paas/v4/audio/transcriptions', 'gen-asr-2512', 'ok', 0,
        1, 1, 1, 1, hex(randomblob(16)), hex(randomblob(16)) FROM n;
    INSERT INTO item_tags(item_seq, tag) SELECT seq, 'rare' FROM items WHERE seq % 100 = 0;
    ${numbers(100_000)} INSERT INTO knowledge_documents(account_id, base_id, id, name, separators, state, place, first_seen_at, seen_at)
      SELECT 'a', 'b' || (x % 50), 'd' || x, 'Document ' || x, '[]', 'done', x, x, x FROM n;
    ${numbers(20_000)} INSERT INTO runs(id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, input)
      SELECT 'r' || x, 'a', 'This computer', 'rerank', 'Run ' || x, 'done', 's', x, x, '{}' FROM n;
    COMMIT`)
  db.close()
}
