import { expect, test } from 'vitest'
import { crashTestTranscription } from '../crash-tests/transcription.ts'

test('loses nothing a page has received when killed six times during a transcription', async () => {
  const result = await crashTestTranscription({ rounds: 6, seed: 11 })
  expect(result.resumed + result.explained).toBe(6)
  expect(result.moments.during).toBeGreaterThan(0)
}, 120_000)
