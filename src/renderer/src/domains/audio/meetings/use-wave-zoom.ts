import { computed, onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'
import { isCovered } from '../../../kit/inspector-overlay.ts'
import { isTyping } from '../../../lib/platform.ts'
import { fitWindow, showMoment, wholeWindow, zoomAround, type WaveWindow } from './wave-window.ts'

/** Inputs of a zoomed waveform; lengths in milliseconds, the width in CSS pixels. */
interface WaveFacts {
  readonly durationMs: Ref<number>
  readonly width: Ref<number>
  readonly atMs: Ref<number>
  readonly playing: Ref<boolean>
  /** Returns whether a range is being drawn, during which the window does not move. */
  held(): boolean
}

/** Minimum jump of the playhead that counts as the user's seek, in milliseconds. */
const jumpMs = 500

/** Visible range of the audio: changed by keys (+, -, 0), by the wheel, and with the playhead. */
export function useWaveZoom({ durationMs, width, atMs, playing, held }: WaveFacts) {
  /** Null for the whole meeting, even while it grows. */
  const zoomed = ref<WaveWindow | null>(null)
  const shown = computed(() =>
    zoomed.value
      ? fitWindow(zoomed.value, durationMs.value, width.value)
      : wholeWindow(durationMs.value, width.value),
  )
  const zoom = (factor: number, aroundMs = atMs.value): void => {
    const next = zoomAround(shown.value, factor, aroundMs, durationMs.value, width.value)
    const whole = wholeWindow(durationMs.value, width.value).msPerPixel
    zoomed.value = next.msPerPixel >= whole ? null : next
  }
  const showAll = (): void => {
    zoomed.value = null
  }
  const moveTo = (startMs: number): void => {
    if (zoomed.value) zoomed.value = { ...shown.value, startMs }
  }
  /** Ctrl and the wheel zoom around the pointer, Shift and the wheel (or a second axis) scroll. */
  const onWheel = (event: WheelEvent, pointerMs: number): void => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      zoom(Math.exp(event.deltaY * 0.0025), pointerMs)
      return
    }
    const by = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0
    if (by === 0 || !zoomed.value) return
    event.preventDefault()
    moveTo(shown.value.startMs + by * shown.value.msPerPixel)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isTyping(event) || isCovered()) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') zoom(0.5)
    else if (event.key === '-' || event.key === '−') zoom(2)
    else if (event.key === '0') showAll()
    else return
    event.preventDefault()
  }
  onMounted(() => window.addEventListener('keydown', onKey))
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey))
  // The window turns its page when the playhead leaves it while playing, and follows every jump.
  watch(atMs, (now, before) => {
    if (!zoomed.value || held()) return
    if (playing.value || Math.abs(now - before) > jumpMs)
      zoomed.value = showMoment(shown.value, now, durationMs.value, width.value)
  })
  return { zoomed, shown, zoom, showAll, moveTo, onWheel }
}
