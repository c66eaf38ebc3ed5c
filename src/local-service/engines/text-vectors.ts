/** Inner product; the cosine where both are of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The vector made one long, in place. */
export function unit<T extends Float32Array>(vector: T): T {
  const length = Math.sqrt(dot(vector, vector))
  if (length > 0) for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) / length
  return vector
}

/** Seed of the signs and places below; another one gives vectors of another space. */
const seed = 0x5eed_2026

/** Uniform whole numbers of 32 bits, always the same ones (mulberry32). */
function generator(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return (value ^ (value >>> 14)) >>> 0
  }
}

/** The Walsh-Hadamard transform in place, its length kept; the length of the vector is a power of two. */
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
 * A unit vector in another number of dimensions, a unit vector again: random signs, Walsh-Hadamard transform, and a random
 * choice of places where fewer are asked for. Cosines are kept exactly when there are not fewer places than before, and within
 * about 0.15 when 512 become 256. The same dimensions leave the vector as it is.
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

/** So many different places of `size`, in rising order (the beginning of a Fisher-Yates shuffle). */
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
