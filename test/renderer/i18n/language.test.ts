import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wordsInColumn } from '../../../scripts/lib/vocabulary.mjs'
import { en } from '../../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../../src/renderer/src/i18n/zh/index.ts'

const glossary = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8')

/** Returns every text with its key, one entry for each plural form. */
const textsOf = (node: unknown, path = ''): (readonly [key: string, text: string])[] =>
  typeof node === 'string'
    ? node.split(' | ').map((form) => [path, form] as const)
    : Object.entries(node as object).flatMap(([key, value]) =>
        textsOf(value, path === '' ? key : `${path}.${key}`),
      )
const english = textsOf(en)
const chinese = textsOf(zh)

/**
 * Texts in which a word is correct: it quotes the API, or has another meaning than the glossary's concept.
 */
const exceptions: Readonly<Record<string, readonly RegExp[]>> = {
  // Speech of a person, and hearing.
  sound: [/^voices\.sentence$/, /^speech\.sample$/],
  hear: [/^engineNotices\.cannotSpeak$/],
  声音: [/^capture\./, /^engineNotices\.silent$/, /^cloning\.agree\./, /^speech\.sample$/],
  // Name of a measure.
  hit: [/^retrieval\.measures\.hit$/],
  命中: [/^retrieval\.measures\.hit$/],
  // Conversations and sessions of the API.
  conversation: [/^slides\./, /^things\./, /^playground\.(?:ops|hints)\./],
  conversations: [/^playground\.ops\./],
  会话: [/^slides\./, /^things\./, /^chatMessage\.resentHistory$/],
  // Prompts of the system, and bytes of a request.
  询问: [/^selfTest\./, /^settings\.global\./],
  接收: [/^activity\./],
}

/** Returns a text without placeholder names and without the terms that contain a forbidden word. */
const plain = (text: string): string => text.replaceAll(/\{\w+\}|knowledge bases?/gi, '')

const breaches = (
  texts: readonly (readonly [string, string])[],
  words: readonly string[],
  pattern: (word: string) => RegExp,
): string[] =>
  words.flatMap((word) =>
    texts
      .filter(
        ([key, text]) =>
          pattern(word).test(plain(text)) &&
          !exceptions[word]?.some((allowed) => allowed.test(key)),
      )
      .map(([key, text]) => `${key}: "${word}" in "${text}"`),
  )

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

test('uses the terms of the glossary in English texts', () => {
  const words = wordsInColumn(glossary, 'Not in English')
  expect(words.length).toBeGreaterThan(100)
  expect(
    breaches(english, words, (word) => new RegExp(String.raw`\b${escaped(word)}\b`, 'i')),
  ).toEqual([])
})

test('uses the terms of the glossary in Chinese texts', () => {
  const words = wordsInColumn(glossary, 'Not in Chinese')
  expect(words.length).toBeGreaterThan(60)
  expect(breaches(chinese, words, (word) => new RegExp(escaped(word)))).toEqual([])
})

test('uses US spelling in English texts', () => {
  const british =
    /\b\w*(?:colour|favourite|behaviour|licence|centre|catalogue|dialogue|cancelled|labelled|grey)\w*|\b\w+(?:recognis|organis|normalis|synchronis|summaris)\w*/i
  expect(english.filter(([, text]) => british.test(text))).toEqual([])
})

test('uses 你, a single ellipsis and no space before % in Chinese', () => {
  expect(chinese.filter(([, text]) => /您|……| %/.test(text))).toEqual([])
})

/** Keys of short sentences: errors, and results of checks. */
const isStatement = (key: string): boolean => /^(?:errors|selfTest)\./.test(key)

test('uses nouns without a period as labels', () => {
  const clauses = english.filter(
    ([, text]) => /^(?:What|Who|How) /.test(text) && !/[?.…]$/.test(text),
  )
  expect(clauses).toEqual([])
  expect(
    chinese.filter(([key, text]) => /^[^，。？！：；]{1,3}。$/.test(text) && !isStatement(key)),
  ).toEqual([])
})

/** Maximum text lengths by type, in characters. A placeholder counts with its name. */
const limits = { text: 170, hint: 110, label: 64 } as const
/** Sample texts of the app, which users open as documents. */
const isSample = (key: string): boolean => /sample|script/i.test(key)

test('keeps texts short enough to be read once', () => {
  const tooLong = english.filter(([key, text]) => {
    if (isSample(key)) return false
    const isSentence = /[.?!…:](?:["”]?$| )/.test(text)
    const isHint = /hint|limits/i.test(key)
    const limit = isHint ? limits.hint : isSentence ? limits.text : limits.label
    return text.length > limit
  })
  expect(tooLong).toEqual([])
  const long = chinese.filter(([key, text]) => !isSample(key) && text.length > limits.text / 2)
  expect(long).toEqual([])
})
