import { expect, test } from 'vitest'
import { channelMixMatrix } from '../../../../../src/renderer/src/domains/audio/meetings/channel-mix-matrix.ts'
import {
  skipTo,
  speechSpans,
} from '../../../../../src/renderer/src/domains/audio/meetings/skip-silence.ts'
import { segmentOf } from './side-data.ts'

test('plays one channel on both sides, mixes a meeting and keeps left and right of a file', () => {
  expect(channelMixMatrix(0, ['mic', 'others'])).toEqual([
    [1, 1],
    [0, 0],
  ])
  expect(channelMixMatrix(1, ['left', 'right'])).toEqual([
    [0, 0],
    [1, 1],
  ])
  const [[left, right]] = channelMixMatrix('mix', ['mic', 'others'])
  expect(left).toBe(right)
  expect(channelMixMatrix('mix', ['left', 'right'])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

const segments = [
  segmentOf('a', 2000, { endMs: 5000 }),
  segmentOf('b', 4000, { endMs: 6000, channel: 1 }),
  segmentOf('c', 7000, { endMs: 8000 }),
  segmentOf('d', 20_000, { endMs: 22_000, channel: 1 }),
]

test('merges overlapping voices of the audible channels into one range', () => {
  expect(speechSpans(segments, () => true)).toEqual([
    { startMs: 2000, endMs: 6000 },
    { startMs: 7000, endMs: 8000 },
    { startMs: 20_000, endMs: 22_000 },
  ])
  expect(speechSpans(segments, (channel) => channel === 1)).toEqual([
    { startMs: 4000, endMs: 6000 },
    { startMs: 20_000, endMs: 22_000 },
  ])
})

test('skips long silence up to just before the next voice, not short or final silence', () => {
  const spans = speechSpans(segments, () => true)
  expect(skipTo(spans, 300)).toBe(1800)
  expect(skipTo(spans, 3000)).toBeNull()
  expect(skipTo(spans, 6500)).toBeNull()
  // The end of a voice is played completely.
  expect(skipTo(spans, 8100)).toBeNull()
  expect(skipTo(spans, 8300)).toBe(19_800)
  expect(skipTo(spans, 19_900)).toBeNull()
  expect(skipTo(spans, 30_000)).toBeNull()
  expect(skipTo([], 1000)).toBeNull()
})
