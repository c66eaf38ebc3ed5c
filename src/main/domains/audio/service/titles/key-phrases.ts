import { stemOf, wordTokens, type WordToken } from '../../../../../shared/text/content-words.ts'
import { commonWords } from '../../../../../shared/text/common-words.ts'

/** Maximum number of characters of a transcript that are read: what a meeting is about is said early. */
const maxChars = 20_000
/** Limits of a phrase: words, and UTF-16 units of a script with spaces and of Chinese. */
const limits = { words: 10, chars: 60, han: 24 } as const

/** End of a sentence, or of a part of it that can be a phrase of its own. */
const boundary = /(?<=[.!?…;:,])\s+|\s[-–—]+\s|[。！？；，、：…\n]+/u

/** A phrase with what makes it a title. */
interface Candidate {
  readonly text: string
  readonly stems: readonly string[]
  readonly score: number
}

/**
 * Returns the most informative short phrases of a transcript, best first, each as it was said: parts of sentences with many
 * of the words that recur in it. Empty for a transcript without any.
 */
export function keyPhrases(
  lines: readonly { readonly text: string }[],
  count: number,
): readonly string[] {
  const clauses = clausesOf(lines)
  const spread = new Map<string, number>()
  for (const { stems } of clauses)
    for (const stem of stems) spread.set(stem, (spread.get(stem) ?? 0) + 1)
  const weightOf = (stem: string): number => Math.log(1 + (spread.get(stem) ?? 0))
  const candidates = clauses
    .flatMap((clause, at) => candidatesOf(clause, weightOf, 1 + 0.3 * (1 - at / clauses.length)))
    .toSorted((a, b) => b.score - a.score)
  const chosen: Candidate[] = []
  for (const candidate of candidates) {
    if (chosen.length === count) break
    if (!chosen.some((other) => isAlike(candidate, other))) chosen.push(candidate)
  }
  return chosen.map(({ text }) => text.charAt(0).toUpperCase() + text.slice(1))
}

/** Part of a sentence. */
interface Clause {
  readonly text: string
  readonly tokens: readonly WordToken[]
  readonly stems: ReadonlySet<string>
  readonly isQuestion: boolean
}

function clausesOf(lines: readonly { readonly text: string }[]): readonly Clause[] {
  let chars = 0
  return lines.flatMap(({ text }) => {
    if (chars > maxChars) return []
    chars += text.length
    return text.split(boundary).map((part): Clause => {
      const tokens = wordTokens(part)
      return {
        text: part,
        tokens,
        stems: new Set(tokens.flatMap(({ keyword }) => (keyword === null ? [] : stemOf(keyword)))),
        isQuestion: /[?？]\s*$/u.test(part),
      }
    })
  })
}

/** Returns the phrases of a clause that begin and end with a word that means something. */
function candidatesOf(
  { text, tokens, isQuestion }: Clause,
  weightOf: (stem: string) => number,
  early: number,
): readonly Candidate[] {
  const begins = tokens.map((token) => canBegin(text, token))
  const ends = tokens.map((token, at) => begins[at] === true || canEnd(text, token))
  const first = begins.indexOf(true)
  if (first < 0) return []
  const last = ends.lastIndexOf(true)
  const longest = han.test(text) ? limits.han : limits.chars
  const found: Candidate[] = []
  for (let from = first; from <= last; from++) {
    const begin = tokens[from]
    if (!begin || begins[from] !== true) continue
    const stems = new Set<string>()
    let weight = 0
    for (let to = from; to <= last && to - from < limits.words; to++) {
      const end = tokens[to]
      if (!end || end.end - begin.start > longest) break
      const stem = end.keyword === null ? null : stemOf(end.keyword)
      if (stem !== null && !stems.has(stem)) {
        stems.add(stem)
        weight += weightOf(stem)
      }
      if (stems.size < 2 || ends[to] !== true) continue
      const phrase = text.slice(begin.start, end.end)
      // A phrase that a clause consists of reads better than one cut out of it.
      const whole = (from === first ? 1 : 0.75) * (to === last ? 1 : 0.75)
      const personal = person.test(phrase) ? 0.7 : 1
      const asked = isQuestion ? 0.8 : 1
      const score = (weight / Math.sqrt(to - from + 4)) * whole * personal * asked * early
      found.push({ text: phrase, stems: Array.from(stems), score })
    }
  }
  return found
}

const han = /\p{sc=Han}/u
/** Words of a conversation rather than of its subject. */
const person = /\b(?:I|you|me|my|your)\b|[我你]/iu

const isAbbreviation = (word: string): boolean =>
  /^(?=.*[\p{Lu}\p{N}])[\p{Lu}\p{N}.-]+$/u.test(word)

const canBegin = (text: string, { start, end, keyword }: WordToken): boolean =>
  keyword !== null || (end - start > 1 && isAbbreviation(text.slice(start, end)))

/** Fewer words are cut off at the end, where they complete a phrase: “the budget for next year”. */
function canEnd(text: string, token: WordToken): boolean {
  const word = text.slice(token.start, token.end)
  if (/^\p{N}+$/u.test(word)) return true
  return !han.test(word) && word.length > 3 && !commonWords['en']?.has(word.toLowerCase())
}

/** Whether two phrases have most of their words in common. */
function isAlike(one: Candidate, other: Candidate): boolean {
  const shared = one.stems.filter((stem) => other.stems.includes(stem)).length
  return shared * 2 > Math.min(one.stems.length, other.stems.length)
}
