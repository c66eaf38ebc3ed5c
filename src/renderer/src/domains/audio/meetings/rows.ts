import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Bookmark, Flag, Line, Segment } from '../../../../../shared/model/meeting.ts'

/** A row of the transcript with the bookmarks set during it; times in milliseconds of the meeting. */
export type TranscriptRow = { readonly bookmarks?: readonly Bookmark[] } & (
  | {
      readonly kind: 'line'
      readonly key: string
      readonly startMs: number
      readonly endMs: number
      readonly channel: number
      readonly line: Line
      /** Whether the speaker is named here because another one spoke before. */
      readonly head: boolean
      /** Whether another engine transcribed the previous line, or this is the first. */
      readonly engine: boolean
    }
  | {
      /** `wait`: not transcribed yet; `hole`: transcription failed; `silent`: transcribed without any text. */
      readonly kind: 'wait' | 'hole' | 'silent'
      readonly key: string
      readonly startMs: number
      readonly endMs: number
      readonly channel: number
      readonly segmentIds: readonly string[]
      /** Whether it is being transcribed now. */
      readonly isTranscribing: boolean
      /** Text of the response received so far, or of the attempt that received most. */
      readonly text: string
      readonly error: Failure | null
    }
)

type RangeRow = Exclude<TranscriptRow, { kind: 'line' }>

/** Speech of a channel that has not ended, transcribed on this computer. */
export interface Preview {
  readonly channel: number
  readonly startMs: number
  readonly text: string
}

/** Pause after which a speaker is named again, in milliseconds. */
const longPauseMs = 120_000

/** Returns the rows of a transcript in order of time: lines by turns, and ranges without text at their positions. */
export function transcriptRows(
  lines: readonly Line[],
  segments: readonly Segment[],
  partial: ReadonlyMap<string, string>,
  bookmarks: readonly Bookmark[] = [],
  previews: readonly Preview[] = [],
): readonly TranscriptRow[] {
  const written = new Set(lines.map(({ segmentId }) => segmentId))
  const ranges = segments.flatMap((segment): RangeRow[] => {
    const kind = rangeKind(segment, written)
    // Partial text of a segment that has its final text is outdated.
    const text = kind === 'silent' ? '' : (partial.get(segment.id) ?? segment.partial ?? '')
    return kind ? [rangeRow(kind, segment, text)] : []
  })
  const rows: TranscriptRow[] = []
  let at = 0
  let engine: string | null = null
  const put = (row: RangeRow): void => {
    const last = rows.at(-1)
    if (last && canJoin(last, row)) rows[rows.length - 1] = joined(last, row)
    else rows.push(row)
  }
  for (const line of lines) {
    for (let next = ranges[at]; next && next.startMs < line.startMs; next = ranges[++at]) put(next)
    const before = rows.at(-1)
    const lineEngine = `${line.accountName}\n${line.model}`
    const sameTurn =
      before?.kind === 'line' &&
      before.line.speakerId === line.speakerId &&
      line.startMs - before.endMs < longPauseMs
    rows.push({
      kind: 'line',
      key: line.id,
      startMs: line.startMs,
      endMs: line.endMs,
      channel: line.channel,
      line,
      head: !sameTurn,
      engine: lineEngine !== engine,
    })
    engine = lineEngine
  }
  for (const row of ranges.slice(at)) put(row)
  for (const preview of previews) rows.push(previewRow(preview))
  return withBookmarks(rows, bookmarks)
}

/** Adds each bookmark to the row spoken at its time; to the first row if none was spoken yet. */
function withBookmarks(
  rows: readonly TranscriptRow[],
  bookmarks: readonly Bookmark[],
): readonly TranscriptRow[] {
  if (bookmarks.length === 0) return rows
  const placed = Map.groupBy(
    bookmarks.toSorted((a, b) => a.atMs - b.atMs),
    ({ atMs }) => Math.max(0, rowIndexAt(rows, atMs)),
  )
  return rows.map((row, index) => {
    const found = placed.get(index)
    return found ? { ...row, bookmarks: found } : row
  })
}

function rangeKind(
  { id, state, versionId }: Segment,
  written: ReadonlySet<string | null>,
): RangeRow['kind'] | null {
  // Existing text stays while another engine transcribes again.
  if (written.has(id)) return null
  if (state === 'silent') return 'silent'
  if (state === 'failed') return 'hole'
  if (versionId !== null) return null
  return state === 'pending' || state === 'inflight' ? 'wait' : null
}

function rangeRow(kind: RangeRow['kind'], segment: Segment, text: string): RangeRow {
  const { id, startMs, endMs, channel, error } = segment
  return {
    kind,
    key: `segment ${id}`,
    startMs,
    endMs,
    channel,
    segmentIds: [id],
    isTranscribing: segment.state === 'inflight',
    text,
    error,
  }
}

const previewRow = ({ channel, startMs, text }: Preview): RangeRow => ({
  kind: 'wait',
  key: `preview ${channel}`,
  startMs,
  endMs: startMs,
  channel,
  segmentIds: [],
  isTranscribing: true,
  text,
  error: null,
})

/** Whether consecutive ranges of one kind and channel can be one row: hours of waiting are not hundreds of rows. */
function canJoin(last: TranscriptRow, row: RangeRow): last is RangeRow {
  if (last.kind === 'line' || last.kind !== row.kind || last.channel !== row.channel) return false
  if (last.isTranscribing || row.isTranscribing || last.text !== '' || row.text !== '') return false
  return last.error?.code === row.error?.code
}

function joined(last: RangeRow, row: RangeRow): RangeRow {
  return {
    ...last,
    endMs: Math.max(last.endMs, row.endMs),
    segmentIds: [...last.segmentIds, ...row.segmentIds],
  }
}

/** Returns the index of the row spoken at a moment: the last that begins before it; -1 before the first. */
export function rowIndexAt(rows: readonly TranscriptRow[], atMs: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.startMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * Returns flags of a line that need review: duplicates at a seam were already removed, and text edited by the user is right.
 */
export function flagsToCheck({ flags, edited }: Pick<Line, 'flags' | 'edited'>): readonly Flag[] {
  return edited ? [] : flags.filter((flag) => flag !== 'seam')
}

/** Returns the lines of the turn that a row begins, or of the row alone if it does not begin one. */
export function turnLines(rows: readonly TranscriptRow[], index: number): readonly Line[] {
  const first = rows[index]
  if (first?.kind !== 'line') return []
  const lines = [first.line]
  for (let next = index + 1; first.head; next++) {
    const row = rows[next]
    if (row?.kind !== 'line' || row.head) break
    lines.push(row.line)
  }
  return lines
}

/** Characters that are twice as wide as a letter. */
const wide = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u

/** Estimates a row's height in rem before it is measured; `charactersOfLine` counts letters. */
export function rowRem(row: TranscriptRow, charactersOfLine: number): number {
  return textRem(row, charactersOfLine) + (row.bookmarks?.length ?? 0) * 1.5
}

function textRem(row: TranscriptRow, charactersOfLine: number): number {
  if (row.kind !== 'line') return row.text === '' ? 2 : 2.75
  const { text } = row.line
  const letters = text.length * (wide.test(text.slice(0, 24)) ? 2 : 1)
  const wrapped = Math.max(1, Math.ceil(letters / Math.max(10, charactersOfLine)))
  const notes = flagsToCheck(row.line).length > 0 ? 2 : 0
  return (
    wrapped * 1.5 +
    0.375 +
    (row.head ? 2 : 0) +
    ((row.engine && !row.head) || row.line.edited ? 1.125 : 0) +
    notes
  )
}
