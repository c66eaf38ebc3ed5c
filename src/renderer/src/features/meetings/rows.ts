import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { Flag, Line, Segment } from '../../../../shared/model/meeting.ts'

/** A row of the transcript; times in milliseconds of the meeting. */
export type TranscriptRow =
  | {
      readonly kind: 'line'
      readonly key: string
      readonly startMs: number
      readonly endMs: number
      readonly channel: number
      readonly line: Line
      /** The speaker is named here: another one spoke before. */
      readonly head: boolean
      /** Another engine heard the line before, or this is the first. */
      readonly engine: boolean
    }
  | {
      /** `wait`: not heard yet; `hole`: hearing failed; `silent`: heard, and there were no words. */
      readonly kind: 'wait' | 'hole' | 'silent'
      readonly key: string
      readonly startMs: number
      readonly endMs: number
      readonly channel: number
      readonly segmentIds: readonly string[]
      /** It is being heard now. */
      readonly isTranscribing: boolean
      /** Words of the answer that is still coming. */
      readonly text: string
      readonly error: Failure | null
    }

type RangeRow = Exclude<TranscriptRow, { kind: 'line' }>

/** A speaker is named again after a pause this long, in milliseconds. */
const longPauseMs = 120_000

/** The rows of a transcript in the order of time: lines by turns, and stretches without words in their places. */
export function transcriptRows(
  lines: readonly Line[],
  segments: readonly Segment[],
  partial: ReadonlyMap<string, string>,
): readonly TranscriptRow[] {
  const written = new Set(lines.map(({ segmentId }) => segmentId))
  const ranges = segments.flatMap((segment): RangeRow[] => {
    const kind = rangeKind(segment, written)
    // What was heard of a stretch that has its answer is only older.
    const text = kind === 'wait' ? (partial.get(segment.id) ?? '') : ''
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
    for (let next = ranges[at]; next && next.startMs < line.startMs; next = ranges[++at])
      put(next)
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
  return rows
}

function rangeKind(
  { id, state, versionId }: Segment,
  written: ReadonlySet<string | null>,
): RangeRow['kind'] | null {
  // Words that stand there stay while another engine listens again.
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

/** Stretches of one kind and channel that follow each other are one row: hours that wait are not hundreds of rows. */
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

/** Index of the row that is spoken at a moment: the last that begins before it; -1 in front of the first. */
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

/** Flags of a line its reader should look at: words that only stood twice over a seam are gone, and what the user wrote is right. */
export function flagsToCheck({ flags, edited }: Pick<Line, 'flags' | 'edited'>): readonly Flag[] {
  return edited ? [] : flags.filter((flag) => flag !== 'seam')
}

/** The lines of the turn that a row begins, or of the row alone when it does not begin one. */
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

/** A guess of a row's height in rem before it was measured; `charactersOfLine` counts letters. */
export function rowRem(row: TranscriptRow, charactersOfLine: number): number {
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
