import { expect, test } from 'vitest'
import {
  readSpeechSettings,
  writeSpeechSettings,
} from '../../../../../src/renderer/src/domains/voices/speech/speech-preferences.ts'
import { en } from '../../../../../src/renderer/src/i18n/en/index.ts'
import { defaultSpeech } from '../../../../../src/shared/model/speech.ts'

test('copies the settings of the last narration, but not paid retries', () => {
  const stored = new Map<string, string>()
  const store = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  expect(readSpeechSettings(store)).toEqual(defaultSpeech)
  writeSpeechSettings(store, { ...defaultSpeech, speed: 1.5, paidRetries: 3 })
  expect(readSpeechSettings(store)).toEqual({ ...defaultSpeech, speed: 1.5, paidRetries: 0 })
})

test('mentions the cost in the setting', () => {
  expect(en.speech.retriesHint).toMatch(/costs another request/)
})
