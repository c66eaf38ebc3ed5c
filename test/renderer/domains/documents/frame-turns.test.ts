import { expect, test } from 'vitest'
import { createFrameTurns } from '../../../../src/renderer/src/domains/documents/blocks/frame-scheduler.ts'

/** Page whose clock and frames the test advances. */
function aPage() {
  let time = 0
  let requested: (() => void)[] = []
  const turns = createFrameTurns({ now: () => time, ask: (frame) => void requested.push(frame) })
  return {
    turns,
    /** Work of the given number of steps; each adds some elements and takes some milliseconds. */
    work(steps: number, { elements = 0, ms = 0 } = {}) {
      const progress = { steps: 0, done: false }
      const drawMore = (shouldContinue: (put: number) => boolean): boolean => {
        let put = 0
        while (shouldContinue(put)) {
          if (progress.steps === steps) return true
          progress.steps += 1
          put += elements
          time += ms
        }
        return false
      }
      const end = turns.begin(drawMore, () => (progress.done = true))
      return { progress, end }
    },
    frame() {
      const now = requested
      requested = []
      time += 16
      for (const one of now) one()
    },
    idle: () => requested.length === 0,
  }
}

test('renders small content at once, without further frames', () => {
  const page = aPage()
  expect(page.work(3, { elements: 2 }).progress).toEqual({ steps: 3, done: true })
  for (let frames = 0; frames < 4; frames += 1) page.frame()
  expect(page.idle()).toBe(true)
})

test('renders large content over many frames, none of which exceeds its share', () => {
  const page = aPage()
  const { progress } = page.work(100, { elements: 30 })
  let last = progress.steps
  let frames = 0
  for (; !progress.done && frames < 200; frames += 1) {
    page.frame()
    expect((progress.steps - last) * 30).toBeLessThanOrEqual(150)
    last = progress.steps
  }
  expect(progress).toEqual({ steps: 100, done: true })
  expect(frames).toBeGreaterThan(10)
})

test('shares one frame among rows that are added together, and continues with the rest', () => {
  const page = aPage()
  const rows = Array.from({ length: 10 }, () => page.work(4, { ms: 1 }).progress)
  const drawn = (): number => rows.filter(({ done }) => done).length
  expect(drawn()).toBeGreaterThan(0)
  expect(drawn()).toBeLessThan(4)
  for (let frames = 0; frames < 12; frames += 1) page.frame()
  expect(drawn()).toBe(10)
})

test('does not delay small content by large content', () => {
  const page = aPage()
  const large = page.work(1000, { elements: 30 }).progress
  const small = page.work(2, { elements: 3 }).progress
  for (let frames = 0; frames < 4; frames += 1) page.frame()
  expect(small.done).toBe(true)
  expect(large.done).toBe(false)
})

test('stops rendering content that left the page', () => {
  const page = aPage()
  const { progress, end } = page.work(1000, { elements: 30 })
  end()
  const { steps } = progress
  for (let frames = 0; frames < 5; frames += 1) page.frame()
  expect(progress.steps).toBe(steps)
  expect(page.idle()).toBe(true)
})
