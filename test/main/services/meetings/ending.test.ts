import { expect, test } from 'vitest'
import { createEnding } from '../../../../src/main/services/meetings/ending.ts'

function endingOf() {
  const told: (boolean | 'stop')[] = []
  const ending = createEnding({
    onLive: (live) => void told.push(live),
    onStopRecording: () => void told.push('stop'),
  })
  return { ending, told }
}

test('where nothing is recorded, nobody is asked to end it', async () => {
  const { ending, told } = endingOf()
  await ending.stop()
  expect(told).toEqual([])
})

test('the pages are asked to end a recording, and its end is waited for by all who want it', async () => {
  const { ending, told } = endingOf()
  ending.live(true)
  const ended: number[] = []
  const both = [1, 2].map(async (which) => {
    await ending.stop()
    ended.push(which)
  })
  ending.live(true)
  await Promise.resolve()
  expect(ended).toEqual([])
  ending.live(false)
  await Promise.all(both)
  expect(ended).toEqual([1, 2])
  expect(told).toEqual([true, 'stop', 'stop', true, false])
  ending.live(true)
  let again = false
  const next = ending.stop().then(() => (again = true))
  await Promise.resolve()
  expect(again).toBe(false)
  ending.live(false)
  await next
})
