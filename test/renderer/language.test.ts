import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { en } from '../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../src/renderer/src/i18n/zh/index.ts'

const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8')

/** Every text with its key, one entry for each plural form. */
const textsOf = (node: unknown, path = ''): (readonly [key: string, text: string])[] =>
  typeof node === 'string'
    ? node.split(' | ').map((form) => [path, form] as const)
    : Object.entries(node as object).flatMap(([key, value]) =>
        textsOf(value, path === '' ? key : `${path}.${key}`),
      )
const english = textsOf(en)
const chinese = textsOf(zh)

/** The words of one column over all tables of the glossary. */
function wordsIn(column: string): string[] {
  let place = -1
  const found: string[] = []
  for (const line of glossary.split('\n')) {
    if (!line.startsWith('|')) place = -1
    else {
      const cells = line.split('|').map((cell) => cell.trim())
      if (cells.includes(column)) place = cells.indexOf(column)
      else if (place > 0 && !/^-+$/.test(cells[place] ?? '-'))
        found.push(...(cells[place] ?? '').split('; '))
    }
  }
  return found.filter((word) => word !== '' && word !== '—')
}

/** Texts in which a word is right: it quotes the API, or names something else than the glossary's concept. */
const exceptions: Readonly<Record<string, readonly RegExp[]>> = {
  // What a person says or hears.
  sound: [/^voices\.sentence$/, /^speech\.sample$/],
  hear: [/^engineNotices\.cannotSpeak$/, /^speech\.localPlays$/],
  声音: [/^capture\./, /^engineNotices\.silent$/, /^cloning\.agree\./, /^speech\.sample$/],
  // The name of a measure.
  hit: [/^retrieval\.measures\.hit$/],
  命中: [/^retrieval\.measures\.hit$/],
  // Conversations and sessions of the API.
  conversation: [/^slides\./, /^things\./, /^playground\.(?:ops|hints)\./],
  conversations: [/^playground\.ops\./],
  会话: [/^slides\./, /^things\./, /^chatMessage\.retold$/],
  // Questions of the system, and bytes of a request.
  询问: [/^selfTest\./, /^settings\.global\./],
  接收: [/^activity\./],
}

/** A text without names of values, and without the terms that contain a word to avoid. */
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

test('English texts use the terms of the glossary', () => {
  const words = wordsIn('Not in English')
  expect(words.length).toBeGreaterThan(100)
  expect(
    breaches(english, words, (word) => new RegExp(String.raw`\b${escaped(word)}\b`, 'i')),
  ).toEqual([])
})

test('Chinese texts use the terms of the glossary', () => {
  const words = wordsIn('Not in Chinese')
  expect(words.length).toBeGreaterThan(60)
  expect(breaches(chinese, words, (word) => new RegExp(escaped(word)))).toEqual([])
})

test('English texts have US spelling', () => {
  const british =
    /\b\w*(?:colour|favourite|behaviour|licence|centre|catalogue|dialogue|cancelled|labelled|grey)\w*|\b\w+(?:recognis|organis|normalis|synchronis|summaris)\w*/i
  expect(english.filter(([, text]) => british.test(text))).toEqual([])
})

test('Chinese addresses the user as 你 and has one ellipsis and no space before %', () => {
  expect(chinese.filter(([, text]) => /您|……| %/.test(text))).toEqual([])
})

/** Keys of short sentences: what happened, and results of checks. */
const isStatement = (key: string): boolean => /^(?:errors|selfTest)\./.test(key)

test('labels are nouns, not clauses, and end without a period', () => {
  const clauses = english.filter(
    ([, text]) => /^(?:What|Who|How) /.test(text) && !/[?.…]$/.test(text),
  )
  expect(clauses).toEqual([])
  expect(
    chinese.filter(([key, text]) => /^[^，。？！：；]{1,3}。$/.test(text) && !isStatement(key)),
  ).toEqual([])
})

/** Longest texts by what they are, in characters. A value that is filled in counts as its name. */
const limits = { text: 170, hint: 110, label: 64 } as const
/** Sample texts of the app, which a reader opens as a document. */
const isSample = (key: string): boolean => /sample|script/i.test(key)

test('texts are short enough to be read once', () => {
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
