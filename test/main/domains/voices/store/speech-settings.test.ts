import { expect, test } from 'vitest'
import { toSettings } from '../../../../../src/main/domains/voices/store/speech-rows.ts'
import { defaultSpeech } from '../../../../../src/shared/model/speech.ts'

test('does not adopt the automatic retries of an earlier version, which would cost money', () => {
  const earlier = JSON.stringify({ speed: 2, retries: 1 })
  expect(toSettings(earlier)).toEqual({ ...defaultSpeech, speed: 2, paidRetries: 0 })
  expect(toSettings('{"paidRetries":2}').paidRetries).toBe(2)
})
