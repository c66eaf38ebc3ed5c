import { describe, expect, test } from 'vitest'
import { createCanvasPool } from '../../../../src/renderer/src/domains/documents/pages/canvas-pool.ts'
import {
  covers,
  maxPixels,
  planCanvas,
} from '../../../../src/renderer/src/domains/documents/pages/canvas-size.ts'
import { drawOrder } from '../../../../src/renderer/src/domains/documents/pages/draw-order.ts'
import {
  createRenderQueue,
  type RenderTask,
} from '../../../../src/renderer/src/domains/documents/pages/render-queue.ts'

describe('rendering of a page', () => {
  const seen = { x: 0, y: 1000, width: 900, height: 700 }

  test('renders the whole page if it fits into a canvas, no sharper than visible', () => {
    expect(planCanvas(900, 1200, 1, seen)).toEqual({
      width: 900,
      height: 1200,
      clip: null,
      part: null,
    })
    expect(planCanvas(900, 1200, 3, seen).width).toBe(1800)
  })

  test('renders the visible part with a margin otherwise, within the pixel limit of a canvas', () => {
    const plan = planCanvas(4000, 6000, 2, seen)
    expect(plan.width).toBe(8000)
    expect(plan.part).toEqual({ x: 0, y: 650, width: 1350, height: 1400 })
    expect(plan.clip).toEqual({ x: 0, y: 1300, width: 2700, height: 2800 })
    const huge = planCanvas(9000, 9000, 2, { x: 0, y: 0, width: 3000, height: 1300 })
    expect((huge.clip?.width ?? 0) * (huge.clip?.height ?? 0)).toBeLessThanOrEqual(maxPixels)
    expect(covers(huge.part, { x: 0, y: 0, width: 3000, height: 1300 })).toBe(true)
  })

  test('renders again only when the view leaves the rendered part', () => {
    const { part } = planCanvas(4000, 6000, 2, seen)
    expect(covers(part, { ...seen, y: 1300 })).toBe(true)
    expect(covers(part, { ...seen, y: 1500 })).toBe(false)
    expect(covers(null, seen)).toBe(true)
  })
})

describe('requested pages', () => {
  test('requests pages from the middle of the view outward, then in scroll direction', () => {
    expect(drawOrder({ first: 4, last: 6 }, 5, 1, 20, 6)).toEqual([5, 4, 6, 7, 3])
    expect(drawOrder({ first: 4, last: 6 }, 5, -1, 20, 6)).toEqual([5, 6, 4, 3, 7])
  })

  test('requests only existing pages, and no more than there are canvases', () => {
    expect(drawOrder({ first: 1, last: 1 }, 1, 1, 1, 6)).toEqual([1])
    expect(drawOrder({ first: 1, last: 30 }, 15, 1, 30, 6)).toHaveLength(6)
    expect(drawOrder({ first: 0, last: 0 }, 0, 1, 0, 6)).toEqual([])
  })
})

/** Requests that end when reported to, with a log of their results. */
function setup() {
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const renderTask = (key: string): RenderTask => ({
    key,
    run: (signal) =>
      new Promise((resolve, reject) => {
        log.push(`start ${key}`)
        ends.set(key, () => {
          log.push(`end ${key}`)
          resolve()
        })
        signal.addEventListener('abort', () => {
          log.push(`cancel ${key}`)
          reject(new Error('cancelled'))
        })
      }),
  })
  const end = async (key: string): Promise<void> => {
    ends.get(key)?.()
    await settled()
  }
  return { log, renderTask, end }
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('rendering queue', () => {
  test('renders one page after the other, in the requested order', async () => {
    const { log, renderTask, end } = setup()
    const queue = createRenderQueue()
    queue.want([renderTask('a'), renderTask('b')])
    expect(log).toEqual(['start a'])
    await end('a')
    await end('b')
    expect(log).toEqual(['start a', 'end a', 'start b', 'end b'])
  })

  test('cancels unneeded pages and continues with the needed ones', async () => {
    const { log, renderTask } = setup()
    const queue = createRenderQueue()
    queue.want([renderTask('a'), renderTask('b')])
    queue.want([renderTask('c')])
    await settled()
    expect(log).toEqual(['start a', 'cancel a', 'start c'])
  })

  test('does not restart a running page that is still needed, even if no longer first', async () => {
    const { log, renderTask, end } = setup()
    const queue = createRenderQueue()
    queue.want([renderTask('a')])
    queue.want([renderTask('b'), renderTask('a')])
    await end('a')
    expect(log).toEqual(['start a', 'end a', 'start b'])
  })

  test('continues after a failed rendering, and reports when nothing is left', async () => {
    let idle = 0
    const queue = createRenderQueue({ onIdle: () => idle++ })
    const drawn: string[] = []
    queue.want([
      { key: 'broken', run: () => Promise.reject(new Error('no page')) },
      { key: 'fine', run: () => Promise.resolve(void drawn.push('fine')) },
    ])
    await settled()
    expect(drawn).toEqual(['fine'])
    expect(idle).toBe(1)
  })

  test('renders nothing after it is closed', async () => {
    const { log, renderTask } = setup()
    const queue = createRenderQueue()
    queue.want([renderTask('a'), renderTask('b')])
    queue.close()
    queue.want([renderTask('c')])
    await settled()
    expect(log).toEqual(['start a', 'cancel a'])
  })
})

test('reuses a limited number of canvases, which hold no memory while hidden', () => {
  let made = 0
  const pool = createCanvasPool(2, () => {
    made++
    return { width: 10, height: 10, remove: () => {} } as unknown as HTMLCanvasElement
  })
  const first = pool.take()
  const second = pool.take()
  expect(pool.take()).toBeNull()
  if (!first || !second) throw new Error('the pool gave no canvas')
  first.width = 500
  pool.give(first)
  expect([first.width, first.height]).toEqual([0, 0])
  pool.give(first)
  expect(pool.take()).toBe(first)
  expect(pool.take()).toBeNull()
  expect(made).toBe(2)
})
