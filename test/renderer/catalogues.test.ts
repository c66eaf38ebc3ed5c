import { expect, test } from 'vitest'
import { errorCodes } from '../../src/shared/bridge/reply.ts'
import { en } from '../../src/renderer/src/i18n/en/index.ts'
import { namesIn } from '../../src/renderer/src/i18n/failure.ts'
import { createMessages, setLanguage } from '../../src/renderer/src/i18n/index.ts'
import { zh } from '../../src/renderer/src/i18n/zh/index.ts'

const leaves = (node: unknown, path = ''): [string, string][] =>
  typeof node === 'string'
    ? [[path, node]]
    : Object.entries(node as object).flatMap(([key, value]) =>
        leaves(value, path === '' ? key : `${path}.${key}`),
      )

const english = new Map(leaves(en))
const chinese = new Map(leaves(zh))

test('both catalogues have the same keys', () => {
  expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted())
})

test('a sentence names the same values in both languages', () => {
  for (const [key, sentence] of english)
    expect([key, [...new Set(namesIn(chinese.get(key) ?? ''))].toSorted()]).toEqual([
      key,
      [...new Set(namesIn(sentence))].toSorted(),
    ])
})

test('what is counted has words for none, one and more: with two forms, one would read as none', () => {
  for (const [key, sentence] of [...english, ...chinese]) {
    const forms = sentence.split(' | ').length
    expect([key, forms === 1 || forms === 3]).toEqual([key, true])
  }
})

test('no sentence is empty, and Chinese ones are Chinese', () => {
  const sameInBoth = new Set([
    'app.name',
    'accounts.bigmodel',
    'accounts.zai',
    'intake.uploading',
    'activity.tokens',
  ])
  for (const [key, sentence] of chinese) {
    expect([key, sentence.trim()]).not.toEqual([key, ''])
    if (!sameInBoth.has(key)) expect([key, /\p{sc=Han}/u.test(sentence)]).toEqual([key, true])
  }
})

test.each(errorCodes)(
  '%s says what happened, what it means for the data and what to do',
  (code) => {
    for (const catalogue of [english, chinese])
      for (const part of ['what', 'data', 'todo'])
        expect(catalogue.get(`errors.${code}.${part}`)?.length ?? 0).toBeGreaterThan(3)
  },
)

test('a sentence that names a value has a plain twin for when the value is missing', () => {
  // The limit itself is known to the page.
  const needsTwin = errorCodes.filter((code) =>
    namesIn(english.get(`errors.${code}.what`) ?? '').some((name) => name !== 'limit'),
  )
  expect(needsTwin.length).toBeGreaterThan(2)
  expect(needsTwin.filter((code) => !english.has(`errors.${code}.plain`))).toEqual([])
})

test('every key is used somewhere, and every key that is used exists', () => {
  const sources = import.meta.glob<string>('../../src/renderer/src/**/*.{ts,vue}', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const text = Object.entries(sources)
    .filter(([path]) => !/i18n\/(en|zh)\//.test(path))
    .map(([, source]) => source)
    .join('\n')
  const whole = new Set(
    [...text.matchAll(/['"`]([a-zA-Z_]+(?:\.[a-zA-Z_]+)+)['"`]/g)].map((m) => m[1]),
  )
  // Keys put together from a prefix, as in t(`rail.${name}`).
  const prefixes = [...text.matchAll(/[`]([a-zA-Z_]+(?:\.[a-zA-Z_]+)*\.[a-zA-Z_]*)\$\{/g)].map(
    (m) => m[1] ?? '',
  )
  const unused = [...english.keys()].filter(
    (key) => !whole.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
  )
  expect(unused).toEqual([])
  const asked = [...text.matchAll(/\b(?:t|show)\(\s*'([\w.]+)'/g)].map((m) => m[1] ?? '')
  expect(asked.length).toBeGreaterThan(100)
  const missing = asked.filter((key) => !english.has(key))
  expect(missing).toEqual([])
})

test('a language chosen while the catalogue of another one is still loading stays chosen', async () => {
  const i18n = createMessages()
  const late = setLanguage(i18n, 'zh-CN')
  await setLanguage(i18n, 'en')
  await late
  expect(i18n.global.locale.value).toBe('en')
  await setLanguage(i18n, 'zh-CN')
  expect(i18n.global.locale.value).toBe('zh-CN')
})
