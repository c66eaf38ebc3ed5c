import { expect, test } from 'vitest'
import {
  createScroll,
  type Mark,
  type ScrollView,
} from '../../../../src/renderer/src/domains/chats/thread/scroll.ts'

/** Miniature list: rows with heights, a view 600 high, positions clamped as in a browser. */
function list(heights: Record<string, number>) {
  const rows = new Map(Object.entries(heights))
  let order = [...rows.keys()]
  let top = 0
  let room = 0
  let writes = 0
  const height = 600
  const sum = (ids: readonly string[]) => ids.reduce((all, id) => all + (rows.get(id) ?? 0), 0)
  const topOf = (id: string) => sum(order.slice(0, order.indexOf(id)))
  const maxTop = () => Math.max(0, sum(order) + room - height)
  const view: ScrollView = {
    get top() {
      return Math.min(top, maxTop())
    },
    write(next) {
      writes += 1
      top = Math.max(0, Math.min(next, maxTop()))
    },
    height,
    get rows() {
      return sum(order)
    },
    room(pixels) {
      room = pixels
    },
    row: (id) => (order.includes(id) ? { top: topOf(id), height: rows.get(id) ?? 0 } : null),
    mark(id) {
      const at = id ?? order.find((one) => topOf(one) + (rows.get(one) ?? 0) > view.top)
      if (at === undefined) return null
      return { messageId: at, element: at, top: topOf(at), rowTop: topOf(at) }
    },
    moved: ({ messageId, top: before }: Mark) =>
      order.includes(messageId) ? topOf(messageId) - before : null,
    again: (mark: Mark) =>
      order.includes(mark.messageId)
        ? { ...mark, top: topOf(mark.messageId), rowTop: topOf(mark.messageId) }
        : null,
  }
  const scroll = createScroll(view)
  return {
    scroll,
    view,
    end: maxTop,
    topOf,
    writes: () => writes,
    /** Adds a row, or changes its height. */
    grow(id: string, to: number) {
      if (!rows.has(id)) order.push(id)
      rows.set(id, to)
      scroll.settle()
    },
    prepend(id: string, to: number) {
      rows.set(id, to)
      order = [id, ...order]
      scroll.settle()
    },
    drop(id: string) {
      order = order.filter((one) => one !== id)
      scroll.settle()
    },
    /** Scrolls without notifying the list yet. */
    drift(to: number) {
      top = to
    },
    /** Scrolls as the user does. */
    hand(to: number) {
      top = Math.max(0, Math.min(to, maxTop()))
      scroll.scrolled()
    },
  }
}

test('follows at the end: growing content stays in view to its last line', () => {
  const { scroll, view, grow, end } = list({ a: 400, b: 500 })
  scroll.settle()
  expect(view.top).toBe(end())
  for (let height = 510; height < 3000; height += 170) {
    grow('b', height)
    scroll.scrolled()
    expect([view.top, scroll.mode]).toEqual([end(), 'follow'])
  }
})

test('stops following on any upward gesture: growth never moves what is read', () => {
  const { scroll, view, grow, hand } = list({ a: 400, b: 900 })
  scroll.settle()
  scroll.raise()
  const before = view.top
  grow('b', 1200)
  expect([view.top, scroll.mode]).toEqual([before, 'hold'])
  hand(before - 200)
  grow('b', 5000)
  expect(view.top).toBe(before - 200)
})

test('stops following at the first pixels of an upward move', () => {
  const { scroll, view, grow, hand, end } = list({ a: 400, b: 900 })
  scroll.settle()
  scroll.raise()
  hand(end() - 3)
  grow('b', 1400)
  expect([scroll.mode, view.top]).toEqual(['hold', 697])
})

test('follows again when back at the end', () => {
  const { scroll, view, grow, hand, end } = list({ a: 400, b: 900 })
  scroll.settle()
  hand(100)
  expect(scroll.mode).toBe('hold')
  hand(end())
  expect(scroll.mode).toBe('follow')
  grow('b', 2000)
  expect(view.top).toBe(end())
})

test('puts a new question at the top, and lets its answer grow below without scrolling', () => {
  const { scroll, view, grow, topOf, writes } = list({ a: 400, b: 900 })
  scroll.settle()
  grow('q', 60)
  scroll.showQuestion('q', 'top')
  const offset = topOf('q') - view.top
  expect(offset).toBe(0)
  const written = writes()
  for (const height of [20, 200, 700, 2500]) grow('answer', height)
  expect(topOf('q') - view.top).toBe(0)
  expect(writes()).toBe(written)
  expect(scroll.atEnd).toBe(false)
})

test('follows a new question if that is set', () => {
  const { scroll, view, grow, hand, end } = list({ a: 400, b: 900 })
  scroll.settle()
  hand(0)
  grow('q', 60)
  scroll.showQuestion('q', 'follow')
  grow('answer', 900)
  expect([view.top, scroll.mode]).toEqual([end(), 'follow'])
})

test('keeps the reading position to the pixel when older pages are loaded', () => {
  const { scroll, view, hand, prepend, topOf } = list({ a: 400, b: 900, c: 900 })
  scroll.settle()
  hand(650)
  const before = topOf('b') - view.top
  for (const [at, height] of [317.5, 1200, 41].entries()) prepend(`old${at}`, height)
  expect(Math.abs(topOf('b') - view.top - before)).toBeLessThanOrEqual(1)
})

test('does not undo a scroll when a size changes at the same time', () => {
  const { scroll, view, hand, grow, drift } = list({ a: 400, b: 900, c: 900, d: 900 })
  scroll.settle()
  hand(1500)
  drift(1410)
  grow('a', 700)
  expect(view.top).toBe(1710)
})

test('moves nothing when rows above change their height or are removed', () => {
  const { scroll, view, hand, grow, drop, topOf } = list({ a: 400, b: 900, c: 900, d: 900 })
  scroll.settle()
  hand(1500)
  const before = topOf('c') - view.top
  grow('a', 130)
  grow('b', 1900)
  expect(Math.abs(topOf('c') - view.top - before)).toBeLessThanOrEqual(1)
  drop('a')
  expect(Math.abs(topOf('c') - view.top - before)).toBeLessThanOrEqual(1)
})

test('keeps a target message in view while rows around it are measured', () => {
  const { scroll, view, grow, topOf } = list({ a: 100, b: 100, c: 100, d: 100, e: 2000 })
  scroll.settle()
  scroll.go('c')
  const before = topOf('c') - view.top
  grow('a', 700)
  grow('b', 20)
  grow('c', 400)
  expect(topOf('c') - view.top).toBe(before)
})

test('shows another version where the previous one was', () => {
  const { scroll, view, hand, grow, drop, topOf } = list({ a: 900, b: 900, c: 900 })
  scroll.settle()
  hand(700)
  const offset = scroll.offsetOf('b') ?? 0
  drop('b')
  drop('c')
  grow('b2', 800)
  scroll.pin('b2', offset)
  expect(topOf('b2') - view.top).toBeGreaterThanOrEqual(offset)
  grow('c2', 2000)
  scroll.pin('b2', offset)
  expect(topOf('b2') - view.top).toBe(offset)
})

test('scrolls by parts of the view with keys until the end', () => {
  const { scroll, view, end } = list({ a: 2000 })
  scroll.settle()
  expect(scroll.by(0.4)).toBe(false)
  expect(scroll.by(-0.4)).toBe(true)
  expect([view.top, scroll.mode]).toEqual([end() - 240, 'hold'])
  scroll.begin()
  expect(scroll.by(-1)).toBe(false)
  scroll.go(null)
  expect(view.top).toBe(end())
})

test('opens another chat at its end, without the spacer of the previous one', () => {
  const { scroll, view, grow, end } = list({ a: 400, b: 900 })
  grow('q', 60)
  scroll.showQuestion('q', 'top')
  scroll.reset()
  scroll.settle()
  expect([view.top, end()]).toEqual([760, 760])
})
