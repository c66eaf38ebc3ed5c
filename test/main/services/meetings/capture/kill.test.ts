import { expect, test } from 'vitest'
import { tortureRecording } from '../../../../torture/recording.ts'

test('killed at any moment, a recording is listed, playable and the very samples that were acknowledged', async () => {
  const { kills, worstLost } = await tortureRecording({ rounds: 5, seed: 11, lifeMs: 1800 })
  expect(kills).toHaveLength(5)
  expect(worstLost).toBeLessThanOrEqual(1)
  // Otherwise nothing was at stake.
  expect(kills.filter(({ acknowledged }) => acknowledged > 0).length).toBeGreaterThan(2)
})
