import type Database from 'better-sqlite3'
import { fold } from '../../../../shared/text/fold.ts'
import { holds } from '../../../../shared/text/locate.ts'
import type { Term } from '../../../../shared/text/query.ts'

/**
 * Number of newest messages sampled to estimate the frequency of a word, and of units read from the beginning of each.
 */
const sampled = 200
const sampledUnits = 4096
/** Number of new messages after which the sample is renewed. */
const outdatedAfter = 100

/**
 * Maximum number of UTF-16 units scanned for words that were not part of the index query: some 20 milliseconds among the
 * newest messages, which are adjacent, and fewer texts where other terms lead to scattered ones. Beyond that, the index is
 * queried for all words.
 */
const maxUnits = 1_000_000
const maxUnitsApart = 300_000
/** Minimum cost of reading a message, in units. */
export const minUnits = 400

interface Sample {
  readonly newest: number
  /** Folded texts, and their total number of units. */
  readonly texts: readonly string[]
  readonly units: number
}

const samples = new WeakMap<Database.Database, Sample>()

/**
 * Returns whether the index has to collect every word with this prefix. A single letter is indexed itself (`prefix='1'`), and
 * so is a whole word.
 */
export function isGathered(term: Term): boolean {
  const lastPart = term.parts.at(-1)
  return term.open && lastPart?.kind === 'word' && lastPart.text.length > 1
}

/** Returns the share of the newest messages, from 0 to 1, that contain a term. */
export function shareOf(db: Database.Database, term: Term): number {
  const { texts } = sampleOf(db)
  return texts.filter((text) => holds(text, term)).length / Math.max(1, texts.length)
}

/** Share of the newest messages from which on a prefix is not part of the index query. */
export const prefilterFrom = 0.02

/**
 * Number of sampled texts with the other terms from which on they determine how often the last term occurs with these.
 */
const fewest = 5

/** Terms of the index query (possibly none) instead of all terms, and the maximum number of units to scan. */
export interface Prefilter {
  readonly terms: readonly Term[]
  readonly maxUnits: number
}

/**
 * Returns the terms without the last one if that is the common prefix of many words (`th`): before its first row the index
 * collects every row of every such word, which takes a second where most of a million messages contain one. Scanning the
 * texts that the other terms find, or the newest ones, then takes a few milliseconds. Null if the index should be queried for
 * all terms: the prefix is rare, or so many results are wanted that the index is faster. `least` is the share of messages
 * from which on it counts as common.
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
