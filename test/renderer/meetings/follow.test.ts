import { expect, test } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { followTo } from '../../../src/renderer/src/features/meetings/follow-playhead.ts'
import { isInView, useFollow } from '../../../src/renderer/src/features/meetings/use-follow.ts'

const window = { scrollTop: 1000, viewport: 500 }

test('the list rests while the spoken row is well in view, and puts it to a third otherwise', () => {
  expect(followTo({ top: 1100, bottom: 1150, ...window })).toBeNull()
  expect(followTo({ top: 1340, bottom: 1380, ...window })).toBe(1190)
  expect(followTo({ top: 900, bottom: 950, ...window })).toBe(750)
  expect(followTo({ top: 20, bottom: 50, scrollTop: 0, viewport: 500 })).toBeNull()
})

test('a row that is higher than the window is not scrolled back and forth', () => {
  expect(followTo({ top: 1100, bottom: 2100, ...window })).toBeNull()
})

test('a row counts as seen with a line of it', () => {
  expect(isInView({ top: 990, bottom: 1040, ...window })).toBe(true)
  expect(isInView({ top: 900, bottom: 1010, ...window })).toBe(false)
  expect(isInView({ top: 1490, bottom: 1600, ...window })).toBe(false)
})

/** A list of rows of 40 pixels in a window of 400, and a clock. */
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

test('it follows the spoken row until the reader turns the wheel, and comes back when asked', async () => {
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

test('a scrolling nobody made does not stop it; a held scrollbar does, however long', async () => {
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

test('no way back is offered while what is said is in view, or nothing is', async () => {
  const { follow, say } = listOf(100)
  await say(3)
  follow.pause()
  expect(follow.away.value).toBe(false)
  await say(-1)
  expect(follow.away.value).toBe(false)
})

test('while it is recorded the newest row is followed, and reading to the end takes it up again', async () => {
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
