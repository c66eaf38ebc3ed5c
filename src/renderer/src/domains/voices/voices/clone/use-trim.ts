import type { Ref } from 'vue'

/** Range of a sample to keep, in milliseconds. */
interface TrimRange {
  readonly startMs: number
  readonly endMs: number
}

/** Minimum length of the range, and the step sizes of the keys. */
const minMs = 200
const steps = { fine: 10, normal: 100, page: 1000 } as const

/** Moves the two ends of the range, by pointer and by keys. */
export function useTrim(
  range: Ref<{ startMs: number; endMs: number }>,
  total: Readonly<Ref<number>>,
  box: Readonly<Ref<HTMLElement | null>>,
) {
  function move(side: keyof TrimRange, to: number): void {
    const { startMs, endMs } = range.value
    const ms = Math.round(to)
    range.value =
      side === 'startMs'
        ? { endMs, startMs: Math.max(0, Math.min(ms, endMs - minMs)) }
        : { startMs, endMs: Math.min(total.value, Math.max(ms, startMs + minMs)) }
  }
  function key(event: KeyboardEvent, side: keyof TrimRange): void {
    const step = event.shiftKey ? steps.fine : steps.normal
    const now = range.value[side]
    const to: Record<string, number> = {
      ArrowLeft: now - step,
      ArrowDown: now - step,
      ArrowRight: now + step,
      ArrowUp: now + step,
      PageDown: now - steps.page,
      PageUp: now + steps.page,
      Home: 0,
      End: total.value,
    }
    const wanted = to[event.key]
    if (wanted === undefined || event.currentTarget === null) return
    if ((event.currentTarget as HTMLElement).ariaDisabled === 'true') return
    event.preventDefault()
    event.stopPropagation()
    move(side, wanted)
  }
  /** Selects the end that is nearer to the pressed position. */
  function press(event: PointerEvent): void {
    const host = box.value
    if (!host || event.button !== 0 || host.querySelector('[aria-disabled=true]')) return
    const { left, width } = host.getBoundingClientRect()
    const msAt = (x: number): number => ((x - left) / width) * total.value
    const at = msAt(event.clientX)
    const { startMs, endMs } = range.value
    const side = Math.abs(at - startMs) <= Math.abs(at - endMs) ? 'startMs' : 'endMs'
    host.setPointerCapture(event.pointerId)
    const follow = (next: PointerEvent): void => move(side, msAt(next.clientX))
    const done = (): void => {
      host.removeEventListener('pointermove', follow)
      host.removeEventListener('pointerup', done)
      host.removeEventListener('pointercancel', done)
    }
    host.addEventListener('pointermove', follow)
    host.addEventListener('pointerup', done)
    host.addEventListener('pointercancel', done)
    move(side, at)
    host.querySelector<HTMLElement>(`[data-side=${side}]`)?.focus()
  }
  return { move, key, press }
}
