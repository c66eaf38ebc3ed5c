import { expect, test } from 'vitest'
import { crashTestRecording } from '../../../../../crash-tests/recording.ts'

test('a recording killed at any moment is listed, playable and has all acknowledged samples', async () => {
  const { kills, worstLost } = await crashTestRecording({ rounds: 5, seed: 11, lifeMs: 1800 })
  expect(kills).toHaveLength(5)
  expect(worstLost).toBeLessThanOrEqual(1)
  // Otherwise the test would prove nothing.
  expect(kills.filter(({ acknowledged }) => acknowledged > 0).length).toBeGreaterThan(2)
})
