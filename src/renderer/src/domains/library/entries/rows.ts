import { dayGroup } from '../../../i18n/format.ts'
import type { ItemSummary } from '../../../../../shared/model/library.ts'
import type { RowHeading } from '../../../kit/list-rows.ts'
import type { DocumentBrief } from '../../../../../shared/model/document.ts'
import { isRunning } from './parse-state.ts'
import { isWorking, needsUser } from './brief-state.ts'

/** A row of a list of items: a heading or an item. */
type ItemRow<T = ItemSummary> =
  | RowHeading
  | {
      readonly key: string
      readonly rem: number
      readonly heading: null
      readonly item: T
    }

/** Labels and heights of the rows. */
interface RowOptions<T = ItemSummary> {
  readonly now: number
  readonly language: string
  readonly itemRem: number | ((item: T) => number)
  readonly headingRem: number
  /** Returns the time by which an item is grouped. */
  at(item: T): number
  /** Returns the key of a row; defaults to its ID. */
  key?(item: T): string
  /** False for rows without headings. */
  readonly grouped?: boolean
  /** Whether an item is in the group of starred ones, which are the first of the list. */
  starred?(item: T): boolean
  /** Returns the heading of an item: its day or month by default; empty for none. */
  heading?(item: T): string
  t(key: string): string
}

/** Returns items under headings: of days and months, for items that are sorted by time; starred ones under their own. */
export function groupedRows<T extends { readonly id: string } = ItemSummary>(
  items: readonly T[],
  options: RowOptions<T>,
): ItemRow<T>[] {
  const rows: ItemRow<T>[] = []
  const headingOf =
    options.heading ??
    ((item: T) =>
      options.starred?.(item)
        ? options.t('organize.starred')
        : dayHeading(options.at(item), options))
  let last = ''
  for (const item of items) {
    const heading = options.grouped === false ? '' : headingOf(item)
    if (heading !== last && heading !== '')
      rows.push({ key: `heading ${heading} ${item.id}`, rem: options.headingRem, heading })
    last = heading
    const key = options.key?.(item) ?? item.id
    const { itemRem } = options
    const rem = typeof itemRem === 'number' ? itemRem : itemRem(item)
    rows.push({ key, rem, heading: null, item })
  }
  return rows
}

function dayHeading(
  at: number,
  { now, language, t }: Pick<RowOptions, 'now' | 'language' | 't'>,
): string {
  const group = dayGroup(at, now, language)
  if (group.kind === 'month') return group.label
  return t(`list.${group.kind === 'week' ? 'thisWeek' : group.kind}`)
}

/** Filter of the list of meetings. */
export type ListFilter = 'all' | 'working' | 'attention'

/** Whether an item matches a filter: `working` has running work, `attention` needs the user. */
export function fitsFilter(item: ItemSummary, filter: ListFilter): boolean {
  if (item.meeting && filter !== 'all')
    return filter === 'working' ? isWorking(item.meeting) : needsUser(item.meeting)
  if (item.document && filter !== 'all') return fitsDocument(item.document, filter)
  if (item.conversation && filter === 'working') return item.conversation.state !== 'idle'
  return filter === 'all'
}

function fitsDocument({ locked, state, counts }: DocumentBrief, filter: ListFilter): boolean {
  const running = state !== null && isRunning(state)
  if (filter === 'working') return running
  return locked || (!running && counts !== null && counts.returned < counts.asked)
}

const dayMs = 86_400_000
/** Days after which an item in Trash is deleted permanently. */
const binDays = 30

/** Returns the days left for an item in Trash; 0 if it is deleted today. */
export function daysLeft(item: ItemSummary, now: number): number {
  return Math.max(0, Math.ceil(((item.deletedAt ?? now) - now) / dayMs + binDays))
}
