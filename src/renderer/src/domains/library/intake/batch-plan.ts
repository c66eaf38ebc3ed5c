import type { Failure } from '../../../../../shared/contract/reply.ts'

/** A document of a batch. */
export interface BatchEntry {
  readonly id: string
  readonly title: string
  /** Index among the dropped files, for the original order. */
  readonly at: number
  /**
   * `planning`: not known yet; `ready`: can be sent; `locked`: its password is missing; `failed`: could not be planned or
   * started.
   */
  readonly state: 'planning' | 'ready' | 'locked' | 'failed'
  readonly pages: number
  readonly requests: number
  readonly failure: Failure | null
}

/** Sort orders of a batch. */
export const batchOrders = ['dropped', 'name', 'short'] as const
/** One of {@link batchOrders}. */
export type BatchOrder = (typeof batchOrders)[number]

/** Returns the totals of all documents that are ready. */
export function batchTotal(entries: readonly BatchEntry[]) {
  const ready = entries.filter(({ state }) => state === 'ready')
  const sum = (of: (one: BatchEntry) => number): number =>
    ready.reduce((all, one) => all + of(one), 0)
  return {
    documents: ready.length,
    pages: sum(({ pages }) => pages),
    requests: sum(({ requests }) => requests),
    locked: entries.filter(({ state }) => state === 'locked').length,
    planning: entries.some(({ state }) => state === 'planning'),
  }
}

/** Whether no document of a batch can be sent in its present state. */
export const isIdle = ({ documents, planning }: ReturnType<typeof batchTotal>): boolean =>
  documents === 0 && !planning

/** Returns the entries in another order; names sort naturally ("part 2" before "part 10"). */
export function ordered(
  entries: readonly BatchEntry[],
  order: BatchOrder,
  language: string,
): readonly BatchEntry[] {
  const names = new Intl.Collator(language, { numeric: true })
  return entries.toSorted((a, b) => {
    if (order === 'name') return names.compare(a.title, b.title) || a.at - b.at
    return (order === 'short' ? a.pages - b.pages : 0) || a.at - b.at
  })
}

/** Returns the entries with one moved up (-1) or down (1). */
export function moved(
  entries: readonly BatchEntry[],
  id: string,
  by: 1 | -1,
): readonly BatchEntry[] {
  const from = entries.findIndex((one) => one.id === id)
  const entry = entries[from]
  const to = from + by
  if (!entry || to < 0 || to >= entries.length) return entries
  return entries.toSpliced(from, 1).toSpliced(to, 0, entry)
}
