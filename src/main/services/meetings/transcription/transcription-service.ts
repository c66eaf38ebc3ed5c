import type { Segment } from '../../../../shared/model/meeting.ts'
import type { MeetingStore, SegmentRecord } from '../../../store/meetings-types.ts'
import { planQueues, type Place } from './lanes.ts'
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
export interface AnswerRunner {
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
export const newSetup = (id: string): AnswerRunner => ({
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
  desk: AnswerRunner,
  store: MeetingStore,
  places: (accountId: string) => number,
): void {
  desk.stale = false
  const meeting = store.get(desk.id)
  // What came in by an archive rests until somebody says go on.
  if (!meeting || meeting.error?.code === 'LEFT_UNFINISHED') {
    desk.runs = []
    return
  }
  desk.live = meeting.state === 'recording' || meeting.state === 'paused'
  if (desk.accountId !== meeting.accountId) {
    desk.accountId = meeting.accountId
    // What is on its way goes on; what stood behind it is for the other account.
    for (const run of desk.runs)
      if (!run.again) run.ids.splice(0, run.ids.length, ...(run.busy === null ? [] : [run.busy]))
  }
  desk.order = byChannel(store.segments(desk.id))
  const rows = store.work(desk.id, ['pending'])
  const pending = rows.filter(({ state }) => state === 'pending')
  const again = rows.filter((row) => row.again && isTranscribed(row.state) && !isOver(row))
  retainOnly(desk, new Set([...pending, ...again].map(({ id }) => id)))
  for (const row of [...pending, ...again]) desk.due.set(row.id, row.nextTryAt ?? 0)

  const known = new Set(desk.runs.flatMap((run) => run.ids))
  const fresh = pending.filter(({ id }) => !known.has(id))
  const none = !desk.runs.some((run) => isOwn(desk, run))
  if (none) desk.runs.push(...planned(desk, fresh, places(desk.accountId)))
  else for (const row of fresh) join(desk, row)
  for (const row of again) {
    if (known.has(row.id)) continue
    const accountId = row.again?.accountId ?? desk.accountId
    desk.runs.push({ ...emptyRun(desk, row.channel, accountId, true), ids: [row.id] })
  }
}

const isTranscribed = (state: SegmentRecord['state']): boolean =>
  state === 'done' || state === 'silent' || state === 'flagged'

/** Another pass that failed for good: it is wanted still, and goes on when somebody asks for it. */
const isOver = ({ attempts, error, nextTryAt }: SegmentRecord): boolean =>
  attempts >= sendings && error !== null && nextTryAt === null

/** True for a lane of first answers by the account the meeting has now. */
export const isOwn = (desk: AnswerRunner, run: Run): boolean =>
  !run.again && run.accountId === desk.accountId

/** Splits the longest lane that is worked on, when another place is free; false when none is worth it. */
export function splitMax(desk: AnswerRunner): boolean {
  const taken = desk.runs.filter((run) => isOwn(desk, run) && run.busy !== null)
  const longest = taken.toSorted((a, b) => b.ids.length - a.ids.length)[0]
  if (!longest || longest.ids.length < worthSplitting) return false
  const waiting = longest.ids.filter((id) => id !== longest.busy)
  const [first, second] = planQueues(placesOf(desk, waiting), 2)
  if (!first || !second) return false
  longest.ids.splice(0, longest.ids.length, ...(longest.busy ? [longest.busy] : []), ...first.ids)
  desk.runs.push({ ...emptyRun(desk, longest.channel, longest.accountId, false), ids: second.ids })
  return true
}

/** Segments of a lane below which it is not worth splitting. */
const worthSplitting = 9

/** Ids of the segments directly in front of and behind another on its channel, and of those of other channels about its time. */
export function placesAround(
  desk: AnswerRunner,
  segment: Pick<Segment, 'id' | 'channel' | 'startMs' | 'endMs'>,
): {
  readonly before: string | null
  readonly after: string | null
  readonly across: readonly string[]
} {
  const list = desk.order.get(segment.channel) ?? []
  const at = list.findIndex(({ id }) => id === segment.id)
  const across = Array.from(desk.order.entries())
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
export function take(desk: AnswerRunner, segmentId: string): void {
  desk.due.delete(segmentId)
  for (const run of desk.runs) {
    const at = run.ids.indexOf(segmentId)
    if (at >= 0) run.ids.splice(at, 1)
  }
  desk.runs = desk.runs.filter((run) => run.ids.length > 0 || run.busy !== null)
}

function planned(desk: AnswerRunner, rows: readonly Place[], places: number): readonly Run[] {
  return planQueues(rows, places).map((requestQueue) => ({
    ...emptyRun(desk, requestQueue.channel, desk.accountId, false),
    ids: requestQueue.ids,
  }))
}

function join(desk: AnswerRunner, row: SegmentRecord): void {
  const run = desk.runs.findLast((one) => isOwn(desk, one) && one.channel === row.channel)
  if (run) insert(desk, run.ids, row)
  else desk.runs.push({ ...emptyRun(desk, row.channel, desk.accountId, false), ids: [row.id] })
}

/** Puts a segment at its place in time. */
function insert(desk: AnswerRunner, ids: string[], row: Place): void {
  const starts = new Map(placesOf(desk, ids).map(({ id, startMs }) => [id, startMs]))
  const at = ids.findIndex((id) => (starts.get(id) ?? 0) > row.startMs)
  ids.splice(at < 0 ? ids.length : at, 0, row.id)
}

function retainOnly(desk: AnswerRunner, wanted: ReadonlySet<string>): void {
  for (const run of desk.runs) {
    const kept = run.ids.filter((id) => wanted.has(id) || id === run.busy)
    run.ids.splice(0, run.ids.length, ...kept)
  }
  for (const id of desk.due.keys()) if (!wanted.has(id)) desk.due.delete(id)
  desk.runs = desk.runs.filter((run) => run.ids.length > 0 || run.busy !== null)
}

function placesOf(desk: AnswerRunner, ids: readonly string[]): readonly Segment[] {
  const wanted = new Set(ids)
  return Array.from(desk.order.values())
    .flat()
    .filter(({ id }) => wanted.has(id))
}

const emptyRun = (
  desk: AnswerRunner,
  channel: number,
  accountId: string,
  again: boolean,
): Omit<Run, 'ids'> => ({
  meetingId: desk.id,
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
