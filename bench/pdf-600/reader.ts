import { setTimeout as sleep } from 'node:timers/promises'
import type { BarePage } from './bare-page.ts'

/** Measurements of a fling through all pages. */
export interface Fling {
  readonly frames: number
  /** Frames in which the middle of the view showed neither a drawing nor a thumbnail. */
  readonly blank: number
  readonly frameMs: readonly number[]
}

/** Opening times in milliseconds: until a large image of the first page, and until its drawing. */
export interface Opened {
  readonly shown: number
  readonly drawn: number
}

/** Opens a document and waits until its first page is drawn. */
export async function openReader(page: BarePage, origin: string, id: string): Promise<Opened> {
  await page.goto(`${origin}/`)
  await awaitReady(page)
  return page.evaluate(async (to) => {
    const start = performance.now()
    let shown: number | null = null
    location.hash = `#/documents/${to}`
    for (;;) {
      const first = document.querySelector('.page[data-page="1"]')
      const drawn = first?.querySelector('.host canvas')
      const large = (first?.querySelector('img')?.naturalWidth ?? 0) > 1000
      const now = performance.now() - start
      if (large || drawn) shown ??= now
      if (drawn) return { shown: shown ?? now, drawn: now }
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
  }, id)
}

/** Resolves when the app shows the page and is idle. */
export async function awaitReady(page: BarePage): Promise<void> {
  await page.evaluate(async () => {
    while (!document.querySelector('nav')) await new Promise((resolve) => setTimeout(resolve, 20))
  })
  await sleep(700)
}

/** Jumps to a page as the scroll bar does, and waits for its sharp drawing; returns milliseconds. */
export function jumpTo(page: BarePage, number: number, pages: number): Promise<number> {
  return page.evaluate(
    ({ wanted, count }) =>
      new Promise<number>((resolve, reject) => {
        const frame = document.querySelector('.page[data-page]')
        const view = frame?.parentElement?.parentElement
        if (!view) throw new Error('no pages on the screen')
        const start = performance.now()
        const done = (): boolean =>
          document.querySelector(`.page[data-page="${wanted}"] .host canvas`) !== null
        const observer = new MutationObserver(() => {
          if (!done()) return
          observer.disconnect()
          clearTimeout(timer)
          resolve(performance.now() - start)
        })
        const timer = setTimeout(() => {
          observer.disconnect()
          reject(new Error(`page ${wanted} was not drawn in 30 s`))
        }, 30_000)
        observer.observe(view, { subtree: true, childList: true })
        view.scrollTop = (view.scrollHeight * (wanted - 1)) / count + 40
      }),
    { wanted: number, count: pages },
  )
}

/** Flings from the top to the end, more than three pages in each frame. */
export function fling(page: BarePage): Promise<Fling> {
  return page.evaluate(async () => {
    const view = document.querySelector('.page[data-page]')?.parentElement?.parentElement
    if (!view) throw new Error('no pages on the screen')
    view.scrollTop = 0
    await new Promise((resolve) => setTimeout(resolve, 500))
    const step = 4 * (document.querySelector('.page[data-page]')?.clientHeight ?? 1000)
    const shown = (): boolean => {
      const { left, top, width, height } = view.getBoundingClientRect()
      const over = document.elementsFromPoint(left + width / 2, top + height / 2)
      const frame = over.find((element) => element.classList.contains('page'))
      // The space between two pages is blank.
      if (!frame) return true
      const large = frame.querySelector('img')
      const small = frame.querySelector<HTMLCanvasElement>('canvas.small')
      return (
        frame.querySelector('.host canvas') !== null ||
        (small?.width ?? 0) > 0 ||
        (large?.complete === true && large.naturalWidth > 0)
      )
    }
    const frameMs: number[] = []
    let blank = 0
    let last = performance.now()
    while (view.scrollTop + view.clientHeight < view.scrollHeight - 2) {
      view.scrollTop += step
      await new Promise(requestAnimationFrame)
      // The frame after the one in which the column was notified.
      await new Promise(requestAnimationFrame)
      if (!shown()) blank++
      frameMs.push((performance.now() - last) / 2)
      last = performance.now()
    }
    return { frames: frameMs.length, blank, frameMs }
  })
}

/** Number of canvases that contain a drawing. */
export function canvasesOf(page: BarePage): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('.host canvas').length)
}
