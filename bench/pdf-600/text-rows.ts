import type { BarePage } from './bare-page.ts'
import { against, alone, median, type Row } from '../row.ts'

const frameMs = 1000 / 60

/** Milliseconds from opening the text panel to the first blocks of the first page, for a document that is already open. */
export function openText(page: BarePage, id: string): Promise<number> {
  return page.evaluate(async (to) => {
    const start = performance.now()
    location.hash = `#/documents/${to}`
    for (;;) {
      if (document.querySelector('[data-testid="markdown-pane"] [data-b] .md'))
        return performance.now() - start
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
  }, id)
}

/**
 * Moves the pointer over blocks of the page; returns milliseconds of work in each frame that highlights a block on both sides.
 */
export async function hoverTimes(page: BarePage): Promise<readonly number[]> {
  return page.evaluate(async () => {
    const pane = document.querySelector('.page[data-page]')?.parentElement?.parentElement
    if (!pane) throw new Error('no pages on the screen')
    const room = pane.getBoundingClientRect()
    const middle = document.elementsFromPoint(
      room.left + room.width / 2,
      room.top + room.height / 2,
    )
    const view = middle.find((element) => element.classList.contains('page')) ?? pane
    const { left, width } = room
    const times: number[] = []
    let last = ''
    for (let step = 0; step < 60; step++) {
      const y = room.top + room.height * (0.1 + (0.8 * step) / 60)
      let begin = 0
      // Frame callbacks run in order: the time between these two is the work that the pointer triggered.
      requestAnimationFrame(() => (begin = performance.now()))
      view.dispatchEvent(
        new PointerEvent('pointermove', { clientX: left + width / 2, clientY: y, bubbles: true }),
      )
      const durationMs = await new Promise<number>((resolve) =>
        requestAnimationFrame(() => resolve(performance.now() - begin)),
      )
      await new Promise((resolve) => setTimeout(resolve))
      const lit = document.querySelector('[data-testid="markdown-pane"] .lit')
      const now = lit?.getAttribute('data-b') ?? ''
      if (now !== '' && now !== last) times.push(durationMs)
      last = now
    }
    return times
  })
}

/** The table rows for blocks on the screen. */
export function textRows(open: number, hovers: readonly number[]): readonly Row[] {
  if (hovers.length === 0) throw new Error('pointing at blocks lit nothing in the text')
  return [
    alone({ name: 'opening to the text of the first page', figure: open, unit: 'ms' }),
    against(
      {
        name: 'highlighting a hovered block on both sides, median',
        figure: median(hovers),
        unit: 'ms',
      },
      'a frame',
      frameMs,
    ),
  ]
}
