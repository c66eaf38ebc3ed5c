import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { ReplyOf, RequestOf } from '../../../../../shared/contract/routes.ts'
import type { ConnectionState } from '../../../../../shared/model/connection.ts'
import type { Bookmark, Line, Meeting, Segment } from '../../../../../shared/model/meeting.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import type { Preview } from '../meetings/rows.ts'
import { useShell } from '../../../lib/app-store.ts'

/**
 * A row of the live transcript: a line, a bookmark, a segment without a result yet (`text`: the partial text), or the speech
 * of a channel that has not ended.
 */
type LiveRow =
  | { readonly kind: 'line'; readonly key: string; readonly startMs: number; readonly line: Line }
  | {
      readonly kind: 'bookmark'
      readonly key: string
      readonly startMs: number
      readonly bookmark: Bookmark
    }
  | {
      readonly kind: 'segment'
      readonly key: string
      readonly startMs: number
      readonly segment: Segment
      readonly text: string
    }
  | ({ readonly kind: 'preview'; readonly key: string } & Preview)

/** Failures that would not occur with another engine. */
const reaching: ReadonlySet<string> = new Set([
  'OFFLINE',
  'TIMEOUT',
  'STREAM_CUT',
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVER_ERROR',
  'ACCOUNT_REMOVED',
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'QUOTA_EXHAUSTED',
])

/** Maximum number of rendered rows: earlier ones are shown in the meeting's own view, which renders only visible rows. */
export const newestRows = 300

/** Returns the rows of a meeting's live transcript, oldest first: the newest {@link newestRows}. */
export function rowsOf(
  lines: Iterable<Line>,
  segments: Iterable<Segment>,
  partial: ReadonlyMap<string, string>,
  bookmarks: readonly Bookmark[] = [],
  previews: Iterable<Preview> = [],
): readonly LiveRow[] {
  const rows: LiveRow[] = []
  for (const preview of previews)
    rows.push({ kind: 'preview', key: `preview ${preview.channel}`, ...preview })
  for (const bookmark of bookmarks)
    rows.push({ kind: 'bookmark', key: bookmark.id, startMs: bookmark.atMs, bookmark })
  for (const line of lines) rows.push({ kind: 'line', key: line.id, startMs: line.startMs, line })
  for (const segment of segments) {
    if (segment.versionId !== null || segment.state === 'done' || segment.state === 'silent')
      continue
    const text = partial.get(segment.id) ?? segment.partial ?? ''
    rows.push({ kind: 'segment', key: segment.id, startMs: segment.startMs, segment, text })
  }
  return rows.toSorted((a, b) => a.startMs - b.startMs).slice(-newestRows)
}

/** Returns the keys of the rows whose engine differs from that of the previous line: they show its name. */
export function engineChanges(rows: readonly LiveRow[]): ReadonlySet<string> {
  const keys = new Set<string>()
  let last = ''
  for (const row of rows) {
    if (row.kind !== 'line') continue
    const engine = `${row.line.accountName}\n${row.line.model}`
    if (engine !== last) keys.add(row.key)
    last = engine
  }
  return keys
}

/** Whether a segment waits for an engine that cannot be reached. */
const waitsForEngine = ({ state, error }: Segment): boolean =>
  (state === 'pending' || state === 'failed') && error !== null && reaching.has(error.code)

/**
 * Returns all segments that wait while an engine cannot be reached: failed ones and those queued behind them. Empty when
 * nothing is blocked; `away` when the engine is known to be unreachable before any of them was tried.
 */
export function heldUp(segments: Iterable<Segment>, away = false): readonly Segment[] {
  const all = [...segments]
  if (!away && !all.some(waitsForEngine)) return []
  const queued = ({ state, versionId, error }: Segment): boolean =>
    state === 'pending' && versionId === null && error === null
  return all.filter((one) => waitsForEngine(one) || queued(one))
}

/** Returns why an account cannot transcribe now; null when no reason is known. */
export function outOfReach(
  connection: ConnectionState | null,
  accountId: string | undefined,
): ConnectionState | null {
  if (connection === null || connection.accountId !== accountId) return null
  return ['offline', 'no-key', 'key-rejected'].includes(connection.state) ? connection : null
}

/** Follows the transcript of a meeting while it is recorded. */
export function useLiveLines(id: Ref<string>) {
  const client = useClient()
  const shell = useShell()
  const lines = shallowRef(new Map<string, Line>())
  const segments = shallowRef(new Map<string, Segment>())
  const partial = shallowRef(new Map<string, string>())
  const previews = shallowRef<readonly Preview[]>([])
  const meeting = shallowRef<Meeting | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const switching = ref(false)

  const put = <T extends { readonly id: string }>(
    place: { value: Map<string, T> },
    found: readonly T[],
    removed: readonly string[] = [],
  ): void => {
    const next = new Map(place.value)
    for (const one of removed) next.delete(one)
    for (const one of found) next.set(one.id, one)
    place.value = next
  }
  const speak = (segmentId: string, text: string): void => {
    const next = new Map(partial.value)
    if (text === '') next.delete(segmentId)
    else next.set(segmentId, text)
    partial.value = next
  }
  const page = (meetingId: string, from: number) =>
    client.request('meetings.lines', { id: meetingId, from, limit: 1000 })
  const load = async (): Promise<void> => {
    const requestedId = id.value
    previews.value = []
    const whole = await client.request('meetings.get', { id: requestedId })
    if (requestedId === id.value && whole.ok) meeting.value = whole.data.meeting
    let from: number | null = 0
    while (from !== null) {
      const reply: Reply<ReplyOf<'meetings.lines'>> = await page(requestedId, from)
      if (requestedId !== id.value) return
      failure.value = reply.ok ? null : reply.error
      if (!reply.ok) return
      put(lines, reply.data.lines)
      put(segments, reply.data.segments)
      from = reply.data.next
    }
  }
  const off = client.onEvent((event) => {
    if (event.type === 'meeting.changed' && event.meeting.id === id.value)
      meeting.value = event.meeting
    if (event.type === 'meeting.lines' && event.id === id.value) {
      put(lines, event.lines, event.removed)
      put(segments, event.segments, event.removed)
    }
    if (event.type === 'meeting.partial' && event.id === id.value)
      speak(event.segmentId, event.text)
    if (event.type === 'meeting.preview' && event.id === id.value) {
      const { channel, startMs, text } = event
      const others = previews.value.filter((one) => one.channel !== channel)
      previews.value = text === '' ? others : [...others, { channel, startMs, text }]
    }
  })
  onScopeDispose(off)
  onScopeDispose(client.onReopen(() => void load()))
  watch(
    id,
    () => {
      lines.value = new Map()
      segments.value = new Map()
      partial.value = new Map()
      previews.value = []
      meeting.value = null
      void load()
    },
    { immediate: true },
  )
  /** Why the provider cannot transcribe now, although this computer could. */
  const away = computed(() =>
    meeting.value === null || meeting.value.accountId === localAccountId
      ? null
      : outOfReach(shell.connection, meeting.value.accountId),
  )
  /** Segments that wait for the provider. */
  const waiting = computed(() =>
    meeting.value === null || meeting.value.accountId === localAccountId
      ? 0
      : heldUp(segments.value.values(), away.value !== null).length,
  )
  const settle = (reply: Reply<{ readonly meeting: Meeting }>): boolean => {
    failure.value = reply.ok ? null : reply.error
    if (reply.ok && reply.data.meeting.id === id.value) meeting.value = reply.data.meeting
    return reply.ok
  }
  /** Changes how the rest is transcribed. */
  const update = async (patch: Omit<RequestOf<'meetings.update'>, 'id'>): Promise<boolean> =>
    settle(await client.request('meetings.update', { id: id.value, ...patch }))
  /** Switches to on-device transcription, starting with the waiting segments. */
  const goLocal = async (): Promise<void> => {
    switching.value = true
    const accountId = localAccountId
    if (await update({ accountId }))
      settle(await client.request('meetings.fill', { id: id.value, accountId }))
    switching.value = false
  }
  return {
    rows: computed(() =>
      rowsOf(
        lines.value.values(),
        segments.value.values(),
        partial.value,
        meeting.value?.bookmarks,
        previews.value,
      ),
    ),
    meeting,
    away,
    waiting,
    switching,
    failure,
    update,
    goLocal,
  }
}

/** The live transcript of a meeting, and the meeting itself. */
export type LiveMeeting = ReturnType<typeof useLiveLines>
