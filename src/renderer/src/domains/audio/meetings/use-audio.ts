import { onScopeDispose, ref } from 'vue'

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
