import { expect, test } from 'vitest'
import { crashTestTranscription } from '../crash-tests/transcription.ts'

test('completes a meeting whose import or transcription was killed, six times', async () => {
  const { rounds, moments } = await crashTestTranscription({ rounds: 6, seed: 11 })
  expect(moments.before + moments.during + moments.after).toBe(rounds)
}, 600_000)
