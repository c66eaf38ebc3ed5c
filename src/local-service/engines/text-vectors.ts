/** Returns the inner product, which is the cosine for unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Normalizes the vector to unit length, in place. */
export function unit<T extends Float32Array>(vector: T): T {
  const length = Math.sqrt(dot(vector, vector))
  if (length > 0) for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) / length
  return vector
}

/** Seed of the signs and positions below; another value results in an incompatible vector space. */
const seed = 0x5eed_2026

/** Generates a fixed sequence of uniform 32-bit integers (mulberry32). */
function generator(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return (value ^ (value >>> 14)) >>> 0
  }
}

/**
 * Applies the Walsh-Hadamard transform in place, preserving the length; the number of dimensions is a power of two.
 */
function hadamard(vector: Float32Array): void {
  const scale = 1 / Math.sqrt(vector.length)
  for (let half = 1; half < vector.length; half *= 2) {
    for (let start = 0; start < vector.length; start += 2 * half) {
      for (let i = start; i < start + half; i += 1) {
        const a = vector[i] ?? 0
        const b = vector[i + half] ?? 0
        vector[i] = a + b
        vector[i + half] = a - b
      }
    }
  }
  for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) * scale
}

/**
 * Projects a unit vector to another number of dimensions, again as a unit vector: random signs, Walsh-Hadamard
 * transform, and a random choice of positions if there are fewer. Cosines are preserved exactly if the number does not
 * shrink, and within about 0.15 from 512 to 256. The same number of dimensions leaves the vector unchanged.
 */
export function project(vector: Float32Array, dimensions: number): Float32Array<ArrayBuffer> {
  if (dimensions === vector.length) return Float32Array.from(vector)
  const size = 2 ** Math.ceil(Math.log2(Math.max(dimensions, vector.length)))
  const random = generator(seed)
  const spread = new Float32Array(size)
  for (let i = 0; i < vector.length; i += 1)
    spread[i] = random() & 1 ? (vector[i] ?? 0) : -(vector[i] ?? 0)
  hadamard(spread)
  if (size === dimensions) return unit(spread)
  return unit(Float32Array.from(chosen(size, dimensions, random), (place) => spread[place] ?? 0))
}

/** Returns `many` distinct positions below `size`, in ascending order (start of a Fisher-Yates shuffle). */
function chosen(size: number, many: number, random: () => number): Uint32Array {
  const places = Uint32Array.from({ length: size }, (_, i) => i)
  for (let i = 0; i < many; i += 1) {
    const j = i + (random() % (size - i))
    const swapped = places[j] ?? 0
    places[j] = places[i] ?? 0
    places[i] = swapped
  }
  return places.slice(0, many).toSorted()
}
