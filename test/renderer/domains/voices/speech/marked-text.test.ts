import { expect, test } from 'vitest'
import { markedParts } from '../../../../../src/renderer/src/domains/voices/speech/marked-text.ts'
import { planOf } from '../../../../../src/renderer/src/domains/voices/speech/use-plan.ts'
import { textOfFile } from '../../../../../src/renderer/src/domains/voices/speech/text-file.ts'
import { defaultSpeech } from '../../../../../src/shared/model/speech.ts'

test('places marks at their offsets, and keeps the text when joined', () => {
  const text = 'Seven silent ships sail south.'
  const parts = markedParts(text, [
    { kind: 'missing', from: 6, to: 12, heard: '' },
    { kind: 'added', from: 18, to: 18, heard: 'slowly' },
    { kind: 'changed', from: 24, to: 29, heard: 'north' },
  ])
  expect(parts.map(({ kind, text: part }) => [kind, part])).toEqual([
    ['plain', 'Seven '],
    ['missing', 'silent'],
    ['plain', ' ships'],
    ['added', ''],
    ['plain', ' sail '],
    ['changed', 'south'],
    ['plain', '.'],
  ])
  expect(parts.map((part) => part.text).join('')).toBe(text)
})

test('counts segments and characters to send, and estimates time by speed and pauses', () => {
  const text = `${'a'.repeat(125)}.\n\n${'b'.repeat(125)}.\n\n* * *`
  const plan = planOf(text, { ...defaultSpeech, paragraphMs: 1000 })
  expect(plan).toMatchObject({ segments: 2, seconds: 21 })
  expect(planOf(text, { ...defaultSpeech, paragraphMs: 1000, speed: 2 }).seconds).toBe(11)
  expect(planOf('  \n ', defaultSpeech)).toEqual({ segments: 0, characters: 0, seconds: 0 })
})

test('reads text files in UTF-8, UTF-16 and GB 18030, and rejects other content', async () => {
  expect(await textOfFile(new Blob(['一段\r\n文字']))).toBe('一段\n文字')
  expect(await textOfFile(new Blob([new Uint8Array([0xff, 0xfe, 0x00, 0x4e])]))).toBe('一')
  expect(await textOfFile(new Blob([new Uint8Array([0xc4, 0xe3, 0xba, 0xc3])]))).toBe('你好')
  expect(await textOfFile(new Blob([new Uint8Array([0x25, 0x50, 0x00, 0x01])]))).toBeNull()
})
