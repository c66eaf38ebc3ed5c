/** A reproducible sequence of vectors of one kind. */
export interface VectorSet {
  next(): Float32Array
}

/**
 * A generator of normally distributed numbers (xorshift and Box-Muller), precomputed into a table of millions that is read at
 * random positions.
 */
function normals(seed: number): { readonly table: Float32Array; readonly random: () => number } {
  let state = seed * 2_654_435_761 || 1
  const random = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const table = new Float32Array(1 << 22)
  for (let at = 0; at < table.length; at += 2) {
    const radius = Math.sqrt(-2 * Math.log(random() || 1e-9))
    const angle = 2 * Math.PI * random()
    table[at] = radius * Math.cos(angle)
    table[at + 1] = radius * Math.sin(angle)
  }
  return { table, random }
}

/** Adds two ranges of the table: there are as many results as pairs of positions, so that none repeats. */
function drawing({ table, random }: ReturnType<typeof normals>, dimensions: number) {
  const randomOffset = (): number => Math.floor(random() * (table.length - dimensions))
  return (into: Float32Array): void => {
    const [one, other] = [randomOffset(), randomOffset()]
    for (let at = 0; at < dimensions; at++)
      into[at] = ((table[one + at] ?? 0) + (table[other + at] ?? 0)) * Math.SQRT1_2
  }
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
  return vector
}

/**
 * Vectors as texts have them: two thousand topics, some much larger than others, in a space whose dimensions have unequal weight
 * (the n-th n^-0.4) and whose vectors share a common direction.
 */
export function clustered(dimensions: number, seed: number): VectorSet {
  const source = normals(seed)
  const draw = drawing(source, dimensions)
  const drawn = (): Float32Array => {
    const vector = new Float32Array(dimensions)
    draw(vector)
    return vector
  }
  const weight = Float32Array.from({ length: dimensions }, (_, at) => (at + 1) ** -0.4)
  const lean = drawn()
  const topics = Array.from({ length: 2000 }, drawn)
  return {
    next() {
      // Small numbers are more frequent: some topics have hundreds of texts, others a handful.
      const topic = topics[Math.floor(source.random() * source.random() * topics.length)]
      const vector = drawn()
      for (let at = 0; at < dimensions; at++)
        vector[at] =
          (weight[at] ?? 0) * (1.2 * (lean[at] ?? 0) + (topic?.[at] ?? 0) + 0.7 * (vector[at] ?? 0))
      return normalise(vector)
    },
  }
}

/** Uniformly distributed directions: the nearest of two hundred thousand is hardly nearer than the thousandth. */
export function uniform(dimensions: number, seed: number): VectorSet {
  const draw = drawing(normals(seed), dimensions)
  return {
    next() {
      const vector = new Float32Array(dimensions)
      draw(vector)
      return normalise(vector)
    },
  }
}
