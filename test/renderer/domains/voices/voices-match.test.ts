import { expect, test } from 'vitest'
import { offersPreview } from '../../../../src/renderer/src/domains/voices/voices/can-synthesize.ts'
import type { Voice } from '../../../../src/shared/model/voice.ts'
import type { VoiceClone } from '../../../../src/shared/model/sample.ts'
import { failure } from '../../fake-data.ts'
import {
  loadPronunciations,
  nameFit,
  needsPronunciations,
} from '../../../../src/renderer/src/domains/voices/voices/voice-search.ts'
import {
  freeName,
  lacksCloning,
  suggestedName,
  toggledRange,
  voiceNamePattern,
} from '../../../../src/renderer/src/domains/voices/voices/clone/use-clone-form.ts'

const names = ['Morning_Ada', 'tongtong', 'chuichui', '小晨', '彤彤', 'Ada (reads)', 'Ünal']
const found = async (typed: string): Promise<readonly string[]> => {
  const pronunciations = await loadPronunciations()
  return names
    .map((name) => ({ name, fit: nameFit(name, typed, pronunciations) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ name }) => name)
}

test.each([
  ['ada', ['Ada (reads)', 'Morning_Ada']],
  ['mornng', ['Morning_Ada']],
  ['morning ada', ['Morning_Ada']],
  ['chuihcui', ['chuichui']],
  ['xiaochen', ['小晨']],
  ['xc', ['小晨']],
  ['彤彤', ['tongtong', '彤彤']],
  ['tongtong', ['tongtong', '彤彤']],
  ['晨', ['小晨']],
  ['ＡＤＡ', ['Ada (reads)', 'Morning_Ada']],
  ['zebra', []],
])('finds a voice: %s matches %j', async (typed, expected) => {
  expect([...(await found(typed))].toSorted()).toEqual([...expected].toSorted())
})

test('loads pronunciations only for names that need them', () => {
  expect(needsPronunciations(['Ada', 'tong'])).toBe(false)
  expect(needsPronunciations(['Ada', '彤'])).toBe(true)
})

test('suggests a name that is valid and not in use', () => {
  expect(suggestedName('Voice, Nov 22, 10:04')).toBe('Voice_Nov_22_10_04')
  expect(suggestedName('  ¿? ')).toBe('')
  expect(freeName('Ada', new Set(['ada', 'ada_2']))).toBe('Ada_3')
  for (const good of ['Ada_1', '彤彤', 'Jürgen-2']) expect(good).toMatch(voiceNamePattern)
  for (const bad of ['', 'a b', 'a/b', 'x'.repeat(65)]) expect(bad).not.toMatch(voiceNamePattern)
})

test('remembers that an account could not clone a sample, until a later clone of it', () => {
  const clone = (accountId: string, code: 'NOT_IMPLEMENTED' | 'OFFLINE') =>
    ({ accountId, state: 'failed', error: failure(code) }) as VoiceClone
  const clones = [clone('one', 'NOT_IMPLEMENTED'), clone('two', 'OFFLINE')]
  expect(lacksCloning({ clones }, 'one')).toBe(true)
  expect(lacksCloning({ clones }, 'two')).toBe(false)
  expect(lacksCloning({ clones: [clone('one', 'OFFLINE'), ...clones] }, 'one')).toBe(false)
})

test('offers another preview after one was generated', () => {
  const voice = { accountId: 'a', type: 'OFFICIAL', goneAt: null, downloadUrl: null } as Voice
  expect(offersPreview({ ...voice, previewId: null, previewKind: null }, false)).toBe(true)
  expect(offersPreview({ ...voice, previewId: 'm', previewKind: 'spoken' }, false)).toBe(true)
  expect(offersPreview({ ...voice, previewId: 'm', previewKind: 'service' }, false)).toBe(false)
})

test('chooses a range of lines by its ends', () => {
  expect(toggledRange([], [], 'b')).toEqual(['b'])
  expect(toggledRange(['b'], ['b'], 'd')).toEqual(['b', 'd'])
  expect(toggledRange(['b', 'd'], ['b', 'c', 'd'], 'b')).toEqual(['c', 'd'])
  expect(toggledRange(['b', 'd'], ['b', 'c', 'd'], 'd')).toEqual(['b', 'c'])
  expect(toggledRange(['b', 'd'], ['b', 'c', 'd'], 'c')).toEqual(['b'])
})
