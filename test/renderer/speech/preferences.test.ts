import { expect, test } from 'vitest'
import {
  readSpeechSettings,
  writeSpeechSettings,
} from '../../../src/renderer/src/features/speech/preferences.ts'
import { en } from '../../../src/renderer/src/i18n/en/index.ts'
import { defaultSpeech } from '../../../src/shared/model/speech.ts'

test('a new speech begins with the settings of the last one, but pays nothing again by itself', () => {
  const stored = new Map<string, string>()
  const store = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  expect(readSpeechSettings(store)).toEqual(defaultSpeech)
  writeSpeechSettings(store, { ...defaultSpeech, speed: 1.5, paidRetries: 3 })
  expect(readSpeechSettings(store)).toEqual({ ...defaultSpeech, speed: 1.5, paidRetries: 0 })
})

test('the setting names what it costs', () => {
  expect(en.speech.retriesHint).toMatch(/costs another request/)
})
