import type { Segment } from '../../../../shared/model/meeting.ts'
import type { MeetingStore, SegmentRecord } from '../../../store/meetings-types.ts'
import { planSegmentQueues, type Place } from './segment-queues.ts'
import { sendings } from './plan.ts'

/** A lane while it is worked on. */
export interface Run {
  readonly meetingId: string
  readonly channel: number
  readonly accountId: string
  /** What is still to be heard, in the order of time; what is on its way is among it. */
  readonly ids: string[]
  /** On its way now. */
  busy: string | null
  /** Unix ms before which nothing of this lane is sent. */
  blockedUntil: number
  /** Refusals for the pace in a row. */
  limited: number
  /** Another pass over what was heard already: it comes after what was not. */
  readonly again: boolean
}

/** The work on one meeting, as far as this process knows it. */
export interface MeetingQueue {
  readonly id: string
  live: boolean
  accountId: string
  runs: Run[]
  /** When each waiting segment may be sent, Unix ms. */
  readonly due: Map<string, number>
  /** All segments of the meeting by channel, in the order of time. */
  order: ReadonlyMap<number, readonly Segment[]>
  /** When something of it was sent last, as a number that grows: the meeting that waited longest has the next turn. */
  turn: number
  /** The rows may have changed. */
  stale: boolean
  /** What the user's corrections taught, and when they were looked through (Unix ms): each may take a while. */
  learned: { readonly at: number; readonly words: readonly string[] } | null
}

/** An empty desk that is still to be filled. */
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

/** Brings a desk up to the rows: new work joins the last lane of its channel; without one it is planned. */
export function refresh(
  queue: MeetingQueue,
  store: MeetingStore,
  places: (accountId: string) => number,
): void {
  queue.stale = false
  const meeting = store.get(queue.id)
  // What came in by an archive rests until somebody says go on.
  if (!meeting || meeting.error?.code === 'LEFT_UNFINISHED') {
    queue.runs = []
    return
  }
  queue.live = meeting.state === 'recording' || meeting.state === 'paused'
  if (queue.accountId !== meeting.accountId) {
    queue.accountId = meeting.accountId
    // What is on its way goes on; what stood behind it is for the other account.
    for (const run of queue.runs)
      if (!run.again) run.ids.splice(0, run.ids.length, ...(run.busy === null ? [] : [run.busy]))
  }
  queue.order = byChannel(store.segments(queue.id))
  const rows = store.work(queue.id, ['pending'])
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

const isTranscribed = (state: SegmentRecord['state']): boolean =>
  state === 'done' || state === 'silent' || state === 'flagged'

/** Another pass that failed for good: it is wanted still, and goes on when somebody asks for it. */
const isOver = ({ attempts, error, nextTryAt }: SegmentRecord): boolean =>
  attempts >= sendings && error !== null && nextTryAt === null

/** True for a lane of first answers by the account the meeting has now. */
export const isOwn = (queue: MeetingQueue, run: Run): boolean =>
  !run.again && run.accountId === queue.accountId

/** Splits the longest lane that is worked on, when another place is free; false when none is worth it. */
export function splitLongestRun(queue: MeetingQueue): boolean {
  const taken = queue.runs.filter((run) => isOwn(queue, run) && run.busy !== null)
  const longest = taken.toSorted((a, b) => b.ids.length - a.ids.length)[0]
  if (!longest || longest.ids.length < worthSplitting) return false
  const waiting = longest.ids.filter((id) => id !== longest.busy)
  const [first, second] = planSegmentQueues(placesOf(queue, waiting), 2)
  if (!first || !second) return false
  longest.ids.splice(0, longest.ids.length, ...(longest.busy ? [longest.busy] : []), ...first.ids)
  queue.runs.push({ ...emptyRun(queue, longest.channel, longest.accountId, false), ids: second.ids })
  return true
}

/** Segments of a lane below which it is not worth splitting. */
const worthSplitting = 9

/** Ids of the segments directly in front of and behind another on its channel, and of those of other channels about its time. */
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

/** Times are estimated: what is this far away may be the same moment. */
const acrossMs = 4_000

/** Takes a segment off the desk. */
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

/** Puts a segment at its place in time. */
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
