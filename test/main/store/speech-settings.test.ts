import { expect, test } from 'vitest'
import { toSettings } from '../../../src/main/store/speech-rows.ts'
import { defaultSpeech } from '../../../src/shared/model/speech.ts'

test('what an earlier version did by itself was nobody’s choice: it pays nothing again', () => {
  const earlier = JSON.stringify({ speed: 2, retries: 1 })
  expect(toSettings(earlier)).toEqual({ ...defaultSpeech, speed: 2, paidRetries: 0 })
  expect(toSettings('{"paidRetries":2}').paidRetries).toBe(2)
})
