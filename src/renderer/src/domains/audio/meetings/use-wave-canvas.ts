import { onBeforeUnmount, onMounted, watch, type Ref } from 'vue'
import { useDark } from '../../../kit/use-dark.ts'
import { drawWave, type WaveColors, type WaveScene } from './wave-scene.ts'

/** Fields that the canvas sets: its size, the text size, the colors of the theme. */
type Given = 'width' | 'height' | 'unit' | 'font' | 'colors'

/** Name of the performance mark set when the waveform was drawn with its peaks. */
const waveMark = 'lectern:waveform'

/**
 * Draws scenes into a canvas as large as its box, sharp on every screen: at most once per frame, and again when the size, the
 * text size, the pixel ratio or the theme changes. `width` receives the width of the box in CSS pixels; `lanes` are the
 * colors of the channels in light and dark. `onDrawn` is called once, when the peaks are drawn.
 */
export function useWaveCanvas(
  canvas: Ref<HTMLCanvasElement | null>,
  width: Ref<number>,
  scene: () => Omit<WaveScene, Given>,
  lanes: () => readonly (readonly [light: string, dark: string])[],
  onDrawn: () => void,
) {
  const dark = useDark()
  let size = { width: 0, height: 0 }
  let frame = 0
  let marked = false

  const colorsOf = (style: CSSStyleDeclaration): WaveColors => {
    // A token is `light-dark(a, b)`, which a canvas does not support: the right one of the two is used.
    const token = (name: string): string => {
      const pair = /light-dark\(([^,]+),([^)]+)\)/.exec(style.getPropertyValue(`--${name}`))
      return (pair?.[dark.value ? 2 : 1] ?? '#888').trim()
    }
    return {
      muted: token('muted'),
      line: token('line'),
      accent: token('accent'),
      warn: token('warn'),
      danger: token('danger'),
      mark: token('mark'),
      lanes: lanes().map((pair) => pair[dark.value ? 1 : 0]),
    }
  }
  const draw = (): void => {
    frame = 0
    const element = canvas.value
    const context = element?.getContext('2d')
    if (!element || !context || size.width === 0) return
    const ratio = window.devicePixelRatio
    const pixels = [Math.round(size.width * ratio), Math.round(size.height * ratio)] as const
    if (element.width !== pixels[0] || element.height !== pixels[1])
      [element.width, element.height] = pixels
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const root = getComputedStyle(document.documentElement)
    const unit = Number.parseFloat(root.fontSize) / 16
    const font = `${11 * unit}px ${root.getPropertyValue('--font')}`
    const drawn = scene()
    drawWave(context, { ...drawn, ...size, unit, font, colors: colorsOf(root) })
    if (marked || !drawn.peaks) return
    marked = true
    performance.mark(waveMark)
    onDrawn()
  }
  const drawSoon = (): void => {
    frame ||= requestAnimationFrame(draw)
  }
  const fit = (box: { readonly width: number; readonly height: number }): void => {
    if (box.width === size.width && box.height === size.height) return
    size = { width: box.width, height: box.height }
    width.value = size.width
    draw()
  }
  const observer = new ResizeObserver(([entry]) => entry && fit(entry.contentRect))
  let screen: MediaQueryList | null = null
  const onRatio = (): void => {
    screen?.removeEventListener('change', onRatio)
    screen = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
    screen.addEventListener('change', onRatio)
    drawSoon()
  }
  onMounted(() => {
    const box = canvas.value?.parentElement
    if (box) {
      // In the same frame as everything around it.
      fit(box.getBoundingClientRect())
      observer.observe(box)
    }
    onRatio()
  })
  onBeforeUnmount(() => {
    observer.disconnect()
    screen?.removeEventListener('change', onRatio)
    cancelAnimationFrame(frame)
  })
  watch([scene, lanes, dark], drawSoon)
}
