import type {
  MeetingJson,
  MeetingJsonHead,
  MeetingJsonList,
  MeetingJsonPage,
} from '../../../../shared/contract/meeting-json.ts'

/**
 * Maximum rows of a page, and their length as JSON, processed in one step of the main thread. A longer row gets a page of its
 * own.
 */
const pageRows = 200
const pageChars = 128 * 1024

/** Returns the short part of a meeting and the number of rows in its lists. */
export function headOf(json: MeetingJson): {
  readonly head: MeetingJsonHead
  readonly rows: number
} {
  const { speakers, segments, readings, lines, bookmarks, gaps, summaries, ...head } = json
  const lists = [speakers, segments, readings, lines, bookmarks, gaps, summaries]
  return { head, rows: lists.reduce((sum, { length }) => sum + length, 0) }
}

/** Yields the long parts of a meeting in pages; referenced rows come before the rows that refer to them. */
export function* jsonPages(json: MeetingJson): Generator<MeetingJsonPage, undefined> {
  yield* pagesOf(json, 'speakers')
  yield* pagesOf(json, 'segments')
  yield* pagesOf(json, 'readings')
  yield* pagesOf(json, 'lines')
  yield* pagesOf(json, 'bookmarks')
  yield* pagesOf(json, 'gaps')
  yield* pagesOf(json, 'summaries')
  return undefined
}

function* pagesOf<List extends MeetingJsonList>(
  json: MeetingJson,
  list: List,
): Generator<MeetingJsonPage> {
  const all: readonly MeetingJson[List][number][] = json[list]
  let from = 0
  let chars = 0
  for (const [at, row] of all.entries()) {
    const length = JSON.stringify(row).length
    if (at > from && (at - from >= pageRows || chars + length > pageChars)) {
      yield pageOf(list, all.slice(from, at))
      from = at
      chars = 0
    }
    chars += length
  }
  if (from < all.length) yield pageOf(list, all.slice(from))
}

/** Pairs a list's name with its rows, which the compiler cannot infer through the type parameter. */
const pageOf = <List extends MeetingJsonList>(
  list: List,
  rows: readonly MeetingJson[List][number][],
): MeetingJsonPage => ({ list, rows }) as unknown as MeetingJsonPage
