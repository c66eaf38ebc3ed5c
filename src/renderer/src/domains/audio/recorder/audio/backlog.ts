/** Audio that main has not confirmed yet, in timeline order; holes between its blocks are gaps that were reported. */
export interface Backlog {
  /** Adds samples (interleaved) at a frame; returns false, without adding, when the memory limit is reached. */
  add(frame: number, samples: Int16Array): boolean
  /** Next block to send: contiguous frames from the first one, up to the batch size. Null when empty. */
  next(): { readonly frame: number; readonly samples: Int16Array<ArrayBuffer> } | null
  /** Removes everything before a frame. */
  forget(before: number): void
  clear(): void
  readonly frames: number
  /** Number of frames that still fit. */
  readonly room: number
}

interface Chunk {
  readonly frame: number
  readonly samples: Int16Array
}

/** Creates a backlog of at most `capacity` frames that joins up to `batch` of them. */
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
