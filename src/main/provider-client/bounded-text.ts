import { AppError } from '../errors.ts'

/** Maximum number of characters of a stream to store, and to read at all. */
export interface TextBounds {
  readonly maxSaved: number
  readonly maxTotal: number
}

/** Raw text of a stream with the key masked, collected in chunks and joined once. */
interface SavedText {
  /** Throws MALFORMED_REPLY when the stream is longer than any answer. */
  add(chunk: string): void
  /** Returns the text. If only the beginning was stored, an event-stream comment at the end says so. */
  join(): string
}

/** Number of characters that are masked together: few enough to take a fraction of a frame. */
const maskChars = 64 * 1024

/**
 * Characters that are read beyond the stored text and then dropped, since a truncated secret is not recognized. No spelling
 * of a key is longer.
 */
const edgeChars = 8192

/**
 * Creates an empty text. It is masked as it arrives, in whole lines: a secret contains no line break, and masking many
 * megabytes at once would block the thread.
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
        throw new AppError('MALFORMED_REPLY', 'The stream exceeds the size limit.', {
          params: { reason: 'too-large', limit: bounds.maxTotal },
        })
      const room = bounds.maxSaved + edgeChars - held
      if (room <= 0) return
      const taken = chunk.length <= room ? chunk : chunk.slice(0, room)
      fresh += taken
      held += taken.length
      if (fresh.length < maskChars) return
      // Search only the new text: otherwise a line of megabytes would be searched again with every chunk.
      const lineEnd = taken.lastIndexOf('\n')
      if (lineEnd < 0) return
      const end = fresh.length - taken.length + lineEnd + 1
      chunks.push(mask(fresh.slice(0, end)))
      fresh = fresh.slice(end)
    },
    join() {
      // One flat string: a rope would be flattened again by every reader.
      const text = [...chunks, mask(fresh)].join('')
      if (length <= bounds.maxSaved) return text
      // A truncated secret is among the last characters and was not masked.
      const safe = length === held ? text.length : text.length - edgeChars
      const beginning = text.slice(0, Math.max(0, Math.min(bounds.maxSaved, safe)))
      return `${beginning}\n\n: ${length - beginning.length} more characters were received and not saved\n`
    },
  }
}
