import { nextTick, onBeforeUnmount, onMounted, shallowRef, watch, type Ref } from 'vue'
import type { Move } from '../../../../../../shared/knowledge/retrieval/moves.ts'

/** A line between the positions of a result in two columns, in pixels of the gap between them. */
interface HitLine {
  readonly key: string
  readonly path: string
  readonly kind: 'up' | 'down' | 'same'
}

/** Lines from the results of one column to the same results of the other, measured now and whenever the layout changes. */
export function useLines(
  frame: Readonly<Ref<HTMLElement | null>>,
  moves: () => readonly Move[],
): Readonly<Ref<readonly HitLine[]>> {
  const lines = shallowRef<readonly HitLine[]>([])

  const measure = (): void => {
    const box = frame.value
    const gap = box?.querySelector<SVGElement>('[data-lines]')
    if (!box || !gap) return
    const space = gap.getBoundingClientRect()
    const middleOf = (side: 'left' | 'right', rank: number): number | null => {
      const card = box.querySelector(`[data-side='${side}'] [data-item='${rank}']`)
      if (!card) return null
      const { top } = card.getBoundingClientRect()
      // At its header: expanding the result does not move the line down.
      return top - space.top + 18
    }
    lines.value = moves().flatMap(({ from, to, by }) => {
      if (from === null || to === null) return []
      const [start, end] = [middleOf('left', from), middleOf('right', to)]
      if (start === null || end === null || space.width === 0) return []
      const bend = space.width / 2
      const path = `M0 ${start} C${bend} ${start} ${bend} ${end} ${space.width} ${end}`
      const kind = by === null || by === 0 ? 'same' : by > 0 ? 'up' : 'down'
      return [{ key: `${from} ${to}`, path, kind } as const]
    })
  }
  const observer = new ResizeObserver(measure)
  const watchCards = async (): Promise<void> => {
    await nextTick()
    observer.disconnect()
    if (!frame.value) return
    observer.observe(frame.value)
    for (const card of frame.value.querySelectorAll('[data-item]')) observer.observe(card)
    measure()
  }
  onMounted(watchCards)
  onBeforeUnmount(() => observer.disconnect())
  watch(moves, watchCards, { flush: 'post' })
  return lines
}
