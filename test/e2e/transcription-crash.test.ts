import { expect, test } from 'vitest'
import { crashTestTranscription } from '../crash-tests/transcription.ts'

test('killed six times in the middle of a transcription, nothing a page has seen is lost', async () => {
  const result = await crashTestTranscription({ rounds: 6, seed: 11 })
  expect(result.resumed + result.explained).toBe(6)
  expect(result.moments.during).toBeGreaterThan(0)
}, 120_000)
