import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import { useAudio } from './use-audio.ts'

/** Longer or larger audio is not decoded in the page: a plain line replaces the waveform. */
const waveLimits = { seconds: 600, bytes: 64 * 1024 * 1024 } as const

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

/** Draws the waveform of audio into a container as soon as both are available; only for audio small enough to decode here. */
export function useWaveform(
  audio: HTMLAudioElement,
  container: Ref<HTMLElement | null>,
  audioData: Ref<PlayableAudio>,
) {
  const state = ref<'none' | 'drawing' | 'drawn'>('none')
  const wave = shallowRef<{ destroy(): void } | null>(null)
  let turn = 0

  const clear = (): void => {
    turn += 1
    wave.value?.destroy()
    wave.value = null
    state.value = 'none'
  }
  const draw = async (host: HTMLElement): Promise<void> => {
    const mine = ++turn
    const { duration, bytes } = audioData.value
    if ((duration ?? waveLimits.seconds) > waveLimits.seconds || bytes > waveLimits.bytes) return
    state.value = 'drawing'
    const { default: WaveSurfer } = await import('wavesurfer.js')
    if (mine !== turn) return
    const style = getComputedStyle(host)
    const made = WaveSurfer.create({
      container: host,
      media: audio,
      // Must equal the element's URL: a different spelling makes wavesurfer replace the streamed source with a copy in memory.
      url: audio.src,
      height: 'auto',
      waveColor: style.getPropertyValue('color'),
      progressColor: style.getPropertyValue('caret-color'),
      cursorColor: style.getPropertyValue('caret-color'),
      cursorWidth: 1,
      barWidth: 2,
      barGap: 1,
      barRadius: 1,
      normalize: true,
      // The range input above the waveform handles pointer and keyboard.
      interact: false,
      hideScrollbar: true,
    })
    wave.value = made
    made.on('ready', () => {
      if (mine === turn) state.value = 'drawn'
    })
    // Audio that cannot be decoded keeps its plain line; the audio element reports its own errors.
    made.on('error', () => {
      if (mine === turn) clear()
    })
  }
  watch(
    [container, () => audioData.value.url],
    ([host]) => {
      clear()
      if (host) void draw(host).catch(clear)
    },
    { immediate: true },
  )
  onScopeDispose(clear)
  return { state, redraw: () => container.value && (clear(), void draw(container.value)) }
}
