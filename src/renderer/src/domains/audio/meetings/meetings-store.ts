import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { EditReply } from '../../../../../shared/contract/meetings.ts'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { ReplyOf, RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Line, Meeting, MeetingEdit, Segment } from '../../../../../shared/model/meeting.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { createLatest } from '../../../kit/use-latest.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { createMeetingLines, type LinesChange } from './meeting-lines.ts'
import type { Preview } from './rows.ts'
import { usePeaks } from './use-peaks.ts'

/** Number of lines and segments per request. */
const pageSize = 1000
/** Size of the first page: enough for the screen, and fast to load. */
const firstPage = 150
/** Maximum time that loading of lines waits for the waveform, in milliseconds. */
const patienceMs = 250
/** Milliseconds within which changes are drawn together. */
const drawMs = 50

/** What the notice about a change of the transcript is about: it is obsolete after the next change. */
export const editToast = 'transcript'

/** The opened meeting: its properties, its lines and segments in order of time, and all their changes. */
export const useMeeting = defineStore('meeting', () => {
  const client = useClient()
  const toasts = useToasts()
  const id = ref<string | null>(null)
  const meeting = shallowRef<Meeting | null>(null)
  const lines = shallowRef<readonly Line[]>([])
  const segments = shallowRef<readonly Segment[]>([])
  /** Text of responses received so far, by segment. */
  const partial = shallowRef<ReadonlyMap<string, string>>(new Map())
  /** Speech of recordings that has not ended. */
  const previews = shallowRef<readonly (Preview & { readonly id: string })[]>([])
  const failure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  /** Whether every page was loaded. */
  const whole = ref(false)
  /** Whether its waveform is drawn, or was waited for long enough: slower components are rendered from now on. */
  const drawn = ref(false)
  /** Counts changes of segments, which may include suggestions. */
  const segmentChanges = ref(0)
  const { peaks, missing: peaksMissing, ...peaksSource } = usePeaks(client)
  const meetingLines = createMeetingLines()
  const latest = createLatest()
  let loading = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const draw = (): void => {
    clearTimeout(timer)
    timer = undefined
    lines.value = meetingLines.lines()
    segments.value = meetingLines.segments()
  }
  const drawSoon = (): void => {
    timer ??= setTimeout(draw, drawMs)
  }
  const take = (next: Meeting): void => {
    meeting.value = next
    const grows = ['recording', 'paused', 'importing'].includes(next.state)
    peaksSource.follow(next.hasAudio ? next.durationMs : 0, grows)
  }

  /** Opens a meeting; `sounds` if it is already known to have audio. */
  const open = async (meetingId: string, hasAudio = false): Promise<void> => {
    if (id.value === meetingId) return
    close()
    id.value = meetingId
    partial.value = new Map(spoken)
    drawn.value = !hasAudio
    performance.mark('lectern:meeting-open')
    peaksSource.open(meetingId, hasAudio)
    await load()
  }
  function close(): void {
    toasts.settle([editToast])
    latest.cancel()
    clearTimeout(timer)
    timer = undefined
    peaksSource.close()
    id.value = null
    meeting.value = null
    meetingLines.clear()
    lines.value = []
    segments.value = []
    partial.value = new Map()
    failure.value = null
    actionFailure.value = null
    whole.value = false
    drawn.value = false
  }
  const load = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    const isLatest = latest.start()
    loading = true
    failure.value = null
    await Promise.all([readMeeting(requestedId, isLatest), readLines(requestedId, isLatest)])
    if (isLatest()) loading = false
  }
  /** Loads the meeting before its lines, however many they are. */
  const readMeeting = async (meetingId: string, isLatest: () => boolean): Promise<void> => {
    const reply = await client.request('meetings.get', { id: meetingId })
    if (!isLatest()) return
    if (reply.ok) take(reply.data.meeting)
    else failure.value = reply.error
    if (!reply.ok && reply.error.code === 'NOT_FOUND') meeting.value = null
  }
  const waveform = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(late)
        leave()
        resolve()
      }
      const late = setTimeout(end, patienceMs)
      const leave = watch(drawn, end)
    })
  const readLines = async (meetingId: string, isLatest: () => boolean): Promise<void> => {
    meetingLines.settle()
    // Much to load and render: content that is drawn immediately comes first.
    if (!drawn.value) await waveform()
    if (!isLatest()) return
    let from: number | null = 0
    while (from !== null) {
      const page: Reply<ReplyOf<'meetings.lines'>> = await client.request('meetings.lines', {
        id: meetingId,
        from,
        limit: from === 0 ? firstPage : pageSize,
      })
      if (!isLatest()) return
      if (!page.ok) {
        failure.value = page.error
        return
      }
      meetingLines.page(page.data)
      // The first page is shown while the others load.
      draw()
      from = page.data.next
    }
    if (meetingLines.moved) return readLines(meetingId, isLatest)
    meetingLines.settle()
    whole.value = true
  }

  const changed = (change: LinesChange): void => {
    meetingLines.change(change)
    if (!loading) meetingLines.settle()
  }
  /** Texts of all segments without a result: a meeting is opened with what was shown while it was recorded. */
  const spoken = new Map<string, string>()
  const speak = (segmentId: string, text: string): void => {
    if (text === '') spoken.delete(segmentId)
    else spoken.set(segmentId, text)
  }
  client.onEvent((event) => {
    // Speech ends with its recording, even if its last event was lost.
    if (event.type === 'meeting.changed' && !['recording', 'paused'].includes(event.meeting.state))
      previews.value = previews.value.filter((one) => one.id !== event.meeting.id)
    if (event.type === 'meeting.changed' && event.meeting.id === id.value) {
      // Imported JSON is replaced by its audio file, or by none: its lines changed without individual events.
      const exchanged =
        meeting.value && meeting.value.originalMediaId !== event.meeting.originalMediaId
      take(event.meeting)
      if (exchanged) {
        meetingLines.clear()
        void load()
      }
    }
    if (event.type === 'meeting.lines' && event.id === id.value) {
      changed(event)
      if (event.segments.length > 0) segmentChanges.value++
      drawSoon()
    }
    if (event.type === 'meeting.lines')
      for (const { id: segmentId, state } of event.segments)
        if (state !== 'pending' && state !== 'inflight') speak(segmentId, '')
    if (event.type === 'meeting.partial') {
      speak(event.segmentId, event.text)
      if (event.id === id.value) partial.value = new Map(spoken)
    }
    if (event.type === 'meeting.preview') {
      const { id: of, channel, startMs, text } = event
      const others = previews.value.filter((one) => one.id !== of || one.channel !== channel)
      previews.value = text === '' ? others : [...others, { id: of, channel, startMs, text }]
    }
    if (event.type === 'library.changed' && id.value !== null && event.itemIds.length === 0)
      void load()
  })
  client.onReopen(() => {
    previews.value = []
    if (id.value === null) return
    meetingLines.clear()
    void load()
  })

  /** Returns the ID of the opened meeting, for requests about what is shown. */
  const here = (): string => id.value ?? ''
  const settle = <T extends { readonly meeting: Meeting }>(reply: Reply<T>): boolean => {
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok && reply.data.meeting.id === id.value) take(reply.data.meeting)
    return reply.ok
  }
  const settleEdit = (reply: Reply<EditReply>): EditReply | null => {
    if (!settle(reply) || !reply.ok) return null
    if (reply.data.meeting.id !== id.value) return null
    toasts.settle([editToast])
    changed({ lines: reply.data.lines, removed: reply.data.removed, segments: [] })
    draw()
    return reply.data
  }
  const edit = async (change: MeetingEdit): Promise<EditReply | null> => {
    const wire = change as RequestOf<'meetings.edit'>['edit']
    return settleEdit(await client.request('meetings.edit', { id: here(), edit: wire }))
  }
  const undo = async (): Promise<void> =>
    void settleEdit(await client.request('meetings.undo', { id: here() }))
  const redo = async (): Promise<void> =>
    void settleEdit(await client.request('meetings.redo', { id: here() }))
  const decide = async (versionIds: readonly string[], accept: boolean): Promise<boolean> => {
    const request = { id: here(), versionIds: [...versionIds], accept }
    return settleEdit(await client.request('meetings.decide', request)) !== null
  }
  const update = async (
    patch: Omit<RequestOf<'meetings.update'>, 'id'>,
    of = here(),
  ): Promise<boolean> => settle(await client.request('meetings.update', { id: of, ...patch }))
  const fill = async (accountId?: string): Promise<boolean> =>
    settle(await client.request('meetings.fill', { id: here(), ...(accountId && { accountId }) }))
  const stopTranscription = async (): Promise<boolean> =>
    settle(await client.request('meetings.stopTranscription', { id: here() }))
  /** Imports the file of a meeting again after a failure. */
  const readAgain = async (): Promise<boolean> => {
    const mediaId = meeting.value?.originalMediaId
    if (typeof mediaId !== 'string') return false
    const begun = settle(await client.request('meetings.import', { mediaId }))
    if (begun) peaksSource.open(here())
    return begun
  }
  const stop = async (): Promise<boolean> =>
    settle(await client.request('meetings.stop', { id: here(), recordedMs: null }))
  const bookmark = async (change: Omit<RequestOf<'meetings.bookmark'>, 'id'>): Promise<boolean> =>
    settle(await client.request('meetings.bookmark', { id: here(), ...change }))
  /** Returns whether it was renamed. */
  const rename = async (title: string): Promise<boolean> => {
    const before = meeting.value
    const wanted = title.trim()
    if (!before || wanted === '' || wanted === before.title) return false
    meeting.value = { ...before, title: wanted, titleSuggestion: null }
    const reply = await client.request('library.rename', { id: before.id, title: wanted })
    if (reply.ok) {
      // Titles are suggested for the automatic one only.
      const now = await client.request('meetings.get', { id: before.id })
      if (now.ok && now.data.meeting.id === id.value) take(now.data.meeting)
      return true
    }
    actionFailure.value = reply.error
    // Only the title: the rest may have changed meanwhile.
    const now = meeting.value
    if (now?.id === before.id && now.title === wanted)
      meeting.value = { ...now, title: before.title, titleSuggestion: before.titleSuggestion }
    return false
  }
  const segmentById = computed(() => new Map(segments.value.map((one) => [one.id, one])))
  const lineById = computed(() => new Map(lines.value.map((one) => [one.id, one])))
  return {
    id,
    meeting,
    lines,
    segments,
    lineById,
    segmentById,
    partial,
    previews,
    peaks,
    peaksMissing,
    failure,
    actionFailure,
    whole,
    drawn,
    segmentChanges,
    open,
    close,
    load,
    edit,
    undo,
    redo,
    decide,
    update,
    fill,
    stopTranscription,
    readAgain,
    stop,
    bookmark,
    rename,
  }
})
