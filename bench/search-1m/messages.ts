import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../src/main/library-database/open.ts'
import type { Store } from '../../src/main/library-database/store.ts'
import type { WorkerUrl } from '../../src/main/deps.ts'
import { against, alone, quantile, timed, type Row } from '../row.ts'
import { watchMainWork } from './main-work.ts'
import { savedLibrary, type Built } from './kept-library.ts'
import { buildMessages, messagesInAll } from './messages-library.ts'
import { recallOf } from './recall.ts'
import { queries, typed } from './texts.ts'

/** Runs of each query through the search worker; the scan runs once. */
const rounds = 5
/** Idle milliseconds before the main thread is watched, so that work left over from opening is done. */
const settledMs = 8000

const workerUrl: WorkerUrl = (worker) =>
  new URL(`../../src/main/workers/${worker}.ts`, import.meta.url)

/**
 * Searches a million messages in five thousand chats: newest and best results, the palette, main's work meanwhile, and missed
 * results.
 */
export async function messageRows(): Promise<readonly Row[]> {
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
    const path = join(home, 'library.db')
    const built = savedLibrary(path, messagesInAll, buildMessages)
    const store = await openStore(options)
    try {
      await new Promise((resolve) => setTimeout(resolve, settledMs))
      const figures = await measure(store)
      const scans = scan(path)
      const recall = await recallOf(store, path)
      return rowsOf({ ...figures, scans, built, recall, bytes: statSync(path).size })
    } finally {
      await store.close()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

interface Figures {
  readonly newest: readonly number[]
  readonly ranked: readonly number[]
  readonly palette: readonly number[]
  /** Times of newest and best results for every prefix of the typed text. */
  readonly typing: readonly number[]
  /** Longest uninterrupted work of main in milliseconds, while it also stores questions and answers. */
  readonly mainWork: number
}

async function measure(store: Store): Promise<Figures> {
  const newest: number[] = []
  const ranked: number[] = []
  const palette: number[] = []
  const typing: number[] = []
  await store.chats.search({ query: 'meeting', ranked: false, limit: 20 })
  const main = watchMainWork()
  for (let round = 0; round < rounds; round++) {
    for (const query of queries) {
      newest.push(await timed(() => store.chats.search({ query, ranked: false, limit: 20 })))
      ranked.push(await timed(() => store.chats.search({ query, ranked: true, limit: 20 })))
      palette.push(await timed(() => store.search.search({ query, limit: 30 })))
      addMessage(store, `${round}-${newest.length}`, query)
    }
  }
  for (const query of typed.flatMap(beginnings)) {
    for (const isRanked of [false, true])
      typing.push(await timed(() => store.chats.search({ query, ranked: isRanked, limit: 20 })))
    addMessage(store, `typed-${typing.length}`, query)
  }
  const mainWork = main.longest()
  main.stop()
  return { newest, ranked, palette, typing, mainWork }
}

const beginnings = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, n) => text.slice(0, n + 1))

/** Main's work during a search: stores a new question and makes it searchable. */
const addMessage = (store: Store, id: string, query: string): unknown =>
  store.chats.add({
    id,
    conversationId: 'c0',
    parentId: null,
    role: 'user',
    state: 'done',
    text: `${query} ${'and more to be said 以及更多要说的话 '.repeat(30)}`,
    attachments: [],
    streamId: null,
    settings: null,
    resentTurns: 0,
    at: Date.now(),
  })

/** The same queries without an index: one pass over all texts each, which rare terms and ranking need. */
function scan(path: string): readonly number[] {
  const db = new Database(path, { readonly: true })
  const durations = queries.map((query) => {
    const words = query.replaceAll('"', '').split(' ')
    const started = performance.now()
    db.prepare(
      `SELECT count(*) FROM message_bodies WHERE ${words.map(() => 'text LIKE ?').join(' AND ')}`,
    ).all(...words.map((word) => `%${word}%`))
    return performance.now() - started
  })
  db.close()
  return durations
}

function rowsOf(
  found: Figures & {
    readonly scans: readonly number[]
    readonly built: Built
    readonly recall: Awaited<ReturnType<typeof recallOf>>
    readonly bytes: number
  },
): readonly Row[] {
  const scanned = quantile(found.scans, 0.5)
  const mib = 2 ** 20
  const row = (what: string, q: number, figures: readonly number[]): Row =>
    against(
      { name: `${what}, p${q * 100}`, figure: quantile(figures, q), unit: 'ms' },
      'LIKE scan p50',
      scanned,
    )
  const byGoal = (name: string, figure: number, goal: number): Row =>
    against({ name: `${name}, against the goal`, figure, unit: 'ms' }, 'goal', goal)
  const { newest, ranked, palette, typing, recall } = found
  return [
    row('newest 20 of a million messages', 0.5, newest),
    byGoal('newest 20 of a million messages, p50', quantile(newest, 0.5), scanned / 50),
    row('newest 20 of a million messages', 0.95, newest),
    row('best 20 of a million messages', 0.5, ranked),
    byGoal('best 20 of a million messages, p50', quantile(ranked, 0.5), scanned / 10),
    row('best 20 of a million messages', 0.95, ranked),
    byGoal('newest and best, p95', quantile([...newest, ...ranked], 0.95), 50),
    byGoal('newest and best, typed letter by letter, p95', quantile(typing, 0.95), 50),
    row('palette over a million messages', 0.95, palette),
    byGoal("main's longest work while messages arrive and are searched", found.mainWork, 16),
    against(
      {
        name: `${recall.scanned} matches of ${recall.terms} Chinese terms, 1 to 8 characters, found`,
        figure: (100 * recall.found) / recall.scanned,
        unit: '%',
      },
      'LIKE scan',
      100,
    ),
    against(
      { name: 'library file of a million messages', figure: found.bytes / mib, unit: 'MiB' },
      'text only',
      found.built.textBytes / mib,
    ),
    alone({
      name: `${messagesInAll} messages written and indexed${found.built.reused ? ' (by an earlier run)' : ''}`,
      figure: found.built.seconds,
      unit: 's',
    }),
  ]
}
