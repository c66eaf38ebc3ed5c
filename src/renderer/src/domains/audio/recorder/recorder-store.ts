import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, inject } from 'vue'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import { wholeMs, type CaptureEvent } from '../../../../../shared/model/meeting.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useAccounts } from '../../settings/index.ts'
import { i18nKey } from '../../../i18n/key.ts'
import { sourceProblem } from './audio/channel.ts'
import type { ChannelLevel, SenderMessage } from './audio/messages.ts'
import type { Recorder, RecorderEvents } from './audio/recorder.ts'
import { createChannelLog } from './gaps.ts'
import { keepAwake, type KeepAwake } from './keep-awake.ts'
import { createLevelMonitor } from './level-monitor.ts'
import { openSources } from './open-sources.ts'
import { createOutbox } from './outbox.ts'
import {
  readPreferences,
  writePreferences,
  type CapturePreferences,
} from './recorder-preferences.ts'
import { idle } from './state.ts'
import { useNotices } from './use-notices.ts'

/** Options for starting a recording besides its sources. */
type BeginOptions = Pick<RequestOf<'meetings.begin'>, 'title' | 'accountId' | 'prompt' | 'hotwords'>

/** The only recording of this page: its sources, its progress, and its messages to main. */
export const useCapture = defineStore('capture', () => {
  const client = useClient()
  const accounts = useAccounts()
  const defaultTitle = useDefaultTitle()
  const state = reactive(idle())
  const say = useNotices(() => state.meetingId ?? state.ended)
  /** Changes about 50 times a second; rendered separately. */
  const levels = shallowRef<readonly ChannelLevel[]>([])
  const preferences = ref<CapturePreferences>(readPreferences(localStorage))
  const live = computed(() => ['recording', 'paused', 'stopping'].includes(state.phase))
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  let recorder: Recorder | null = null
  let log = createChannelLog([])
  let awake: KeepAwake | null = null
  let opening = 0

  const rate = (): number => recorder?.sampleRate ?? 48_000
  const toMs = (frames: number): number => wholeMs(frames, rate())

  const outbox = createOutbox(
    (message: { readonly id: string; readonly event: CaptureEvent }) =>
      client.request('meetings.capture', message),
    wait,
  )
  const emit = (...events: readonly CaptureEvent[]): void => {
    const id = state.meetingId
    if (id !== null) for (const event of events) outbox.add({ id, event })
  }
  const levelMonitor = createLevelMonitor({ state, say, emit, onStop: () => stop() })

  const onSent = (message: SenderMessage): void => {
    switch (message.type) {
      case 'progress': {
        const before = state.sending
        state.recordedMs = toMs(message.recorded)
        state.writtenMs = toMs(message.written)
        state.driftPpm = message.driftPpm
        state.sending = message.state
        if (before === message.state) break
        if (message.state === 'overload' || message.state === 'full') say(message.state)
        if (message.state === 'full') stop()
        if (message.state === 'refused') void reopen()
        break
      }
      case 'paused':
      case 'resumed':
        emit({ type: message.type, atMs: toMs(message.frame) })
        break
      case 'gap': {
        const [atMs, endMs] = [toMs(message.frame), toMs(message.endFrame)]
        emit({ type: 'gap', atMs, endMs, channel: null, reason: message.reason })
        levelMonitor.gap(endMs - atMs)
        break
      }
      case 'slept':
        state.sleptMs = message.ms
        say('slept')
        levelMonitor.gap(message.ms)
        pause()
        break
      case 'wrong-rate':
        state.wrongRate = message.ppm !== 0
        break
      case 'done':
        void finishAfterEvents(toMs(message.frames))
    }
  }
  const onChannel = (index: number): void => {
    const source = recorder?.channels[index]
    const view = state.channels[index]
    if (!source || !view) return
    if (source.state === 'lost' && view.state !== 'lost' && live.value)
      say(source.endedAtOnce ? 'endedAtOnce' : 'lost', { name: view.label })
    if (source.endedAtOnce && !live.value) state.problem = 'ended'
    Object.assign(view, { state: source.state, endedAtOnce: source.endedAtOnce })
    if (source.label !== '') view.label = source.label
    if (live.value) emit(...log.take(index, source, state.recordedMs))
  }
  const events: RecorderEvents = {
    levels(message) {
      levels.value = message.levels
      levelMonitor.take(message, rate())
    },
    sent: onSent,
    channel: onChannel,
    running: (running) => (state.stalled = !running),
  }

  /** Opens the chosen sources, to show and check them before anything is recorded. */
  const open = async (): Promise<boolean> => {
    if (live.value || state.phase === 'starting') return false
    close()
    const turn = ++opening
    state.phase = 'opening'
    const opened = await openSources(preferences.value, events).catch((error: unknown) => {
      if (turn === opening) Object.assign(state, { phase: 'idle', problem: sourceProblem(error) })
      return null
    })
    if (!opened) return false
    if (turn !== opening) {
      opened.recorder.close()
      return false
    }
    recorder = opened.recorder
    state.channels = opened.recorder.channels.map((source, at) => ({
      role: opened.roles[at] ?? 'mic',
      label: source.label,
      state: source.state,
      silence: null,
      verdict: null,
    }))
    state.phase = 'ready'
    return true
  }
  /** The start card, while it is shown: a command to record starts with what was entered there. */
  const startCard = shallowRef<(() => Promise<string | null>) | null>(null)
  /** Records at once: as entered on the start card if it is open, otherwise as the last time. */
  const beginNow = async (): Promise<string | null> => {
    if (startCard.value) return startCard.value()
    const { accountId } = preferences.value
    return begin(accounts.byId(accountId) ? { accountId } : {})
  }
  const begin = async (options: BeginOptions): Promise<string | null> => {
    if (state.phase !== 'ready' && !(await open())) return null
    if (!recorder || state.phase !== 'ready') return null
    Object.assign(state, { phase: 'starting', failure: null })
    const labels = state.channels.map(({ label }) => label)
    const typed = options.title?.trim() ?? ''
    const named = typed || defaultTitle(Date.now())
    const reply = await client.request('meetings.begin', {
      ...options,
      ...(named !== undefined && { title: named }),
      titleIsAutomatic: typed === '',
      roles: state.channels.map(({ role }) => role),
      sampleRate: recorder.sampleRate,
      labels,
    })
    if (!reply.ok) {
      Object.assign(state, { phase: 'ready', failure: reply.error })
      return null
    }
    const { id, title } = reply.data.meeting
    levelMonitor.record(preferences.value.autoStopMinutes)
    log = createChannelLog(labels)
    Object.assign(state, { meetingId: id, title, phase: 'recording' })
    recorder.record(id)
    // Apply changes that happened while main created the session.
    for (const index of recorder.channels.keys()) onChannel(index)
    awake = keepAwake(navigator.wakeLock, document)
    window.addEventListener('beforeunload', warn)
    return id
  }
  const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

  function pause(): void {
    if (state.phase !== 'recording') return
    recorder?.pause()
    state.phase = 'paused'
    levelMonitor.paused()
  }
  const resume = (): void => {
    if (state.phase !== 'paused') return
    recorder?.resume()
    Object.assign(state, { phase: 'recording', sleptMs: null, bothSilent: false })
  }
  /** Ends the recording: waits for what is not written yet, then main closes the meeting. */
  function stop(): void {
    if (state.phase !== 'recording' && state.phase !== 'paused') return
    Object.assign(state, { phase: 'stopping', countdown: null })
    emit(...log.end(state.recordedMs))
    recorder?.end()
  }
  /** Reports the last events before the end, since main accepts no events of an ended recording. */
  async function finishAfterEvents(recordedMs: number): Promise<void> {
    const id = state.meetingId
    await outbox.settled()
    if (id === state.meetingId) await finish(recordedMs)
  }
  /**
   * Called when main accepts no audio, or was unreachable: its process may have restarted during the recording, which then
   * continues after the written part. The recording may also be over: another window ended or discarded the meeting.
   */
  async function reopen(): Promise<void> {
    const id = state.meetingId
    if (id === null || reopening) return
    reopening = true
    let reply = await client.request('meetings.reopen', { id })
    while (!reply.ok && !['REFUSED', 'NOT_FOUND'].includes(reply.error.code)) {
      await wait(2000)
      if (state.meetingId !== id) break
      reply = await client.request('meetings.reopen', { id })
    }
    reopening = false
    if (state.meetingId !== id) return
    if (!reply.ok) {
      close()
      state.ended = id
      return say('endedElsewhere')
    }
    // Main must not mistake a known pause for a lost page.
    if (state.phase === 'paused') emit({ type: 'paused', atMs: state.recordedMs })
    recorder?.hurry()
  }
  let reopening = false
  let wasAway = false
  client.onBridge((bridge) => {
    if (bridge === 'open' && wasAway) void reopen()
    wasAway = bridge !== 'open'
  })
  /** Ends the recording without what main has not written: for when main does not return. */
  const giveUp = (): Promise<void> => finish(state.recordedMs)
  async function finish(recordedMs: number): Promise<void> {
    const id = state.meetingId
    if (id === null) return
    const reply = await client.request('meetings.stop', { id, recordedMs })
    if (state.meetingId !== id) return
    if (!reply.ok && reply.error.retriable) {
      state.failure = reply.error
      await wait(2000)
      return finish(recordedMs)
    }
    close()
    state.ended = id
    if (!reply.ok) state.failure = reply.error
  }
  function close(): void {
    opening++
    recorder?.close()
    recorder = null
    awake?.release()
    awake = null
    window.removeEventListener('beforeunload', warn)
    levels.value = []
    Object.assign(state, idle())
  }

  const prefer = (change: Partial<CapturePreferences>): void => {
    preferences.value = { ...preferences.value, ...change }
    writePreferences(localStorage, preferences.value)
  }
  const trying = async (work: Promise<void> | undefined): Promise<void> => {
    state.problem = null
    await work?.catch((error: unknown) => {
      state.problem = sourceProblem(error)
    })
  }
  /** Selects another microphone, also while recording. */
  const choose = (deviceId: string): Promise<void> => {
    prefer({ deviceId })
    return trying(recorder?.choose(deviceId))
  }
  /** Shares system audio again after it ended. */
  const share = (): Promise<void> => {
    const index = state.channels.findIndex(({ role }) => role === 'others')
    return trying(recorder?.channels[index]?.open())
  }
  const bookmark = async (): Promise<boolean> => {
    if (state.meetingId === null) return false
    const { meetingId: id, recordedMs: atMs } = state
    return (await client.request('meetings.bookmark', { id, atMs, label: '' })).ok
  }
  /** Renames the meeting while it is recorded; the name before stays if that fails. */
  const rename = async (title: string): Promise<void> => {
    const { meetingId: id, title: before } = state
    const wanted = title.trim()
    if (id === null || wanted === '' || wanted === before) return
    state.title = wanted
    const reply = await client.request('library.rename', { id, title: wanted })
    if (!reply.ok && state.meetingId === id)
      Object.assign(state, { title: before, failure: reply.error })
  }
  const hurry = (): void => {
    recorder?.hurry()
    outbox.hurry()
  }

  client.onBridge((bridge) => bridge === 'open' && hurry())
  client.onEvent((event) => {
    if (event.type === 'meeting.recording' && event.id === state.meetingId)
      state.freeBytes = event.freeBytes
    if (event.type === 'page.command' && event.command === 'record-awake') hurry()
  })
  return {
    state,
    levels,
    preferences,
    startCard,
    beginNow,
    live,
    open,
    listen: () => recorder && levelMonitor.check(),
    begin,
    pause,
    resume,
    stop,
    giveUp,
    close,
    prefer,
    choose,
    share,
    keep: () => levelMonitor.keep(),
    bookmark,
    rename,
  }
})

/** Default title of a recording: its local date and time, with the year, since recordings are stored for years. */
function useDefaultTitle(): (at: number) => string | undefined {
  const i18n = inject(i18nKey, null)
  return (at) => {
    if (!i18n) return undefined
    const { t, locale } = i18n.global
    const time = new Date(at).toLocaleString(locale.value, {
      dateStyle: 'medium',
      timeStyle: 'short',
    })
    return t('capture.namedByTime', { time })
  }
}
