import { computed, onScopeDispose, ref, watch, type Ref } from 'vue'
import type { ChannelRole, Span } from '../../../../shared/model/meeting.ts'
import { createChannelMixer, type ChannelMixer } from './channel-mixer.ts'
import { channelMixMatrix, type PlaybackMix } from './channel-mix-matrix.ts'
import { skipTo } from './skip-silence.ts'

/** What the player plays: addresses in the order they are tried. */
export interface MeetingAudio {
  readonly urls: readonly string[]
  readonly title: string
  readonly durationMs: number
  readonly roles: readonly ChannelRole[]
  /** More of it is being written: what was loaded is shorter than what will be. */
  readonly grows: boolean
}

/** A file whose length differs by more than this from the meeting's does not lie on its timeline, in milliseconds. */
const lengthSlackMs = 150

/** The sound of a meeting as reactive state, in milliseconds. The audio element is the truth: media keys reach it too. */
export function useMeetingPlayer(meetingAudio: Ref<MeetingAudio>, spoken: Ref<readonly Span[]>) {
  const audio = new Audio()
  audio.preload = 'metadata'
  // The graph may only hear what the page may read.
  audio.crossOrigin = 'anonymous'
  const playing = ref(false)
  const atMs = ref(0)
  const speed = ref(1)
  const volume = ref(1)
  const skips = ref(false)
  const playbackMix = ref<PlaybackMix>('mix')
  const broken = ref(false)
  const totalMs = computed(() => meetingAudio.value.durationMs)
  /** Playing ends here when only a stretch was asked for. */
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
    // The original is not laid out as it was read: the working copy is.
    if (tried < meetingAudio.value.urls.length - 1 && !meetingAudio.value.grows && !fits()) next()
  }
  /** Loads an address in the place of what is loaded, and goes on where that was. */
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
      // Another way to the sound was added behind the one that plays.
      if (loaded !== undefined && meetingAudio.value.urls[tried] === loaded) return
      swap(loaded === undefined ? tried : 0)
    },
    { immediate: true },
  )
  // All of it is there now: a copy that was loaded before knows only its beginning.
  watch(
    () => meetingAudio.value.grows,
    (grows) => !grows && !fits() && swap(0),
  )
  watch(speed, (value) => {
    audio.playbackRate = value
    audio.defaultPlaybackRate = value
  })
  watch(volume, (value) => (audio.volume = value))
  const applyMix = (): void => mixer?.set(channelMixMatrix(playbackMix.value, meetingAudio.value.roles))
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
  /** Plays one stretch and stops. */
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
