import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { EntryKind, EntryOrder } from '../../../../../shared/model/library-entry.ts'
import { otherKinds } from '../../../../../shared/model/library-entry.ts'
import { itemKinds } from '../../../../../shared/model/library.ts'
import { entryKinds, listedOf, type Listed } from './entry-labels.ts'
import type { EntryNarrow, SearchNarrow } from '../search/use-search.ts'

/** Periods that can be chosen; `custom` is from one day to another. */
export const periods = ['any', 'today', 'week', 'month', 'year', 'custom'] as const

/** Filters of the Library as its controls store them. */
export interface LibraryFilter {
  readonly kind: EntryKind | ''
  readonly tag: string
  readonly starred: boolean
  readonly period: (typeof periods)[number]
  /** Days of a custom period as `2026-01-31` in local time; empty for none. */
  readonly from: string
  readonly to: string
  readonly order: EntryOrder
}

/** Filters and order of the list as main receives them. */
export type EntryFilter = Omit<RequestOf<'library.entries'>, 'cursor' | 'limit'>

/** Default filters: everything, newest first. */
export const noFilter: LibraryFilter = {
  kind: '',
  tag: '',
  starred: false,
  period: 'any',
  from: '',
  to: '',
  order: 'newest',
}

/** Returns the Unix milliseconds at which a local day begins; with `more` the next day, for its end. */
function dayAt(day: string, more: 0 | 1): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)
  if (!match) return undefined
  const [, year, month, date] = match
  // By calendar, not by hours: a day may have 23 of them.
  const at = new Date(Number(year), Number(month) - 1, Number(date) + more).getTime()
  return at >= 0 ? at : 0
}

/** Days of the periods that end now, the current one included. */
const periodDays = { today: 1, week: 7, month: 30, year: 365 } as const

function timesOf({ period, from, to }: LibraryFilter): Pick<EntryFilter, 'from' | 'to'> {
  if (period === 'any') return {}
  if (period !== 'custom') {
    const today = new Date(new Date().setHours(0, 0, 0, 0))
    return { from: today.setDate(today.getDate() + 1 - periodDays[period]) }
  }
  const [begin, end] = [dayAt(from, 0), dayAt(to, 1)]
  return { ...(begin !== undefined && { from: begin }), ...(end !== undefined && { to: end }) }
}

/** Returns the request to main: without a chosen kind, of the kinds listed in these ways; null for all. */
export function filterRequest(
  filter: LibraryFilter,
  listed: readonly Listed[] | null,
): EntryFilter {
  const { kind, tag, starred, order } = filter
  const kinds =
    kind !== '' ? [kind] : listed && entryKinds.filter((one) => listed.includes(listedOf(one)))
  return {
    order,
    ...(kinds && { kinds }),
    ...(tag !== '' && { tag }),
    ...(starred && { starred }),
    ...timesOf(filter),
  }
}

/** Returns the filter of the search in item texts; null if the filter excludes items. */
export function searchFilter({ kinds, from, to, tag, starred }: EntryFilter): SearchNarrow | null {
  const among = kinds && itemKinds.filter((kind) => kinds.includes(kind))
  if (among?.length === 0) return null
  return {
    ...(among && among.length < itemKinds.length && { kinds: among }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(tag !== undefined && { tag }),
    ...(starred && { starred }),
  }
}

/** Returns the filter of the search in entries that are not items; null if it excludes them, which have no star. */
export function entrySearchFilter({
  kinds,
  from,
  to,
  tag,
  starred,
}: EntryFilter): EntryNarrow | null {
  if (starred) return null
  const among = kinds && otherKinds.filter((kind) => kinds.includes(kind))
  if (among?.length === 0) return null
  return {
    ...(among && { kinds: among }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(tag !== undefined && { tag }),
  }
}
