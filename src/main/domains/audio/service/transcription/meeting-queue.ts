import type { Segment } from '../../../../../shared/model/meeting.ts'
import type { MeetingStore, SegmentRecord } from '../../store/meetings-types.ts'
import { isHeld, isTranscribed } from '../../store/meetings-segments.ts'
import { planSegmentQueues, type Place } from './segment-queues.ts'
import { maxAttempts } from '../../../../work-queue/retry-policy.ts'

/** A queue that is being processed. */
export interface Run {
  readonly meetingId: string
  readonly channel: number
  readonly accountId: string
  /** Segments to transcribe, in chronological order, including those in flight. */
  readonly ids: string[]
  /** The segment in flight. */
  busy: string | null
  /** Unix ms before which nothing of this queue is sent. */
  blockedUntil: number
  /** Number of consecutive rate limit errors. */
  limited: number
  /** Whether this is another pass over transcribed segments, which has lower priority. */
  readonly again: boolean
}

/** The work on one meeting, as known to this process. */
export interface MeetingQueue {
  readonly id: string
  live: boolean
  accountId: string
  runs: Run[]
  /** Time at which each waiting segment may be sent, Unix ms. */
  readonly due: Map<string, number>
  /** All segments of the meeting by channel, in chronological order. */
  order: ReadonlyMap<number, readonly Segment[]>
  /** Growing number of its last sent segment: the meeting that waited longest is next. */
  turn: number
  /** Whether the rows may have changed. */
  stale: boolean
  /** Words learned from the user's corrections, and when (Unix ms): learning may take a while. */
  learned: { readonly at: number; readonly words: readonly string[] } | null
}

/** A new runner, not filled yet. */
export const newMeetingQueue = (id: string): MeetingQueue => ({
  id,
  live: false,
  accountId: '',
  runs: [],
  due: new Map(),
  order: new Map(),
  turn: 0,
  stale: true,
  learned: null,
})

/** Updates a runner from the rows: new work is appended to the last queue of its channel; without one it is planned. */
export function refresh(
  queue: MeetingQueue,
  store: MeetingStore,
  places: (accountId: string) => number,
): void {
  queue.stale = false
  const meeting = store.get(queue.id)
  if (!meeting || isHeld(meeting.error)) {
    queue.runs = []
    return
  }
  queue.live = meeting.state === 'recording' || meeting.state === 'paused'
  if (queue.accountId !== meeting.accountId) {
    queue.accountId = meeting.accountId
    // The segment in flight continues; those after it are for the other account.
    for (const run of queue.runs)
      if (!run.again) run.ids.splice(0, run.ids.length, ...(run.busy === null ? [] : [run.busy]))
  }
  queue.order = byChannel(store.segments(queue.id))
  // Segments can be older than the audio of an import.
  const written =
    meeting.state !== 'importing'
      ? Infinity
      : meeting.importProgress === null
        ? 0
        : meeting.durationMs
  const rows = store.work(queue.id, ['pending']).filter(({ endMs }) => endMs <= written)
  const pending = rows.filter(({ state }) => state === 'pending')
  const again = rows.filter((row) => row.again && isTranscribed(row.state) && !isOver(row))
  retainOnly(queue, new Set([...pending, ...again].map(({ id }) => id)))
  for (const row of [...pending, ...again]) queue.due.set(row.id, row.nextTryAt ?? 0)

  const known = new Set(queue.runs.flatMap((run) => run.ids))
  const fresh = pending.filter(({ id }) => !known.has(id))
  const none = !queue.runs.some((run) => isOwn(queue, run))
  if (none) queue.runs.push(...planned(queue, fresh, places(queue.accountId)))
  else for (const row of fresh) join(queue, row)
  for (const row of again) {
    if (known.has(row.id)) continue
    const accountId = row.again?.accountId ?? queue.accountId
    queue.runs.push({ ...emptyRun(queue, row.channel, accountId, true), ids: [row.id] })
  }
}

/** Whether another pass failed permanently: it is still wanted, and continues on request. */
const isOver = ({ attempts, error, nextTryAt }: SegmentRecord): boolean =>
  attempts >= maxAttempts && error !== null && nextTryAt === null

/** Whether a queue is for first transcriptions with the meeting's current account. */
export const isOwn = (queue: MeetingQueue, run: Run): boolean =>
  !run.again && run.accountId === queue.accountId

/** Splits the longest active queue if another slot is free; false if none is worth it. */
export function splitLongestRun(queue: MeetingQueue): boolean {
  const taken = queue.runs.filter((run) => isOwn(queue, run) && run.busy !== null)
  const longest = taken.toSorted((a, b) => b.ids.length - a.ids.length)[0]
  if (!longest || longest.ids.length < worthSplitting) return false
  const waiting = longest.ids.filter((id) => id !== longest.busy)
  const [first, second] = planSegmentQueues(placesOf(queue, waiting), 2)
  if (!first || !second) return false
  longest.ids.splice(0, longest.ids.length, ...(longest.busy ? [longest.busy] : []), ...first.ids)
  queue.runs.push({
    ...emptyRun(queue, longest.channel, longest.accountId, false),
    ids: second.ids,
  })
  return true
}

/** Minimum number of segments of a queue that is worth splitting. */
const worthSplitting = 9

/** IDs of the segments directly before and after another on its channel, and of simultaneous segments on other channels. */
export function placesAround(
  queue: MeetingQueue,
  segment: Pick<Segment, 'id' | 'channel' | 'startMs' | 'endMs'>,
): {
  readonly before: string | null
  readonly after: string | null
  readonly across: readonly string[]
} {
  const list = queue.order.get(segment.channel) ?? []
  const at = list.findIndex(({ id }) => id === segment.id)
  const across = Array.from(queue.order.entries())
    .filter(([channel]) => channel !== segment.channel)
    .flatMap(([, others]) => others)
    .filter(
      ({ startMs, endMs }) =>
        startMs < segment.endMs + acrossMs && endMs > segment.startMs - acrossMs,
    )
  return {
    before: at > 0 ? (list[at - 1]?.id ?? null) : null,
    after: at < 0 ? null : (list[at + 1]?.id ?? null),
    across: across.map(({ id }) => id),
  }
}

/** Tolerance in milliseconds, because times are estimated. */
const acrossMs = 4_000

/** Removes a segment from the runner. */
export function take(queue: MeetingQueue, segmentId: string): void {
  queue.due.delete(segmentId)
  for (const run of queue.runs) {
    const at = run.ids.indexOf(segmentId)
    if (at >= 0) run.ids.splice(at, 1)
  }
  queue.runs = queue.runs.filter((run) => run.ids.length > 0 || run.busy !== null)
}

function planned(queue: MeetingQueue, rows: readonly Place[], places: number): readonly Run[] {
  return planSegmentQueues(rows, places).map((lane) => ({
    ...emptyRun(queue, lane.channel, queue.accountId, false),
    ids: lane.ids,
  }))
}

function join(queue: MeetingQueue, row: SegmentRecord): void {
  const run = queue.runs.findLast((one) => isOwn(queue, one) && one.channel === row.channel)
  if (run) insert(queue, run.ids, row)
  else queue.runs.push({ ...emptyRun(queue, row.channel, queue.accountId, false), ids: [row.id] })
}

/** Inserts a segment in chronological order. */
function insert(queue: MeetingQueue, ids: string[], row: Place): void {
  const starts = new Map(placesOf(queue, ids).map(({ id, startMs }) => [id, startMs]))
  const at = ids.findIndex((id) => (starts.get(id) ?? 0) > row.startMs)
  ids.splice(at < 0 ? ids.length : at, 0, row.id)
}

function retainOnly(queue: MeetingQueue, wanted: ReadonlySet<string>): void {
  for (const run of queue.runs) {
    const remaining = run.ids.filter((id) => wanted.has(id) || id === run.busy)
    run.ids.splice(0, run.ids.length, ...remaining)
  }
  for (const id of queue.due.keys()) if (!wanted.has(id)) queue.due.delete(id)
  queue.runs = queue.runs.filter((run) => run.ids.length > 0 || run.busy !== null)
}

function placesOf(queue: MeetingQueue, ids: readonly string[]): readonly Segment[] {
  const wanted = new Set(ids)
  return Array.from(queue.order.values())
    .flat()
    .filter(({ id }) => wanted.has(id))
}

const emptyRun = (
  queue: MeetingQueue,
  channel: number,
  accountId: string,
  again: boolean,
): Omit<Run, 'ids'> => ({
  meetingId: queue.id,
  channel,
  accountId,
  busy: null,
  blockedUntil: 0,
  limited: 0,
  again,
})

function byChannel(segments: readonly Segment[]): ReadonlyMap<number, readonly Segment[]> {
  const channels = new Map<number, Segment[]>()
  for (const segment of segments) {
    const list = channels.get(segment.channel)
    if (list) list.push(segment)
    else channels.set(segment.channel, [segment])
  }
  return channels
}
