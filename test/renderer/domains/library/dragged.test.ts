import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope } from 'vue'
import { useDragged } from '../../../../src/renderer/src/domains/library/intake/use-dragged.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const made = () => effectScope().run(() => useDragged()) ?? expect.fail('no scope')

test('tracks a drag from element to element, and ends it when the last one is left', () => {
  const drag = made()
  drag.enter()
  drag.enter()
  drag.leave()
  expect(drag.dragged.value).toBe(true)
  drag.leave()
  expect(drag.dragged.value).toBe(false)
})

test('ends a drag that left an element which was removed', () => {
  const drag = made()
  drag.enter()
  drag.enter()
  drag.over()
  drag.leave()
  vi.advanceTimersByTime(1000)
  drag.over()
  vi.advanceTimersByTime(1000)
  // The pointer rests over the window, which still receives events.
  expect(drag.dragged.value).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(drag.dragged.value).toBe(false)
})

test('ends a drag over an element that reports no events', () => {
  const drag = made()
  drag.enter()
  expect(drag.dragged.value).toBe(true)
  vi.advanceTimersByTime(2000)
  expect(drag.dragged.value).toBe(false)
})
