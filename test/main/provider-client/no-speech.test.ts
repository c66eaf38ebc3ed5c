import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNoSpeech } from '../../../src/main/provider-client/no-speech.ts'
import { growsWithItsInput } from '../../fixtures/growth.ts'

test.each([
  '',
  ' \n',
  '...',
  '。',
  '♪♪',
  'No speech.',
  'No speech detected',
  'no audible speech was detected in the audio.',
  'There is no speech in the audio.',
  'There is no sound.',
  "There's no human voice in this recording.",
  'This audio contains silence.',
  'The audio is silent.',
  'The recording is completely silent',
  'This audio clip contains only background noise.',
  'The audio does not contain any speech.',
  'The sound of silence.',
  'The sound of a clicking.',
  '[silence]',
  '[BLANK_AUDIO]',
  '[BLANK_AUDIO] [BLANK_AUDIO]',
  '(inaudible)',
  '*silence*',
  '未检测到语音。',
  '没有检测到有效的语音内容',
  '音频中没有人声。',
  '该音频为静音。',
  '（静音）',
  '【无声】',
])('detects %j as no speech', (text) => {
  expect(isNoSpeech(text)).toBe(true)
})

test.each([
  'No.',
  'Silence!',
  'Thank you.',
  'There is no sound reason to do that.',
  'There is no speech tomorrow, the senator is ill.',
  'No speech detected. Hello, can you hear me?',
  '[silence] So, as I was saying',
  'The sound of music is a film.',
  'The audio is silent on that point, I think.',
  '谢谢观看',
  '没有',
  '这段音频没有声音吗',
  '没有声音的世界是什么样的',
  '1',
  'a',
  '嗯。',
  'ask not what your country can do for you',
])('detects %j as speech', (text) => {
  expect(isNoSpeech(text)).toBe(false)
})

test('treats a no-speech phrase within longer speech as speech', () => {
  fc.assert(
    fc.property(fc.constantFrom('No speech detected', '静音'), fc.nat(3), (sentence, n) => {
      const text = `${sentence} and then ${'we spoke on '.repeat(n + 1)}`
      expect(isNoSpeech(text)).toBe(false)
    }),
  )
})

test('checks any text in linear time', () => {
  const part = fc.constantFrom(
    'no ',
    'audible ',
    '没有',
    '任何',
    '有效的',
    '[',
    'silence',
    ' ',
    '(',
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      // The same 120 characters, and texts far longer than any sentence.
      for (const length of [14, 50_000]) {
        const text = (times: number): string =>
          parts
            .join('')
            .repeat(length * times)
            .slice(0, length * times)
        expect(growsWithItsInput((times) => isNoSpeech(`${text(times)}!`))).toBe(true)
      }
    }),
  )
})
