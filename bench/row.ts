/** One row of the table: our figure and the reference it is compared with, measured in the same run. */
export interface Row {
  readonly name: string
  readonly figure: number
  /** `ms`, `MB/s`, `calls/s`, `KB`... */
  readonly unit: string
  /** Reference of `ratio`, with its own figure: `empty Vue shell (62 ms)`, `budget 200 KB`. Empty if there is none. */
  readonly comparedWith: string
  /** Our figure divided by the reference; null without a reference. */
  readonly ratio: number | null
}

/** Export `bench` of each file of bench/: `npm run bench -- --only NAME` loads bench/NAME.ts. */
export interface Bench {
  readonly name: string
  run(): Promise<readonly Row[]>
}

/** The `q` quantile (0 to 1) of the samples, interpolated; throws on an empty list. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * Math.min(1, Math.max(0, q))
  const low = sorted[Math.floor(position)]
  const high = sorted[Math.ceil(position)]
  if (low === undefined || high === undefined) throw new Error('quantile of no samples')
  return low + (high - low) * (position - Math.floor(position))
}

/** The median of the samples; throws on an empty list. */
export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/** Duration of one call in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Number of repetitions for {@link medianTime}: first unmeasured, then measured. */
export interface Repeats {
  readonly warmUp?: number
  readonly runs?: number
}

/** Median milliseconds of `work` over `runs` calls (5), after `warmUp` unmeasured calls (1). */
export async function medianTime(work: () => unknown, repeats: Repeats = {}): Promise<number> {
  const { warmUp = 1, runs = 5 } = repeats
  for (let i = 0; i < warmUp; i++) await work()
  const samples: number[] = []
  for (let i = 0; i < runs; i++) samples.push(await timed(work))
  return median(samples)
}

/** A row whose ratio is our figure divided by a reference measured in the same run. */
export function against(
  row: Pick<Row, 'name' | 'figure' | 'unit'>,
  reference: string,
  figure: number,
): Row {
  const shown = Number(figure.toPrecision(3))
  return { ...row, comparedWith: `${reference} (${shown} ${row.unit})`, ratio: row.figure / figure }
}

/** A row without a reference. */
export function alone(row: Pick<Row, 'name' | 'figure' | 'unit'>): Row {
  return { ...row, comparedWith: '', ratio: null }
}

/** Prints the rows of a measured phase to stderr at once, so that a long benchmark that fails has already shown them. */
export function measured(rows: readonly Row[]): readonly Row[] {
  for (const { name, figure, unit } of rows)
    console.error(`  ${name}: ${figure.toPrecision(3)} ${unit}`)
  return rows
}
