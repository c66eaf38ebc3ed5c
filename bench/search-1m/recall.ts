import Database from 'better-sqlite3'
import type { Store } from '../../src/main/library-database/store.ts'
import { messagesInAll } from './messages-library.ts'
import { generator } from './texts.ts'

/** Number of terms of each length, from one to eight characters. */
const perLength = 5
/** Number of newest results of each term that are compared one by one. */
const compared = 1000

/** Results of Chinese terms compared with a LIKE scan of the same texts. */
export interface Recall {
  readonly terms: number
  readonly scanned: number
  /** Number of those that the search found too. */
  readonly found: number
}

/**
 * Searches terms drawn from the texts and counts results of the scan that the search misses. Throws if the search finds any the
 * scan does not.
 */
export async function recallOf(store: Store, path: string): Promise<Recall> {
  const db = new Database(path, { readonly: true })
  const like = db
    .prepare<[string, number], string>(
      `SELECT m.id FROM message_bodies b CROSS JOIN messages m ON m.seq = b.message_seq
       WHERE b.text LIKE ? ORDER BY b.message_seq DESC LIMIT ?`,
    )
    .pluck()
  const terms = drawTerms(db)
  let scanned = 0
  let found = 0
  for (const term of terms) {
    const expected = new Set(like.all(`%${term}%`, compared))
    const { hits } = await store.chats.search({ query: term, ranked: false, limit: compared })
    const foundIds = hits.map((hit) => hit.messageId)
    scanned += expected.size
    found += foundIds.filter((id) => expected.has(id)).length
    if (foundIds.some((id) => !expected.has(id)))
      throw new Error(`the scan does not find all hits of ${term}`)
  }
  db.close()
  return { terms: terms.length, scanned, found }
}

function drawTerms(db: Database.Database): readonly string[] {
  const random = generator(20260203)
  const read = db
    .prepare<[number], string>('SELECT text FROM message_bodies WHERE message_seq = ?')
    .pluck()
  const terms: string[] = []
  for (let length = 1; length <= 8; length++) {
    for (let drawn = 0; drawn < perLength;) {
      const text = read.get(1 + Math.floor(random() * messagesInAll)) ?? ''
      const runs = (text.match(/\p{Script=Han}+/gu) ?? []).filter((run) => run.length >= length)
      const run = runs[Math.floor(random() * runs.length)]
      if (run === undefined) continue
      const at = Math.floor(random() * (run.length - length + 1))
      terms.push(run.slice(at, at + length))
      drawn += 1
    }
  }
  return terms
}
