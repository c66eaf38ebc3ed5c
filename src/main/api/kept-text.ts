import { AppError } from '../errors.ts'

/** How much of a stream is kept as received, and how much is read at all, in characters. */
export interface TextBounds {
  readonly kept: number
  readonly most: number
}

/** A stream's text as received, gathered in pieces and joined once. */
export interface KeptText {
  /** Throws MALFORMED_REPLY when the stream is longer than any answer. */
  add(piece: string): void
  /** The text; where only its beginning was kept, an event-stream comment at its end says so. */
  join(): string
}

/** Starts an empty text. */
export function keepText(bounds: TextBounds): KeptText {
  const pieces: string[] = []
  let kept = 0
  let length = 0
  return {
    add(piece) {
      length += piece.length
      if (length > bounds.most)
        throw new AppError('MALFORMED_REPLY', 'The stream is longer than any answer.', {
          params: { reason: 'too-large', limit: bounds.most },
        })
      const room = bounds.kept - kept
      if (room <= 0) return
      pieces.push(piece.length <= room ? piece : piece.slice(0, room))
      kept += Math.min(room, piece.length)
    },
    join() {
      const text = pieces.join('')
      return length === kept
        ? text
        : `${text}\n\n: ${length - kept} characters more came and were not kept\n`
    },
  }
}
