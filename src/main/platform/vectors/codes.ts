import { AppError } from '../../errors.ts'
import { createKernel, maxMemory } from './kernel.ts'

/** Quantized vector for the search: one signed byte per dimension. */
export interface Code {
  /** -127 to 127; the largest value of the vector uses the full range. */
  readonly bytes: Int8Array
  /** Value of one step in the vector of length 1. */
  readonly scale: number
}

/** Code near a query. */
interface Near {
  /** Its index, in the order of insertion. */
  readonly place: number
  /** Approximate cosine from the codes: accurate to about a hundredth. */
  readonly score: number
}

/** Codes in one contiguous range of memory, scanned for each query: 25 to 40 million dimensions per millisecond. */
export interface Codes {
  readonly dimensions: number
  readonly count: number
  /** Bytes of memory. */
  readonly bytes: number
  /** Adds a code and returns its index. Throws LIMIT_EXCEEDED beyond 4 GiB. */
  add(code: Code): number
  /** Returns the code at an index as a view of the shared memory: use it immediately. */
  at(place: number): Code
  /** Returns the `most` nearest codes, best first. `allowed(place)` filters before the selection, so that `most` are found. */
  nearest(query: Float32Array, limit: number, allowed: (place: number) => boolean): Near[]
}

/** Codes scanned between two checks of their results: these fit the processor's cache. */
const batchSize = 4096

/** Quantizes a vector. A vector of zeros is near nothing. */
export function codeOf(vector: Float32Array, into = new Int8Array(vector.length)): Code {
  let maxAbs = 0
  let squares = 0
  for (const value of vector) {
    maxAbs = Math.max(maxAbs, Math.abs(value))
    squares += value * value
  }
  const factor = maxAbs === 0 ? 0 : 127 / maxAbs
  for (let at = 0; at < vector.length; at++) into[at] = Math.round((vector[at] ?? 0) * factor)
  return { bytes: into, scale: maxAbs === 0 ? 0 : maxAbs / 127 / Math.sqrt(squares) }
}

/** Creates storage for codes of this many dimensions, a multiple of 16. */
export function createCodes(dimensions: number): Codes {
  const queryAt = 0
  const dotsAt = dimensions * 2
  const codesAt = dotsAt + batchSize * 4
  const kernel = createKernel(codesAt)
  let scales = new Float32Array(1024)
  let count = 0

  const makeRoom = (): void => {
    const needed = codesAt + (count + 1) * dimensions
    if (needed > maxMemory - 65_536)
      throw new AppError('LIMIT_EXCEEDED', 'Too many vectors to search', {
        params: { what: 'vectors', limit: count },
      })
    const lacking = needed - kernel.memory.buffer.byteLength
    // A sixteenth more than needed: growing replaces the buffer, and would be expensive for each vector.
    if (lacking > 0)
      kernel.memory.grow(
        Math.min(
          Math.ceil((lacking + needed / 16) / 65_536),
          (maxMemory - kernel.memory.buffer.byteLength) / 65_536,
        ),
      )
    if (count < scales.length) return
    const more = new Float32Array(scales.length * 2)
    more.set(scales)
    scales = more
  }

  return {
    dimensions,
    get count() {
      return count
    },
    get bytes() {
      return kernel.memory.buffer.byteLength + scales.byteLength
    },
    add({ bytes, scale }) {
      makeRoom()
      new Int8Array(kernel.memory.buffer, codesAt + count * dimensions, dimensions).set(bytes)
      scales[count] = scale
      return count++
    },
    at: (place) => ({
      bytes: new Int8Array(kernel.memory.buffer, codesAt + place * dimensions, dimensions),
      scale: scales[place] ?? 0,
    }),
    nearest(query, limit, allowed) {
      if (limit < 1) return []
      const { bytes, scale } = codeOf(query)
      new Int16Array(kernel.memory.buffer, queryAt, dimensions).set(bytes)
      const best = createBest(limit)
      for (let first = 0; first < count; first += batchSize) {
        const some = Math.min(batchSize, count - first)
        kernel.dots(codesAt + first * dimensions, some, dimensions, queryAt, dotsAt)
        const dots = new Int32Array(kernel.memory.buffer, dotsAt, some)
        for (let at = 0; at < some; at++) {
          const score = (dots[at] ?? 0) * (scales[first + at] ?? 0) * scale
          if (score > best.minScore && allowed(first + at)) best.add({ place: first + at, score })
        }
      }
      return best.sorted()
    },
  }
}

/** Collects the best results: a heap with the worst of them on top. */
function createBest(limit: number) {
  const heap: Near[] = []
  const scoreAt = (at: number): number => heap[at]?.score ?? Infinity
  const swap = (a: number, b: number): void => {
    const [one, other] = [heap[a], heap[b]]
    if (one && other) [heap[a], heap[b]] = [other, one]
  }
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = at * 2 + 1
      const child = scoreAt(left + 1) < scoreAt(left) ? left + 1 : left
      if (scoreAt(child) >= scoreAt(at)) return
      swap(at, child)
      at = child
    }
  }
  const rise = (): void => {
    for (let at = heap.length - 1; at > 0 && scoreAt(at) < scoreAt((at - 1) >> 1);) {
      swap(at, (at - 1) >> 1)
      at = (at - 1) >> 1
    }
  }
  return {
    /** Score that a result must exceed to be included. */
    minScore: -Infinity,
    add(near: Near): void {
      if (heap.length < limit) {
        heap.push(near)
        rise()
      } else {
        heap[0] = near
        sink()
      }
      if (heap.length === limit) this.minScore = scoreAt(0)
    },
    sorted: (): Near[] => heap.toSorted((a, b) => b.score - a.score || a.place - b.place),
  }
}
