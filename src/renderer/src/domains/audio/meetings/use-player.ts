import { ref, watch, type Ref } from 'vue'
import { useAudio } from './use-audio.ts'

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
