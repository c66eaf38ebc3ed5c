/**
 * Janssen, Veldhuis and Vries (1986): replaces the samples at these positions (ascending) by those with the smallest prediction
 * error of an autoregressive model of the segment; model and samples are fitted in turn. Known bounds are kept: each sample is at
 * least as far from zero as before. Changes `piece`.
 */
export function interpolate(
  samples: Float64Array,
  places: readonly number[],
  order: number,
  rounds: number,
): void {
  const original = samples.slice()
  for (let round = 0; round < rounds; round++) {
    const weights = weightsOf(predictor(autocorrelation(samples, order)))
    let free = places
    // Samples on the wrong side of the clipping level return to it, and the others are computed again.
    for (let pass = 0; pass < passes && free.length > 0; pass++) {
      const found = solveFreeSamples(samples, free, weights)
      const remaining: number[] = []
      for (const [i, place] of free.entries()) {
        const [value, edge] = [found[i] ?? 0, original[place] ?? 0]
        const isPastEdge = edge > 0 ? value >= edge : value <= edge
        samples[place] = isPastEdge ? value : edge
        if (isPastEdge) remaining.push(place)
      }
      if (remaining.length === free.length) break
      free = remaining
    }
  }
}

const passes = 4

function autocorrelation(samples: Float64Array, order: number): Float64Array {
  return Float64Array.from({ length: order + 1 }, (_, lag) => {
    let sum = 0
    for (let i = lag; i < samples.length; i++) sum += (samples[i] ?? 0) * (samples[i - lag] ?? 0)
    return sum
  })
}

/** Returns the filter with the smallest prediction error (Levinson and Durbin); its first coefficient is 1. */
function predictor(correlation: Float64Array): Float64Array {
  const filter = new Float64Array(correlation.length)
  const before = new Float64Array(correlation.length)
  filter[0] = 1
  let left = (correlation[0] ?? 0) + 1e-12
  for (let i = 1; i < filter.length && left > 0; i++) {
    before.set(filter)
    let sum = 0
    for (let j = 0; j < i; j++) sum += (before[j] ?? 0) * (correlation[i - j] ?? 0)
    const reflection = -sum / left
    for (let j = 1; j <= i; j++) filter[j] = (before[j] ?? 0) + reflection * (before[i - j] ?? 0)
    left *= 1 - reflection * reflection
  }
  return filter
}

/** Returns the joint weight of two samples at each distance in the prediction error of the model. */
function weightsOf(filter: Float64Array): Float64Array {
  return filter.map((_, lag) => {
    let sum = 0
    for (let i = 0; i + lag < filter.length; i++) sum += (filter[i] ?? 0) * (filter[i + lag] ?? 0)
    return sum
  })
}

/** Solves for the free samples: a positive definite system that couples only neighbors, by banded Cholesky factorization. */
function solveFreeSamples(
  samples: Float64Array,
  free: readonly number[],
  weights: Float64Array,
): Float64Array {
  const order = weights.length - 1
  const width = weights.length
  const unknown = new Uint8Array(samples.length)
  for (const place of free) unknown[place] = 1
  const values = Float64Array.from(free, (place) => {
    let sum = 0
    const end = Math.min(samples.length - 1, place + order)
    for (let k = Math.max(0, place - order); k <= end; k++)
      if (unknown[k] === 0) sum -= (weights[Math.abs(place - k)] ?? 0) * (samples[k] ?? 0)
    return sum
  })
  const lower = new Float64Array(free.length * width)
  for (let i = 0; i < free.length; i++) {
    const first = Math.max(0, i - order)
    for (let j = first; j <= i; j++) {
      let value = weights[(free[i] ?? 0) - (free[j] ?? 0)] ?? 0
      if (i === j) value *= 1 + 1e-8
      for (let k = Math.max(first, j - order); k < j; k++)
        value -= (lower[i * width + i - k] ?? 0) * (lower[j * width + j - k] ?? 0)
      lower[i * width + i - j] =
        i === j ? Math.sqrt(Math.max(value, 1e-12)) : value / (lower[j * width] ?? 1)
    }
  }
  for (let i = 0; i < free.length; i++) {
    let value = values[i] ?? 0
    for (let k = Math.max(0, i - order); k < i; k++)
      value -= (lower[i * width + i - k] ?? 0) * (values[k] ?? 0)
    values[i] = value / (lower[i * width] ?? 1)
  }
  for (let i = free.length - 1; i >= 0; i--) {
    let value = values[i] ?? 0
    for (let k = i + 1; k < Math.min(free.length, i + width); k++)
      value -= (lower[k * width + k - i] ?? 0) * (values[k] ?? 0)
    values[i] = value / (lower[i * width] ?? 1)
  }
  return values
}
