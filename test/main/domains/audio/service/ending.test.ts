import { expect, test } from 'vitest'
import { createEnding } from '../../../../../src/main/domains/audio/service/ending.ts'

function endingOf() {
  const reported: (boolean | 'stop')[] = []
  const ending = createEnding({
    onLive: (live) => void reported.push(live),
    onStopRecording: () => void reported.push('stop'),
  })
  return { ending, reported }
}

test('sends no stop request if nothing is being recorded', async () => {
  const { ending, reported } = endingOf()
  await ending.stop()
  expect(reported).toEqual([])
})

test('requests pages to stop a recording, and all callers wait for its end', async () => {
  const { ending, reported } = endingOf()
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
  expect(reported).toEqual([true, 'stop', 'stop', true, false])
  ending.live(true)
  let again = false
  const next = ending.stop().then(() => (again = true))
  await Promise.resolve()
  expect(again).toBe(false)
  ending.live(false)
  await next
})
