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

interface Chunk {
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
  const chunks: Chunk[] = []
  let bufferedFrames = 0
  const length = (chunk: Chunk): number => chunk.samples.length / channels
  return {
    add(frame, samples) {
      const frames = samples.length / channels
      if (bufferedFrames + frames > capacity) return false
      chunks.push({ frame, samples })
      bufferedFrames += frames
      return true
    },
    next() {
      const [first] = chunks
      if (!first) return null
      const joined: Chunk[] = [first]
      let frames = length(first)
      for (const chunk of chunks.slice(1, 1 + Math.ceil(batch / length(first)))) {
        if (chunk.frame !== first.frame + frames || frames + length(chunk) > batch) break
        joined.push(chunk)
        frames += length(chunk)
      }
      const samples = new Int16Array(frames * channels)
      let at = 0
      for (const chunk of joined) {
        samples.set(chunk.samples, at)
        at += chunk.samples.length
      }
      return { frame: first.frame, samples }
    },
    forget(before) {
      let first = chunks[0]
      while (first && first.frame < before) {
        const end = first.frame + length(first)
        chunks.shift()
        bufferedFrames -= length(first)
        if (end > before) {
          const rest = {
            frame: before,
            samples: first.samples.subarray((before - first.frame) * channels),
          }
          chunks.unshift(rest)
          bufferedFrames += length(rest)
        }
        first = chunks[0]
      }
    },
    clear() {
      chunks.length = 0
      bufferedFrames = 0
    },
    get frames() {
      return bufferedFrames
    },
    get room() {
      return capacity - bufferedFrames
    },
  }
}
