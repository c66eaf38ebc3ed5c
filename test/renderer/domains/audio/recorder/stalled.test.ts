import { afterEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import {
  stalledMs,
  useStalled,
} from '../../../../../src/renderer/src/domains/audio/recorder/use-stalled.ts'

afterEach(() => void vi.useRealTimers())

test('reports no audio while the length of a recording does not grow, unless it is paused', async () => {
  vi.useFakeTimers()
  const length = ref<number | null>(1000)
  const scope = effectScope()
  const stalled = scope.run(() => useStalled(() => length.value))
  await vi.advanceTimersByTimeAsync(stalledMs - 1000)
  length.value = 2000
  await nextTick()
  await vi.advanceTimersByTimeAsync(stalledMs - 1000)
  expect(stalled?.value).toBe(false)
  await vi.advanceTimersByTimeAsync(2000)
  expect(stalled?.value).toBe(true)
  length.value = 3000
  await nextTick()
  expect(stalled?.value).toBe(false)
  length.value = null
  await nextTick()
  await vi.advanceTimersByTimeAsync(stalledMs * 2)
  expect(stalled?.value).toBe(false)
  scope.stop()
  expect(vi.getTimerCount()).toBe(0)
})
