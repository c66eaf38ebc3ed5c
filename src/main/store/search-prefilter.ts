import type Database from 'better-sqlite3'
import { fold } from '../../shared/text/fold.ts'
import { holds } from '../../shared/text/locate.ts'
import type { Term } from '../../shared/text/query.ts'

/** Newest messages whose beginnings tell how common a word is, and the units read of each. */
const sampled = 200
const sampledUnits = 4096
/** Messages that may come before the sample is taken anew. */
const outdatedAfter = 100

/**
 * UTF-16 units of texts that are looked through, at most, for words that the index was not asked for: some 20 milliseconds among the
 * newest messages, which lie side by side, and fewer where other terms lead to texts here and there. Beyond that the index is asked
 * for all words after all.
 */
const maxUnits = 1_000_000
const maxUnitsApart = 300_000
/** What reading a message takes, however short it is, in units. */
export const minUnits = 400

interface Sample {
  readonly newest: number
  /** Folded, and the units of all together. */
  readonly texts: readonly string[]
  readonly units: number
}

const samples = new WeakMap<Database.Database, Sample>()

/** Whether the index has to gather every word that begins so. One letter alone is in it as it is (`prefix='1'`), and so is a whole word. */
export function isGathered(term: Term): boolean {
  const lastPart = term.parts.at(-1)
  return term.open && lastPart?.kind === 'word' && lastPart.text.length > 1
}

/** The share of the newest messages, from 0 to 1, that hold a term. */
export function shareOf(db: Database.Database, term: Term): number {
  const { texts } = sampleOf(db)
  return texts.filter((text) => holds(text, term)).length / Math.max(1, texts.length)
}

/** Share of the newest messages from which on a beginning of words is not asked of the index. */
export const prefilterFrom = 0.02

/** Texts in the sample that hold the other terms, from which on it is told by them how often the last one goes with these. */
const fewest = 5

/** What the index is asked for instead of all terms, none where that is nothing, and how many units may be looked through. */
export interface Prefilter {
  readonly terms: readonly Term[]
  readonly maxUnits: number
}

/**
 * The terms without the last one, where that is the common beginning of many words (`th`): before its first row the index gathers
 * every row of every such word, which takes a second where most of a million messages hold one. To look into the texts that the other
 * terms find, or into the newest ones, takes a few milliseconds then. Null where the index should be asked for all: the beginning is
 * rare, or so many hits are wanted that the index is faster. `least` is the share of messages from which on it counts as common.
 */
export function prefilterOf(
  db: Database.Database,
  terms: readonly Term[],
  wanted: number,
  minShare: number,
): Prefilter | null {
  const last = terms.at(-1)
  if (!last || !isGathered(last)) return null
  const others = terms.slice(0, -1)
  const { texts, units } = sampleOf(db)
  const matching = texts.filter((text) => others.every((term) => holds(text, term)))
  const among = matching.length < fewest ? texts : matching
  const share = among.filter((text) => holds(text, last)).length / Math.max(1, among.length)
  const each = Math.max(minUnits, units / Math.max(1, texts.length))
  const unitLimit = others.length === 0 ? maxUnits : maxUnitsApart
  return share >= minShare && ((wanted + 1) / share) * each < unitLimit
    ? { terms: others, maxUnits: unitLimit }
    : null
}

function sampleOf(db: Database.Database): Sample {
  const newest =
    db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM messages').get()?.seq ?? 0
  const known = samples.get(db)
  if (known && newest >= known.newest && newest - known.newest < outdatedAfter) return known
  const texts = db
    .prepare<[number, number], string>(
      'SELECT substr(text, 1, ?) FROM message_bodies ORDER BY message_seq DESC LIMIT ?',
    )
    .pluck()
    .all(sampledUnits, sampled)
    .map(fold)
  const made = { newest, texts, units: texts.reduce((sum, text) => sum + text.length, 0) }
  samples.set(db, made)
  return made
}
