import { expect, onTestFinished, test, vi } from 'vitest'
import { effectScope, nextTick, ref, shallowRef } from 'vue'
import {
  heldTop,
  isCutShort,
  useMeasuredRows,
} from '../../../../../src/renderer/src/kit/measured-rows.ts'

test('keeps the viewed row in place when rows above change, and shows new rows at the top', () => {
  const topOf = (key: string) => ({ a: 0, b: 150 })[key]
  expect(heldTop({ key: 'b', offset: 20 }, 120, topOf)).toBe(170)
  expect(heldTop({ key: 'b', offset: 20 }, 170, topOf)).toBeNull()
  expect(heldTop({ key: 'gone', offset: 20 }, 170, topOf)).toBeNull()
  expect(heldTop({ key: 'a', offset: 0 }, 0, topOf)).toBeNull()
  expect(heldTop(null, 50, topOf)).toBeNull()
})

test('recognizes scrolling caused by a list that became shorter', () => {
  const list = { scrollHeight: 900, clientHeight: 100 }
  expect(isCutShort(850, list)).toBe(true)
  expect(isCutShort(800, list)).toBe(false)
  expect(isCutShort(300, list)).toBe(false)
})

/** A box that scrolls by the height of its rows. */
class Box {
  clientHeight = 100
  scrollHeight = 0
  #top = 0
  get scrollTop(): number {
    return this.#top
  }
  set scrollTop(to: number) {
    this.#top = Math.max(0, Math.min(to, this.scrollHeight - this.clientHeight))
  }
}

class Drawn {
  isConnected = true
}

type Report = (entries: readonly object[]) => void

/** Returns the list with observers simulated by the test. */
function listOf(count: number) {
  const reports: Report[] = []
  const unobserved: unknown[] = []
  vi.stubGlobal('Element', Drawn)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(report: Report) {
        reports.push(report)
      }
      observe = (): void => undefined
      disconnect = (): void => undefined
      unobserve = (one: unknown): void => void unobserved.push(one)
    },
  )
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  const box = new Box()
  const rows = ref([...Array(count).keys()].map((n) => ({ key: `row ${n}`, rem: 1 })))
  const scope = effectScope()
  const list = scope.run(() => useMeasuredRows(shallowRef(box as unknown as HTMLElement), rows))
  if (!list) throw new Error('The scope ended')
  box.scrollHeight = 100_000
  const drawn = new Map<string, Drawn>()
  return {
    box,
    rows,
    list,
    unobserved,
    /** Reports the measured height of a rendered row. */
    async measure(key: string, tall: number): Promise<void> {
      const element = drawn.get(key) ?? new Drawn()
      drawn.set(key, element)
      list.watchRow(element, key)
      reports[0]?.([{ target: element, borderBoxSize: [{ blockSize: tall }] }])
      await nextTick()
    },
    leave(key: string): void {
      const element = drawn.get(key)
      if (!element) throw new Error('It was not drawn')
      element.isConnected = false
      reports[0]?.([{ target: element, borderBoxSize: [{ blockSize: 0 }] }])
    },
  }
}

test('uses an estimate until a row is rendered, and renders only rows near the window', async () => {
  const { list, measure } = listOf(1000)
  expect(list.height.value).toBe(16_000)
  expect(list.shown.value.to).toBeLessThan(60)
  await measure('row 0', 50)
  expect(list.height.value).toBe(16_034)
  expect(list.placeOf(1)).toMatchObject({ top: 50, bottom: 66 })
  expect(list.placeOf(1000)).toBeNull()
})

test('moves the window for a row above that is taller than estimated, not for one below', async () => {
  const { box, list, measure } = listOf(1000)
  list.scrollTo(1600)
  await measure('row 90', 116)
  expect(box.scrollTop).toBe(1700)
  await measure('row 110', 116)
  expect(box.scrollTop).toBe(1700)
})

test('keeps the view in place when rows are inserted before it', async () => {
  const { box, rows, list } = listOf(100)
  list.scrollTo(800)
  rows.value = [{ key: 'new', rem: 2 }, ...rows.value]
  await nextTick()
  expect(box.scrollTop).toBe(832)
})

test('separates the user’s scrolling from its own and stops observing removed rows', async () => {
  const { box, list, measure, leave, unobserved } = listOf(100)
  list.scrollTo(160)
  expect(list.onScroll()).toBe(false)
  box.scrollTop = 320
  expect(list.onScroll()).toBe(true)
  expect(list.scrollTop.value).toBe(320)
  await measure('row 20', 40)
  const before = list.height.value
  leave('row 20')
  expect(unobserved).toHaveLength(1)
  expect(list.height.value).toBe(before)
})
