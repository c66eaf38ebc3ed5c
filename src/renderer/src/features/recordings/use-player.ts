import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'

/** Longer or larger sounds are not decoded in the page: the line without waves stands in. */
const waveLimits = { seconds: 600, bytes: 64 * 1024 * 1024 } as const

/** What the player plays. */
export interface Sound {
  readonly url: string
  readonly title: string
  /** Seconds; null when the file does not tell. */
  readonly duration: number | null
  readonly bytes: number
}

/** One audio element as reactive state. The element is the truth: media keys and the system reach it too. */
export function usePlayer(sound: Ref<Sound>) {
  const audio = new Audio()
  audio.preload = 'metadata'
  const playing = ref(false)
  const at = ref(0)
  const total = ref(0)
  const speed = ref(1)
  const broken = ref(false)
  let frame = 0

  const tick = (): void => {
    at.value = audio.currentTime
    if (!audio.paused) frame = requestAnimationFrame(tick)
  }
  const length = (): void => {
    if (Number.isFinite(audio.duration) && audio.duration > 0) total.value = audio.duration
  }
  audio.onplay = () => {
    playing.value = true
    // What the system's own player shows beside its keys.
    navigator.mediaSession.metadata = new MediaMetadata({ title: sound.value.title })
    tick()
  }
  audio.onpause = () => {
    playing.value = false
    cancelAnimationFrame(frame)
    at.value = audio.currentTime
  }
  audio.onseeked = () => (at.value = audio.currentTime)
  audio.ondurationchange = length
  audio.onerror = () => (broken.value = true)

  watch(
    () => sound.value.url,
    (url) => {
      audio.pause()
      broken.value = false
      at.value = 0
      total.value = sound.value.duration ?? 0
      audio.src = url
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
  const toggle = (): void => {
    if (!audio.paused) return audio.pause()
    // A browser that refuses to play says so through the error event of the element.
    audio.play().catch(() => (playing.value = false))
  }
  onScopeDispose(() => {
    cancelAnimationFrame(frame)
    audio.pause()
    audio.removeAttribute('src')
    audio.load()
  })
  return { audio, playing, at, total, speed, broken, seek, toggle }
}

/** Draws the waveform of a sound into a container, as soon as both are there; only for sounds that are small enough to decode here. */
export function useWaveform(
  audio: HTMLAudioElement,
  container: Ref<HTMLElement | null>,
  sound: Ref<Sound>,
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
    const { duration, bytes } = sound.value
    if ((duration ?? waveLimits.seconds) > waveLimits.seconds || bytes > waveLimits.bytes) return
    state.value = 'drawing'
    const { default: WaveSurfer } = await import('wavesurfer.js')
    if (mine !== turn) return
    const style = getComputedStyle(host)
    const made = WaveSurfer.create({
      container: host,
      media: audio,
      // As the element spells it: another spelling would make wavesurfer swap the streamed source for a copy in memory.
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
      // The range input above the picture takes pointer and keyboard alike.
      interact: false,
      hideScrollbar: true,
    })
    wave.value = made
    made.on('ready', () => {
      if (mine === turn) state.value = 'drawn'
    })
    // A sound that cannot be decoded keeps its plain line; the audio element speaks for itself.
    made.on('error', () => {
      if (mine === turn) clear()
    })
  }
  watch(
    [container, () => sound.value.url],
    ([host]) => {
      clear()
      if (host) void draw(host).catch(clear)
    },
    { immediate: true },
  )
  onScopeDispose(clear)
  return { state, redraw: () => container.value && (clear(), void draw(container.value)) }
}
