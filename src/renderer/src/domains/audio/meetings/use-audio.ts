import { onScopeDispose, ref, watch, type Ref } from 'vue'

/** One audio element as reactive state. The element is the source of truth: media keys and the system control it too. */
export function useAudio(title: () => string, moved: (seconds: number) => void) {
  const audio = new Audio()
  audio.preload = 'metadata'
  const playing = ref(false)
  const broken = ref(false)
  let frame = 0

  const tick = (): void => {
    moved(audio.currentTime)
    if (!audio.paused) frame = requestAnimationFrame(tick)
  }
  audio.onplay = () => {
    playing.value = true
    // Shown by the system's player next to its keys.
    navigator.mediaSession.metadata = new MediaMetadata({ title: title() })
    cancelAnimationFrame(frame)
    tick()
  }
  audio.onpause = () => {
    playing.value = false
    cancelAnimationFrame(frame)
    moved(audio.currentTime)
  }
  audio.onseeked = () => moved(audio.currentTime)
  audio.onerror = () => (broken.value = true)

  onScopeDispose(() => {
    cancelAnimationFrame(frame)
    audio.onerror = null
    audio.pause()
    audio.removeAttribute('src')
    audio.load()
  })
  return {
    audio,
    playing,
    broken,
    load(url: string): void {
      broken.value = false
      audio.src = url
    },
    start(): void {
      // A browser that refuses to play reports it through the error event of the element.
      audio.play().catch(() => (playing.value = false))
    },
  }
}

/** Audio of the player. */
export interface PlayableAudio {
  readonly url: string
  readonly title: string
  /** Seconds; null when the file does not specify it. */
  readonly duration: number | null
  readonly bytes: number
}

/** Plays audio at an adjustable speed. */
export function usePlayer(audioData: Ref<PlayableAudio>) {
  const at = ref(0)
  const total = ref(0)
  const speed = ref(1)
  const player = useAudio(
    () => audioData.value.title,
    (seconds) => (at.value = seconds),
  )
  const { audio, playing, broken } = player
  audio.ondurationchange = () => {
    if (Number.isFinite(audio.duration) && audio.duration > 0) total.value = audio.duration
  }

  watch(
    () => audioData.value.url,
    (url) => {
      audio.pause()
      at.value = 0
      total.value = audioData.value.duration ?? 0
      player.load(url)
      audio.playbackRate = speed.value
    },
    { immediate: true },
  )
  watch(speed, (value) => {
    audio.playbackRate = value
    audio.defaultPlaybackRate = value
  })

  const seek = (seconds: number): void => {
    const to = Math.min(Math.max(0, seconds), total.value)
    audio.currentTime = to
    at.value = to
  }
  const toggle = (): void => (audio.paused ? player.start() : audio.pause())
  return { audio, playing, at, total, speed, broken, seek, toggle }
}
