import { expect, test } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { followTo } from '../../../../../src/renderer/src/domains/audio/meetings/follow-playhead.ts'
import {
  isInView,
  useFollow,
} from '../../../../../src/renderer/src/domains/audio/meetings/use-follow.ts'

const window = { scrollTop: 1000, viewport: 500 }

test('does not scroll while the spoken row is well in view, otherwise moves it to a third', () => {
  expect(followTo({ top: 1100, bottom: 1150, ...window })).toBeNull()
  expect(followTo({ top: 1340, bottom: 1380, ...window })).toBe(1190)
  expect(followTo({ top: 900, bottom: 950, ...window })).toBe(750)
  expect(followTo({ top: 20, bottom: 50, scrollTop: 0, viewport: 500 })).toBeNull()
})

test('does not scroll back and forth for a row taller than the window', () => {
  expect(followTo({ top: 1100, bottom: 2100, ...window })).toBeNull()
})

test('counts a row as visible from one line of it', () => {
  expect(isInView({ top: 990, bottom: 1040, ...window })).toBe(true)
  expect(isInView({ top: 900, bottom: 1010, ...window })).toBe(false)
  expect(isInView({ top: 1490, bottom: 1600, ...window })).toBe(false)
})

/** Creates a list of rows of 40 pixels in a window of 400, and a clock. */
function listOf(rows: number) {
  const index = ref(0)
  const grows = ref(false)
  const count = ref(rows)
  const top = ref(0)
  let clock = 10_000
  const scope = effectScope()
  const follow = scope.run(() =>
    useFollow(
      {
        nowIndex: () => index.value,
        grows: () => grows.value,
        placeOf: (at) =>
          at < 0
            ? null
            : { top: at * 40, bottom: at * 40 + 40, scrollTop: top.value, viewport: 400 },
        height: () => count.value * 40,
        scrollTop: () => top.value,
        viewport: () => 400,
        scrollTo: (to) => (top.value = Math.min(to, count.value * 40 - 400)),
      },
      () => clock,
    ),
  )
  if (!follow) throw new Error('The scope ended')
  return {
    index,
    grows,
    count,
    top,
    follow,
    pass: (ms: number) => (clock += ms),
    async say(row: number): Promise<void> {
      index.value = row
      await nextTick()
    },
  }
}

test('follows the spoken row until the user scrolls, and resumes on request', async () => {
  const { follow, say, top } = listOf(100)
  await say(50)
  expect(top.value).toBe(1880)
  top.value = 0
  follow.touched()
  follow.scrolled()
  expect(follow.following.value).toBe(false)
  await say(51)
  expect(top.value).toBe(0)
  expect(follow.away.value).toBe(true)
  follow.resume()
  expect(top.value).toBe(1920)
  expect(follow.away.value).toBe(false)
})

test('is not stopped by scrolling without user input, but by a held scrollbar of any duration', async () => {
  const { follow, pass } = listOf(100)
  follow.touched()
  pass(5000)
  follow.scrolled()
  expect(follow.following.value).toBe(true)
  follow.hold(true)
  pass(60_000)
  follow.scrolled()
  expect(follow.following.value).toBe(false)
})

test('offers no way back while the spoken row is in view or there is none', async () => {
  const { follow, say } = listOf(100)
  await say(3)
  follow.pause()
  expect(follow.away.value).toBe(false)
  await say(-1)
  expect(follow.away.value).toBe(false)
})

test('follows the newest row while recording, and resumes at the end of the list', async () => {
  const { follow, grows, count, top, pass } = listOf(20)
  grows.value = true
  await nextTick()
  expect(top.value).toBe(400)
  count.value = 30
  await nextTick()
  expect(top.value).toBe(800)
  follow.touched()
  top.value = 100
  follow.scrolled()
  count.value = 40
  await nextTick()
  expect(top.value).toBe(100)
  expect(follow.away.value).toBe(true)
  pass(1000)
  follow.touched()
  top.value = 1190
  follow.scrolled()
  expect(follow.following.value).toBe(true)
})
