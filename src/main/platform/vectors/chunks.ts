import { createHash } from 'node:crypto'
import { estimateTokens } from '../../../shared/text/token-estimate.ts'

/** Part of an item with a location of its own: a line, a block, a message, a transcript. */
export interface TextPart {
  readonly id: string
  readonly text: string
  /** Page of a document, from 1. */
  readonly page?: number
}

export interface ChunkPart {
  readonly id: string
  /** Start in the chunk, and start of the included text in the part; UTF-16 units. */
  readonly start: number
  readonly from: number
  readonly page?: number
}

/** Text short enough to have a single topic, with its source. */
interface Chunk {
  readonly text: string
  readonly parts: readonly ChunkPart[]
  /** SHA-256 of the text, the key of the cache. */
  readonly hash: Buffer
  /** Whole number derived from the hash. */
  readonly digest: number
  /** Estimated tokens. */
  readonly tokens: number
}

/**
 * Maximum estimated tokens of a chunk: one or two paragraphs with a single topic. Far below the limits of both models
 * (service-notes 16: 512 and 3,072), and within the 4,096 characters that rerank accepts.
 */
const maxTokens = 280
/** Minimum letters of a text to embed: shorter ones are found by keyword search. */
const minLetters = 8
/**
 * Where a text is split, best first: at a line, after a sentence, after a clause, at a space. In a run of dots only the first
 * counts.
 */
const cuts = [
  /\n+/g,
  /(?<![.!?…])[.!?…]+["'”’)\]]*\s+|[。！？]+[”’」』）]*/g,
  /[,;:，；：、]\s*/g,
  /\s+/g,
]

/** Yields the chunks of an item. Groups (a minute, a page, a message) are never joined; parts of one group are, if they fit. */
export function* chunksOf(groups: Iterable<readonly TextPart[]>): Generator<Chunk> {
  for (const group of groups) {
    let text = ''
    let tokens = 0
    let parts: ChunkPart[] = []
    const close = function* (): Generator<Chunk> {
      if ((text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= minLetters)
        yield { text, parts, tokens, ...hashed(text) }
      ;[text, tokens, parts] = ['', 0, []]
    }
    for (const part of group) {
      /** End in this part of its text that is in the chunk; null if none is. */
      let end: number | null = null
      for (const fragment of fragmentsOf(part.text, maxTokens)) {
        if (tokens > 0 && tokens + fragment.tokens > maxTokens) {
          yield* close()
          end = null
        }
        if (end === null) {
          if (text !== '') text += '\n'
          const { id, page } = part
          parts.push({
            id,
            start: text.length,
            from: fragment.from,
            ...(page !== undefined && { page }),
          })
        } else text += part.text.slice(end, fragment.from)
        text += fragment.text
        tokens += fragment.tokens
        end = fragment.from + fragment.text.length
      }
    }
    yield* close()
  }
}

/** Returns the part of a chunk that contains a position, with the position in that part. */
export function partAt(
  parts: readonly ChunkPart[],
  offset: number,
): { readonly part: ChunkPart; readonly offset: number } | null {
  const part = parts.findLast(({ start }) => start <= offset) ?? parts[0]
  return part ? { part, offset: part.from + Math.max(0, offset - part.start) } : null
}

interface Fragment {
  readonly text: string
  readonly from: number
  readonly tokens: number
}

/** Splits a text into chunks of at most this many estimated tokens, without surrounding white space. */
function* fragmentsOf(text: string, max: number, from = 0, depth = 0): Generator<Fragment> {
  const lead = text.length - text.trimStart().length
  const trimmed = text.trim()
  if (trimmed === '') return
  // Tokens of a text that is certainly longer need not be counted: a token has at most 8 characters on average.
  const tokens = trimmed.length > max * 32 ? Infinity : estimateTokens(trimmed).likely
  if (tokens <= max) {
    yield { text: trimmed, from: from + lead, tokens }
    return
  }
  const cut = cuts[depth]
  if (!cut) {
    // Without a place to split at: a Chinese text of this length, or no text at all.
    for (let at = 0; at < text.length; at += max)
      yield* fragmentsOf(text.slice(at, at + max), max, from + at, depth)
    return
  }
  // Neighbors that fit together stay together.
  let start = 0
  let last = 0
  const flush = function* (end: number): Generator<Fragment> {
    yield* fragmentsOf(text.slice(start, end), max, from + start, depth + 1)
    start = end
  }
  let sum = 0
  for (const end of [
    ...Array.from(text.matchAll(cut), (found) => found.index + found[0].length),
    text.length,
  ]) {
    if (end === last) continue
    const { likely } = estimateTokens(text.slice(last, end))
    if (sum > 0 && sum + likely > max) {
      yield* flush(last)
      sum = 0
    }
    sum += likely
    last = end
  }
  yield* flush(text.length)
}

/** Bytes of the hash used for the digest: a whole number that JavaScript and SQLite both represent exactly. */
const digestBytes = 6

function hashed(text: string): Pick<Chunk, 'hash' | 'digest'> {
  const hash = createHash('sha256').update(text).digest()
  return { hash, digest: hash.readUIntBE(0, digestBytes) }
}
