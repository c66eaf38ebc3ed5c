import { AppError } from '../errors.ts'

/** How much of a stream is kept as received, and how much is read at all, in characters. */
export interface TextBounds {
  readonly maxSaved: number
  readonly maxTotal: number
}

/** A stream's text as received but for the key, gathered in pieces and joined once. */
export interface SavedText {
  /** Throws MALFORMED_REPLY when the stream is longer than any answer. */
  add(chunk: string): void
  /** The text; where only its beginning was kept, an event-stream comment at its end says so. */
  join(): string
}

/** Characters that wait to be masked together: small enough for a fraction of a frame. */
const maskChars = 64 * 1024

/**
 * Characters that are read beyond what is kept, and dropped: a secret that is cut in two is not recognised. No spelling of a
 * key is longer.
 */
const edgeChars = 8192

/**
 * Starts an empty text. It is masked while it comes, whole lines at a time: a secret has no line break, and masking many
 * megabytes at once would hold everything up.
 */
export function saveText(bounds: TextBounds, mask: (text: string) => string): SavedText {
  const chunks: string[] = []
  let fresh = ''
  let held = 0
  let length = 0
  return {
    add(chunk) {
      length += chunk.length
      if (length > bounds.maxTotal)
        throw new AppError('MALFORMED_REPLY', 'The stream is longer than any answer.', {
          params: { reason: 'too-large', limit: bounds.maxTotal },
        })
      const room = bounds.maxSaved + edgeChars - held
      if (room <= 0) return
      const taken = chunk.length <= room ? chunk : chunk.slice(0, room)
      fresh += taken
      held += taken.length
      if (fresh.length < maskChars) return
      // Looked for in what is new alone: a line of megabytes would be searched again with every piece.
      const lineEnd = taken.lastIndexOf('\n')
      if (lineEnd < 0) return
      const end = fresh.length - taken.length + lineEnd + 1
      chunks.push(mask(fresh.slice(0, end)))
      fresh = fresh.slice(end)
    },
    join() {
      // One flat text: a chained one would be flattened by whoever reads it, all over again.
      const text = [...chunks, mask(fresh)].join('')
      if (length <= bounds.maxSaved) return text
      // What was cut in two is among the last characters and was not masked.
      const safe = length === held ? text.length : text.length - edgeChars
      const beginning = text.slice(0, Math.max(0, Math.min(bounds.maxSaved, safe)))
      return `${beginning}\n\n: ${length - beginning.length} characters more came and were not kept\n`
    },
  }
}
