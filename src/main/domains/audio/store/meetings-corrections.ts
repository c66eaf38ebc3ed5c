import { diffArrays } from 'diff'
import { textUnits } from '../../../../shared/text/cut.ts'
import { foldWithOffsets } from '../../../../shared/text/fold.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { segmentLines } from './meetings-lines.ts'
import { textOf } from './meetings-segments.ts'

/** Longer replacements are rewritten sentences, not transcription errors. */
const maxPairLength = 6
/**
 * Maximum number of changed words in a segment: a text with more was written, not corrected, and comparing it takes seconds.
 */
const maxChanges = 500
/** Number of segments inspected per requested pair. */
const segmentsEach = 4

/** One replacement: the transcribed words and the user's words. */
interface Correction {
  readonly heard: string
  readonly corrected: string
}

/**
 * Returns what the user replaced in a meeting's lines, newest edit first, by comparing each segment's transcription with its
 * current lines.
 */
export function correctionsOf(
  connection: Connection,
  seq: number,
  limit: number,
): readonly Correction[] {
  const edited = connection.all<{ segment_id: string; text: string }>(
    `SELECT l.segment_id, r.text FROM meeting_lines l
     JOIN meeting_segments s ON s.id = l.segment_id JOIN meeting_readings r ON r.id = s.reading_id
     WHERE l.item_seq = ? AND l.edited_at IS NOT NULL
     GROUP BY l.segment_id ORDER BY max(l.edited_at) DESC LIMIT ?`,
    seq,
    limit * segmentsEach,
  )
  const pairs = new Map<string, Correction>()
  for (const { segment_id, text } of edited) {
    for (const pair of replaced(text, textOf(segmentLines(connection, segment_id)))) {
      const key = `${pair.heard}\n${pair.corrected}`
      if (!pairs.has(key)) pairs.set(key, pair)
      if (pairs.size === limit) return Array.from(pairs.values())
    }
  }
  return Array.from(pairs.values())
}

/** Returns the replaced words in reading order. */
export function replaced(transcribed: string, corrected: string): readonly Correction[] {
  const found: Correction[] = []
  const changes = diffArrays(wordsOf(transcribed), wordsOf(corrected), {
    comparator: (one, other) => one.folded === other.folded,
    maxEditLength: maxChanges,
  })
  if (!changes) return []
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1]
    if (!change.removed || !next?.added) continue
    if (change.value.length > maxPairLength || next.value.length > maxPairLength) continue
    const from = slice(transcribed, change.value)
    const to = slice(corrected, next.value)
    if (from !== to) found.push({ heard: from, corrected: to })
  }
  return found
}

interface Word {
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** Splits a text into words, and scripts without spaces into characters. */
function wordsOf(text: string): Word[] {
  const folded = foldWithOffsets(text)
  const words: Word[] = []
  const add = (part: string, at: number): void => {
    words.push({
      folded: part,
      start: folded.starts[at] ?? 0,
      end: folded.ends[at + part.length - 1] ?? 0,
    })
  }
  for (const token of textUnits(folded.text)) {
    if (token.kind === 'word') add(token.text, token.start)
    else {
      let at = token.start
      for (const character of token.text) {
        add(character, at)
        at += character.length
      }
    }
  }
  return words
}

const slice = (text: string, words: readonly Word[]): string =>
  text.slice(words[0]?.start ?? 0, words.at(-1)?.end ?? 0)
