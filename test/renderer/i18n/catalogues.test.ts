import { expect, test } from 'vitest'
import { errorCodes } from '../../../src/shared/contract/reply.ts'
import { en } from '../../../src/renderer/src/i18n/en/index.ts'
import { namesIn } from '../../../src/renderer/src/i18n/failure.ts'
import { createMessages, setLanguage } from '../../../src/renderer/src/i18n/index.ts'
import { zh } from '../../../src/renderer/src/i18n/zh/index.ts'

const leaves = (node: unknown, path = ''): [string, string][] =>
  typeof node === 'string'
    ? [[path, node]]
    : Object.entries(node as object).flatMap(([key, value]) =>
        leaves(value, path === '' ? key : `${path}.${key}`),
      )

const english = new Map(leaves(en))
const chinese = new Map(leaves(zh))

test('has the same keys in both catalogs', () => {
  expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted())
})

test('uses the same values in a sentence in both languages', () => {
  for (const [key, sentence] of english)
    expect([key, [...new Set(namesIn(chinese.get(key) ?? ''))].toSorted()]).toEqual([
      key,
      [...new Set(namesIn(sentence))].toSorted(),
    ])
})

test('has two plural forms in English and one in Chinese', () => {
  const forms = (sentence: string): number => sentence.split(' | ').length
  for (const [key, sentence] of english) expect([key, forms(sentence) <= 2]).toEqual([key, true])
  for (const [key, sentence] of chinese) expect([key, forms(sentence)]).toEqual([key, 1])
})

test('has no empty sentence, and Chinese text in the Chinese catalog', () => {
  const sameInBoth = new Set([
    'app.name',
    'chatMessage.from',
    'documentExport.dots',
    'knowledge.field.id',
    'accounts.bigmodel',
    'accounts.zai',
    'meetingSide.hertz',
    'intake.uploading',
    'activity.tokens',
    'things.id',
  ])
  for (const [key, sentence] of chinese) {
    expect([key, sentence.trim()]).not.toEqual([key, ''])
    if (!sameInBoth.has(key)) expect([key, /\p{sc=Han}/u.test(sentence)]).toEqual([key, true])
  }
})

test.each(errorCodes)('explains for %s what happened and what to do', (code) => {
  for (const catalogue of [english, chinese])
    for (const part of ['what', 'todo'])
      expect(catalogue.get(`errors.${code}.${part}`)?.length ?? 0).toBeGreaterThan(2)
})

test.each([
  'INTERNAL',
  'CANCELLED',
  'LEFT_UNFINISHED',
  'QUOTA_EXHAUSTED',
  'KEYCHAIN_UNAVAILABLE',
  'KEYCHAIN_LOCKED',
  'OFFLINE',
  'TIMEOUT',
  'TLS_UNTRUSTED',
  'STREAM_CUT',
  'ANSWER_TOO_LONG',
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVER_ERROR',
  'SERVICE_FAILED',
  'AUDIO_TOO_LONG',
  'FILE_MISSING',
  'DISK_FULL',
  'DATABASE_DAMAGED',
  'DATABASE_FROM_FUTURE',
  'DATABASE_TOO_OLD',
  'ENGINE_UNAVAILABLE',
])('explains for %s what it means for the data', (code) => {
  for (const catalogue of [english, chinese])
    expect(catalogue.get(`errors.${code}.data`)?.length ?? 0).toBeGreaterThan(3)
})

test('has a variant without values for each sentence with values', () => {
  // The page itself knows the limit.
  const needsTwin = errorCodes.filter((code) =>
    namesIn(english.get(`errors.${code}.what`) ?? '').some((name) => name !== 'limit'),
  )
  expect(needsTwin.length).toBeGreaterThan(2)
  expect(needsTwin.filter((code) => !english.has(`errors.${code}.plain`))).toEqual([])
})

test('uses every key somewhere, and only existing keys', () => {
  const sources = import.meta.glob<string>(
    ['../../../src/renderer/src/**/*.{ts,vue}', '../../../src/shared/model/library*.ts'],
    { query: '?raw', import: 'default', eager: true },
  )
  const text = Object.entries(sources)
    .filter(([path]) => !/i18n\/(en|zh)\//.test(path))
    .map(([, source]) => source)
    .join('\n')
  const whole = new Set(
    [...text.matchAll(/['"`]([a-zA-Z_]+(?:\.[a-zA-Z_]+)+)['"`]/g)].map((m) => m[1]),
  )
  // Keys built from a prefix, as in t(`rail.${name}`).
  const prefixes = [...text.matchAll(/[`]([a-zA-Z_]+(?:\.[a-zA-Z_]+)*\.[a-zA-Z_]*)\$\{/g)].map(
    (m) => m[1] ?? '',
  )
  const unused = [...english.keys()].filter(
    (key) => !whole.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
  )
  expect(unused).toEqual([])
  const usedKeys = [...text.matchAll(/\b(?:t|show)\(\s*'([\w.]+)'/g)].map((m) => m[1] ?? '')
  expect(usedKeys.length).toBeGreaterThan(100)
  const missing = usedKeys.filter((key) => !english.has(key))
  expect(missing).toEqual([])
})

test('keeps the chosen language while the catalog of another one is still loading', async () => {
  const i18n = createMessages()
  const late = setLanguage(i18n, 'zh-CN')
  await setLanguage(i18n, 'en')
  await late
  expect(i18n.global.locale.value).toBe('en')
  await setLanguage(i18n, 'zh-CN')
  expect(i18n.global.locale.value).toBe('zh-CN')
})
