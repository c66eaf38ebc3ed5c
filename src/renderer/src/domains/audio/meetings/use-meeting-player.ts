import { computed, onScopeDispose, ref, watch, type Ref } from 'vue'
import type { ChannelRole, Span } from '../../../../../shared/model/meeting.ts'
import { channelMixMatrix, type PlaybackMix, type ChannelMixMatrix } from './channel-mix-matrix.ts'
import { skipTo } from './skip-silence.ts'

/** Sources of the player: URLs in the order they are tried. */
export interface MeetingAudio {
  readonly urls: readonly string[]
  readonly title: string
  readonly durationMs: number
  readonly roles: readonly ChannelRole[]
  /** Whether more of it is being written, so that loaded audio is shorter than the final one. */
  readonly grows: boolean
}

/** Maximum difference in length between a file and the meeting for them to share a timeline, in milliseconds. */
const lengthSlackMs = 150

/**
 * Audio of a meeting as reactive state, in milliseconds. The audio element is the source of truth: media keys control it too.
 */
export function useMeetingPlayer(meetingAudio: Ref<MeetingAudio>, spoken: Ref<readonly Span[]>) {
  const audio = new Audio()
  audio.preload = 'metadata'
  // The graph may only play what the page may read.
  audio.crossOrigin = 'anonymous'
  const playing = ref(false)
  const atMs = ref(0)
  const speed = ref(1)
  const volume = ref(1)
  const skips = ref(false)
  const playbackMix = ref<PlaybackMix>('mix')
  const broken = ref(false)
  const totalMs = computed(() => meetingAudio.value.durationMs)
  /** End of playback if only a range was requested. */
  let untilMs: number | null = null
  let mixer: ChannelMixer | null = null
  let tried = 0
  let loaded: string | undefined
  let frame = 0

  const load = (index: number): void => {
    tried = index
    const url = meetingAudio.value.urls[index]
    loaded = url
    broken.value = url === undefined
    if (url === undefined) {
      audio.removeAttribute('src')
      return
    }
    audio.src = url
    audio.playbackRate = speed.value
    if (atMs.value > 0) audio.currentTime = atMs.value / 1000
  }
  const tick = (): void => {
    const ms = audio.currentTime * 1000
    atMs.value = ms
    if (untilMs !== null && ms >= untilMs) {
      untilMs = null
      audio.pause()
    } else if (skips.value) {
      const to = skipTo(spoken.value, ms)
      if (to !== null) audio.currentTime = to / 1000
    }
    if (!audio.paused) frame = requestAnimationFrame(tick)
  }
  audio.onplay = () => {
    playing.value = true
    navigator.mediaSession.metadata = new MediaMetadata({ title: meetingAudio.value.title })
    cancelAnimationFrame(frame)
    tick()
  }
  audio.onpause = () => {
    playing.value = false
    cancelAnimationFrame(frame)
    atMs.value = audio.currentTime * 1000
  }
  audio.onseeked = () => (atMs.value = audio.currentTime * 1000)
  const fits = (): boolean =>
    Math.abs(audio.duration * 1000 - meetingAudio.value.durationMs) <= lengthSlackMs
  audio.onloadedmetadata = () => {
    // The original has a different timeline: the working copy is used.
    if (tried < meetingAudio.value.urls.length - 1 && !meetingAudio.value.grows && !fits()) next()
  }
  /** Replaces the loaded URL by another one, and continues at the same position. */
  const swap = (index: number): void => {
    const wasPlaying = !audio.paused
    load(index)
    if (wasPlaying && !broken.value) void audio.play().catch(() => (playing.value = false))
  }
  const next = (): void => swap(tried + 1)
  audio.onerror = () => audio.getAttribute('src') !== null && next()

  watch(
    () => meetingAudio.value.urls.join('\n'),
    () => {
      // Another source was added after the one that plays.
      if (loaded !== undefined && meetingAudio.value.urls[tried] === loaded) return
      swap(loaded === undefined ? tried : 0)
    },
    { immediate: true },
  )
  // The audio is complete now: a copy loaded before contains only its beginning.
  watch(
    () => meetingAudio.value.grows,
    (grows) => !grows && !fits() && swap(0),
  )
  watch(speed, (value) => {
    audio.playbackRate = value
    audio.defaultPlaybackRate = value
  })
  watch(volume, (value) => (audio.volume = value))
  const applyMix = (): void =>
    mixer?.set(channelMixMatrix(playbackMix.value, meetingAudio.value.roles))
  watch([playbackMix, () => meetingAudio.value.roles], applyMix)

  const seek = (ms: number): void => {
    const to = Math.min(Math.max(0, ms), totalMs.value)
    untilMs = null
    atMs.value = to
    audio.currentTime = to / 1000
  }
  const play = (): void => {
    if (meetingAudio.value.roles.length === 2 && mixer === null) {
      mixer = createChannelMixer(audio)
      applyMix()
    }
    mixer?.resume()
    audio.play().catch(() => (playing.value = false))
  }
  const pause = (): void => audio.pause()
  const toggle = (): void => (audio.paused ? play() : pause())
  /** Plays one range and stops. */
  const playSpan = ({ startMs, endMs }: Span): void => {
    seek(startMs)
    untilMs = endMs
    play()
  }
  onScopeDispose(() => {
    cancelAnimationFrame(frame)
    audio.onerror = null
    audio.pause()
    audio.removeAttribute('src')
    audio.load()
    mixer?.close()
  })
  return {
    playing,
    atMs,
    totalMs,
    speed,
    volume,
    skips,
    playbackMix,
    broken,
    seek,
    play,
    pause,
    toggle,
    playSpan,
  }
}

/** The player of the opened meeting. */
export type MeetingPlayer = ReturnType<typeof useMeetingPlayer>

/** Mixes the two channels of an audio element separately. */
interface ChannelMixer {
  set(matrix: ChannelMixMatrix): void
  resume(): void
  close(): void
}

/**
 * Creates the graph: element, splitter, a gain per channel and side, merger, output. Created on Play, since browsers require
 * a user action.
 */
function createChannelMixer(audio: HTMLAudioElement): ChannelMixer {
  const context = new AudioContext({ latencyHint: 'playback' })
  const splitter = context.createChannelSplitter(2)
  const merger = context.createChannelMerger(2)
  const gains = [0, 1].map((channel) =>
    [0, 1].map((output) => {
      const gain = context.createGain()
      splitter.connect(gain, channel)
      gain.connect(merger, 0, output)
      return gain
    }),
  )
  context.createMediaElementSource(audio).connect(splitter)
  merger.connect(context.destination)
  return {
    set(matrix) {
      for (const [channel, levels] of matrix.entries())
        for (const [output, value] of levels.entries())
          gains[channel]?.[output]?.gain.setTargetAtTime(value, context.currentTime, 0.01)
    },
    resume: () => void context.resume(),
    close: () => void context.close(),
  }
}
