import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../src/main/store/open.ts'
import { rebuildSearch } from '../src/main/store/search-rows.ts'
import type { WorkerUrl } from '../src/main/deps.ts'
import { against, alone, quantile, timed, type Bench, type Row } from './row.ts'

/** Texts in the library. */
const size = 1_000_000
/** Runs of each query through the search worker; the scan is asked once. */
const rounds = 5

/**
 * A mix of what people type: common and rare Chinese words, single characters, whole and half English words, two at once, and
 * words that are not there.
 */
const queries = [
  '时间',
  '会议',
  '芙蓉镇',
  '各种各样',
  '人工智能',
  '的',
  '鑫',
  '第3章',
  'AI时代',
  'meeting',
  'budget',
  'quarterly review',
  'perf',
  'th',
  'a',
  '时间 meeting',
  '会议 budget 预算',
  '"and the"',
  'zyzzyva',
  '麒麟阁',
] as const

const workerUrl: WorkerUrl = (worker) =>
  new URL(`../src/main/workers/${worker}.ts`, import.meta.url)

/** A million short texts, Chinese and English mixed: the time of a search through the worker, beside a LIKE scan of the same texts. */
export const bench: Bench = { name: 'search-1m', run }

/** Builds the library in a temporary folder, measures, removes it. */
async function run(): Promise<readonly Row[]> {
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
      const took: number[] = []
      for (let round = 0; round < rounds; round++) {
        for (const query of queries) {
          took.push(await timed(() => store.search.search({ query, limit: 30 })))
        }
      }
      const scans = scan(join(home, 'library.db'))
      return table(first, took, scans, built, store.size().database)
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
    `INSERT INTO items(seq, id, kind, title, media_id, created_at, updated_at) VALUES (?, ?, 'recording', ?, 'm', ?, ?)`,
  )
  const transcript = db.prepare(
    `INSERT INTO transcripts(id, item_seq, number, text, state, model, account_id, account_name, created_at)
     VALUES (?, ?, 0, ?, 'complete', 'bench', 'bench', 'bench', ?)`,
  )
  db.transaction(() => {
    for (let seq = 1; seq <= size; seq++) {
      const text = next()
      textBytes += Buffer.byteLength(text)
      item.run(seq, `i${seq}`, `${seq}`, seq, seq)
      transcript.run(`t${seq}`, seq, text, seq)
    }
  })()
  rebuildSearch(db)
  db.close()
  return { seconds: (performance.now() - started) / 1000, textBytes }
}

/** The same questions asked without an index: newest 30 texts that hold every word. One pass each. */
function scan(path: string): readonly number[] {
  const db = new Database(path, { readonly: true })
  const took = queries.map((query) => {
    const words = query.replaceAll('"', '').split(' ')
    const started = performance.now()
    db.prepare(
      `SELECT id FROM transcripts WHERE ${words.map(() => 'text LIKE ?').join(' AND ')} ORDER BY item_seq DESC LIMIT 30`,
    ).all(...words.map((word) => `%${word}%`))
    return performance.now() - started
  })
  db.close()
  return took
}

function table(
  first: number,
  took: readonly number[],
  scans: readonly number[],
  built: { readonly seconds: number; readonly textBytes: number },
  bytes: number,
): readonly Row[] {
  const mib = 2 ** 20
  const p50 = { name: 'search of a million, p50', figure: quantile(took, 0.5), unit: 'ms' }
  const p95 = { name: 'search of a million, p95', figure: quantile(took, 0.95), unit: 'ms' }
  const worst = { name: 'search of a million, worst', figure: Math.max(...took), unit: 'ms' }
  return [
    against(p50, 'LIKE scan p50', quantile(scans, 0.5)),
    against(p95, 'LIKE scan p95', quantile(scans, 0.95)),
    against({ ...p95, name: 'search of a million, p95 by goal' }, 'goal', 50),
    against(worst, 'LIKE scan worst', Math.max(...scans)),
    alone({ name: 'first search, with its worker starting', figure: first, unit: 'ms' }),
    against(
      { name: 'library file of a million', figure: bytes / mib, unit: 'MiB' },
      'text alone',
      built.textBytes / mib,
    ),
    alone({ name: 'a million texts written and indexed', figure: built.seconds, unit: 's' }),
  ]
}

/**
 * Texts of some 90 characters, two thirds Chinese. Words are drawn with the frequencies of language (a few very common, a long tail),
 * from a seeded generator: every run builds the same library.
 */
function texts(): () => string {
  const random = generator(20260107)
  const pick = (words: readonly string[]): string => {
    // Zipf-like: the square pulls towards the head of the list.
    const at = Math.floor(random() ** 3 * words.length)
    return words[at] ?? ''
  }
  const chinese = chineseWords(random)
  const english = englishWords(random)
  return () => {
    const parts: string[] = []
    let length = 0
    const mostlyChinese = random() < 0.65
    while (length < 90) {
      const useChinese = random() < (mostlyChinese ? 0.92 : 0.08)
      const word = useChinese ? pick(chinese) : ` ${pick(english)} `
      parts.push(random() < 0.08 ? `${word}${useChinese ? '，' : ','}` : word)
      // A Chinese character carries about as much as two letters.
      length += useChinese ? word.length * 2 : word.length
    }
    return parts.join('').replace(/ +/g, ' ').trim()
  }
}

function chineseWords(random: () => number): readonly string[] {
  const common = Array.from('的了是在我有和人这中大来上个国到说们为子时要你就出会可也')
  const known = [
    '时间',
    '会议',
    '预算',
    '项目',
    '人工智能',
    'AI时代',
    '共产党',
    '各种各样',
    '第3章',
  ]
  const made = Array.from({ length: 30_000 }, () =>
    String.fromCodePoint(
      ...Array.from(
        { length: 2 + Math.floor(random() * 2.3) },
        () => 0x4e00 + Math.floor(random() ** 2 * 6000),
      ),
    ),
  )
  const rare = ['芙蓉镇', '鑫', '芙蓉']
  return [...common, ...known, ...made, ...rare]
}

function englishWords(random: () => number): readonly string[] {
  const common =
    'the of and to a in is it you that he was for on are with as his they at be this have from or one had by word but not what all were we when your can said there use an each which she do how their if will'.split(
      ' ',
    )
  const known =
    'meeting budget review quarterly performance function perfect period people project team time'.split(
      ' ',
    )
  const syllables =
    'an ber cor den el fin gra hol im jun kel lo mer nor or pel qua ren sol tem ul ver wil xen yor zan'.split(
      ' ',
    )
  const made = Array.from({ length: 20_000 }, () =>
    Array.from(
      { length: 2 + Math.floor(random() * 3) },
      () => syllables[Math.floor(random() * syllables.length)] ?? '',
    ).join(''),
  )
  return [...common, ...known, ...made]
}

/** A small seeded generator (mulberry32): numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
