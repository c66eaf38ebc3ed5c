/** Sums over rows of numbers, from which mean and covariance follow; several can be added. */
export interface Moments {
  readonly count: number
  readonly sum: Float64Array
  /** Sums of products, row by row, `size * size`. */
  readonly products: Float64Array
}

/** Computes the sums over these rows, each `size` numbers long. */
export function momentsOf(rows: readonly (readonly number[])[], size: number): Moments {
  const sum = new Float64Array(size)
  const products = new Float64Array(size * size)
  for (const row of rows)
    for (let i = 0; i < size; i++) {
      const value = row[i] ?? 0
      sum[i] = (sum[i] ?? 0) + value
      for (let j = 0; j < size; j++)
        products[i * size + j] = (products[i * size + j] ?? 0) + value * (row[j] ?? 0)
    }
  return { count: rows.length, sum, products }
}

/** Adds several sums; there must be at least one. */
export function joinMoments(all: readonly Moments[]): Moments {
  const size = all[0]?.sum.length ?? 0
  const sum = new Float64Array(size)
  const products = new Float64Array(size * size)
  let count = 0
  for (const each of all) {
    count += each.count
    for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + (each.sum[i] ?? 0)
    for (let i = 0; i < products.length; i++)
      products[i] = (products[i] ?? 0) + (each.products[i] ?? 0)
  }
  return { count, sum, products }
}

/** Added to each variance, so that identical rows do not have a variance of zero. */
const minVariance = 0.05

/**
 * Returns twice the mean negative log-likelihood, in nats and without constants, of rows under their best Gaussian: log
 * determinant.
 */
export function meanGaussian({ count, sum, products }: Moments): number {
  const size = sum.length
  const lower = new Float64Array(size * size)
  let logarithm = 0
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let value =
        (products[i * size + j] ?? 0) / count -
        ((sum[i] ?? 0) / count) * ((sum[j] ?? 0) / count) +
        (i === j ? minVariance : 0)
      for (let k = 0; k < j; k++) value -= (lower[i * size + k] ?? 0) * (lower[j * size + k] ?? 0)
      if (i === j) {
        const root = Math.sqrt(Math.max(value, 1e-9))
        lower[i * size + i] = root
        logarithm += 2 * Math.log(root)
      } else lower[i * size + j] = value / (lower[j * size + j] ?? 1)
    }
  return logarithm
}
