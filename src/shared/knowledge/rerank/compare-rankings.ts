/** Comparison of two rankings of the same texts. */
interface Comparison {
  readonly rows: readonly ComparedRow[]
  /** Number of texts in both rankings. */
  readonly common: number
  /** Kendall's tau over the texts in both rankings: 1 same order, -1 reversed; null for fewer than two. */
  readonly tau: number | null
  /** Number of pairs of common texts in the same order in both, and in the opposite order. */
  readonly concordant: number
  readonly discordant: number
  /** Share of the first k texts that both rankings have in common, for each k that both reach. */
  readonly overlap: readonly { readonly k: number; readonly share: number }[]
}

/** One text in both rankings; ranks count from 0, null if it was not ranked. */
interface ComparedRow {
  readonly text: string
  readonly first: number | null
  readonly second: number | null
  /** Number of ranks it is higher in the second; negative: lower; null if one has no rank for it. */
  readonly up: number | null
  readonly firstScore: number | null
  readonly secondScore: number | null
}

/** A ranking to compare: its texts, best first. */
type ComparedList = readonly { readonly text: string; readonly score: number }[]

const depths = [1, 3, 5, 10, 20, 50, 100]

/** Compares two rankings by their texts; repeated texts are distinguished by their occurrence, best first. */
export function compareRankings(first: ComparedList, second: ComparedList): Comparison {
  const a = keyed(first)
  const b = keyed(second)
  const rows = [...new Set([...a.keys(), ...b.keys()])].map((key): ComparedRow => {
    const inFirst = a.get(key)
    const inSecond = b.get(key)
    return {
      text: inFirst?.text ?? inSecond?.text ?? '',
      first: inFirst?.rank ?? null,
      second: inSecond?.rank ?? null,
      up: inFirst && inSecond ? inFirst.rank - inSecond.rank : null,
      firstScore: inFirst?.score ?? null,
      secondScore: inSecond?.score ?? null,
    }
  })
  const common = rows.filter(({ up }) => up !== null)
  const order = common
    .toSorted((x, y) => (x.first ?? 0) - (y.first ?? 0))
    .map(({ second: rank }) => rank ?? 0)
  const discordant = inversions(order)
  const pairs = (order.length * (order.length - 1)) / 2
  const reach = Math.min(first.length, second.length)
  return {
    rows,
    common: common.length,
    tau: pairs === 0 ? null : (pairs - 2 * discordant) / pairs,
    concordant: pairs - discordant,
    discordant,
    overlap: depths
      .filter((k) => k <= reach)
      .map((k) => ({
        k,
        share: common.filter(({ first: x, second: y }) => (x ?? k) < k && (y ?? k) < k).length / k,
      })),
  }
}

interface Placed {
  readonly text: string
  readonly rank: number
  readonly score: number
}

function keyed(list: ComparedList): ReadonlyMap<string, Placed> {
  const seen = new Map<string, number>()
  const placed = new Map<string, Placed>()
  for (const [rank, { text, score }] of list.entries()) {
    const times = seen.get(text) ?? 0
    seen.set(text, times + 1)
    placed.set(`${times} ${text}`, { text, rank, score })
  }
  return placed
}

/** Counts the pairs in the wrong order by merging: n log n. */
function inversions(values: readonly number[]): number {
  if (values.length < 2) return 0
  const middle = values.length >> 1
  const left = values.slice(0, middle)
  const right = values.slice(middle)
  let count = inversions(left) + inversions(right)
  const low = left.toSorted((x, y) => x - y)
  const high = right.toSorted((x, y) => x - y)
  let at = 0
  for (const value of high) {
    while (at < low.length && (low[at] ?? 0) <= value) at += 1
    count += low.length - at
  }
  return count
}
