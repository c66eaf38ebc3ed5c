/** Sound that main has not confirmed yet, in the order of the timeline; holes between its pieces are gaps that were told. */
export interface Backlog {
  /** Adds samples (interleaved) at a frame; false when the memory it may use is full, and nothing was added. */
  add(frame: number, samples: Int16Array): boolean
  /** What to send next: from its first frame on, as many as follow without a hole, up to the batch. Null when empty. */
  next(): { readonly frame: number; readonly samples: Int16Array<ArrayBuffer> } | null
  /** Forgets everything before a frame. */
  forget(before: number): void
  clear(): void
  readonly frames: number
  /** Frames it would still take. */
  readonly room: number
}

interface Piece {
  readonly frame: number
  readonly samples: Int16Array
}

/** Builds one that keeps at most `capacity` frames and joins up to `batch` of them. */
export function createBacklog(options: {
  readonly channels: number
  readonly capacity: number
  readonly batch: number
}): Backlog {
  const { channels, capacity, batch } = options
  const pieces: Piece[] = []
  let kept = 0
  const length = (piece: Piece): number => piece.samples.length / channels
  return {
    add(frame, samples) {
      const frames = samples.length / channels
      if (kept + frames > capacity) return false
      pieces.push({ frame, samples })
      kept += frames
      return true
    },
    next() {
      const [first] = pieces
      if (!first) return null
      const joined: Piece[] = [first]
      let frames = length(first)
      for (const piece of pieces.slice(1, 1 + Math.ceil(batch / length(first)))) {
        if (piece.frame !== first.frame + frames || frames + length(piece) > batch) break
        joined.push(piece)
        frames += length(piece)
      }
      const samples = new Int16Array(frames * channels)
      let at = 0
      for (const piece of joined) {
        samples.set(piece.samples, at)
        at += piece.samples.length
      }
      return { frame: first.frame, samples }
    },
    forget(before) {
      let first = pieces[0]
      while (first && first.frame < before) {
        const end = first.frame + length(first)
        pieces.shift()
        kept -= length(first)
        if (end > before) {
          const rest = {
            frame: before,
            samples: first.samples.subarray((before - first.frame) * channels),
          }
          pieces.unshift(rest)
          kept += length(rest)
        }
        first = pieces[0]
      }
    },
    clear() {
      pieces.length = 0
      kept = 0
    },
    get frames() {
      return kept
    },
    get room() {
      return capacity - kept
    },
  }
}
