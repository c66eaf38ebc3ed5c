import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope } from 'vue'
import { useDragged } from '../../src/renderer/src/features/intake/use-dragged.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const made = () => effectScope().run(() => useDragged()) ?? expect.fail('no scope')

test('a drag goes on from element to element, and is over when the last one is left', () => {
  const drag = made()
  drag.enter()
  drag.enter()
  drag.leave()
  expect(drag.dragged.value).toBe(true)
  drag.leave()
  expect(drag.dragged.value).toBe(false)
})

test('a drag that left an element which was taken away is over all the same', () => {
  const drag = made()
  drag.enter()
  drag.enter()
  drag.over()
  drag.leave()
  vi.advanceTimersByTime(1000)
  drag.over()
  vi.advanceTimersByTime(1000)
  // It rests over the window: still told of.
  expect(drag.dragged.value).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(drag.dragged.value).toBe(false)
})

test('a drag that went to something which says nothing of it is over all the same', () => {
  const drag = made()
  drag.enter()
  expect(drag.dragged.value).toBe(true)
  vi.advanceTimersByTime(2000)
  expect(drag.dragged.value).toBe(false)
})
