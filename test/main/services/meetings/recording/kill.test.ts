import { expect, test } from 'vitest'
import { crashTestRecording } from '../../../../crash-tests/recording.ts'

test('killed at any moment, a recording is listed, playable and the very samples that were acknowledged', async () => {
  const { kills, worstLost } = await crashTestRecording({ rounds: 5, seed: 11, lifeMs: 1800 })
  expect(kills).toHaveLength(5)
  expect(worstLost).toBeLessThanOrEqual(1)
  // Otherwise nothing was at stake.
  expect(kills.filter(({ acknowledged }) => acknowledged > 0).length).toBeGreaterThan(2)
})
