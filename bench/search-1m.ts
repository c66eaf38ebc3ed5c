import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../src/main/library-database/open.ts'
import { rebuildSearch } from '../src/main/domains/library/store/search-rebuild.ts'
import type { WorkerUrl } from '../src/main/deps.ts'
import { against, alone, measured, quantile, timed, type Bench, type Row } from './row.ts'
import { messageRows } from './search-1m/messages.ts'
import { queries, texts } from './search-1m/texts.ts'

/** Number of texts in the library. */
const size = 1_000_000
/** Runs of each query through the search worker; the scan runs once. */
const rounds = 5

const workerUrl: WorkerUrl = (worker) =>
  new URL(`../src/main/workers/${worker}.ts`, import.meta.url)

/**
 * Searches a million short texts, then a million chat messages, Chinese and English mixed, through the worker, compared with a
 * LIKE scan of the same texts.
 */
export const bench: Bench = {
  name: 'search-1m',
  run: async () => [...measured(await libraryRows()), ...measured(await messageRows())],
}

/** Builds the library in a temporary folder, measures, and removes it. */
async function libraryRows(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-search-1m-'))
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
    const built = build(join(home, 'library.db'))
    const store = await openStore(options)
    try {
      const first = await timed(() => store.search.search({ query: 'meeting', limit: 30 }))
      const durations: number[] = []
      for (let round = 0; round < rounds; round++) {
        for (const query of queries) {
          durations.push(await timed(() => store.search.search({ query, limit: 30 })))
        }
      }
      const scans = scan(join(home, 'library.db'))
      return table(first, durations, scans, built, store.size().database)
    } finally {
      await store.close()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Fills the tables in one transaction, then builds the index as a repair does. */
function build(path: string): { readonly seconds: number; readonly textBytes: number } {
  const started = performance.now()
  const db = new Database(path)
  db.pragma('synchronous = OFF')
  const next = texts()
  let textBytes = 0
  db.exec(
    `INSERT INTO media(id, sha256, bytes, mime, name, created_at) VALUES ('m', '', 0, 'audio/wav', 'm', 0)`,
  )
  const item = db.prepare(
    `INSERT INTO items(seq, id, kind, title, media_id, created_at, updated_at) VALUES (?, ?, 'meeting', ?, 'm', ?, ?)`,
  )
  const meeting = db.prepare(
    `INSERT INTO meetings(item_seq, source, state, channels, sample_rate, has_sound, analysed, account_id, prompt, hotwords)
     VALUES (?, 'import', 'stopped', '["mono"]', 16000, 1, '[0]', 'bench', '', '[]')`,
  )
  const line = db.prepare(
    `INSERT INTO meeting_lines(id, item_seq, channel, start_ms, end_ms, speaker_id, text, flags, model, account_name)
     VALUES (?, ?, 0, 0, 1000, 's', ?, '[]', 'bench', 'bench')`,
  )
  db.transaction(() => {
    for (let seq = 1; seq <= size; seq++) {
      const text = next()
      textBytes += Buffer.byteLength(text)
      item.run(seq, `i${seq}`, `${seq}`, seq, seq)
      meeting.run(seq)
      line.run(`l${seq}`, seq, text)
    }
  })()
  rebuildSearch(db)
  db.close()
  return { seconds: (performance.now() - started) / 1000, textBytes }
}

/** The same queries without an index: the newest 30 texts that contain every word. One pass each. */
function scan(path: string): readonly number[] {
  const db = new Database(path, { readonly: true })
  const durations = queries.map((query) => {
    const words = query.replaceAll('"', '').split(' ')
    const started = performance.now()
    db.prepare(
      `SELECT id FROM meeting_lines WHERE ${words.map(() => 'text LIKE ?').join(' AND ')} ORDER BY item_seq DESC LIMIT 30`,
    ).all(...words.map((word) => `%${word}%`))
    return performance.now() - started
  })
  db.close()
  return durations
}

function table(
  first: number,
  durations: readonly number[],
  scans: readonly number[],
  built: { readonly seconds: number; readonly textBytes: number },
  bytes: number,
): readonly Row[] {
  const mib = 2 ** 20
  const p50 = {
    name: 'search of a million items, p50',
    figure: quantile(durations, 0.5),
    unit: 'ms',
  }
  const p95 = {
    name: 'search of a million items, p95',
    figure: quantile(durations, 0.95),
    unit: 'ms',
  }
  const worst = {
    name: 'search of a million items, maximum',
    figure: Math.max(...durations),
    unit: 'ms',
  }
  return [
    against(p50, 'LIKE scan p50', quantile(scans, 0.5)),
    against(p95, 'LIKE scan p95', quantile(scans, 0.95)),
    against({ ...p95, name: 'search of a million items, p95, against the goal' }, 'goal', 50),
    against(worst, 'LIKE scan maximum', Math.max(...scans)),
    alone({ name: 'first search, with its worker starting', figure: first, unit: 'ms' }),
    against(
      { name: 'library file of a million items', figure: bytes / mib, unit: 'MiB' },
      'text alone',
      built.textBytes / mib,
    ),
    alone({ name: 'a million texts written and indexed', figure: built.seconds, unit: 's' }),
  ]
}
