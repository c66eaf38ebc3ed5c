import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { breachesIn, readVocabulary } from '../../scripts/lib/vocabulary.mjs'

const vocabulary = readVocabulary(
  readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8'),
)
const inFile = (/** @type {string} */ text, path = 'src/main/x.ts') =>
  breachesIn(ts, vocabulary, path, text)

test('reads the words, the phrases and the names that stay', () => {
  expect(vocabulary.words.size).toBeGreaterThan(20)
  expect(vocabulary.nameWords.size).toBeGreaterThan(5)
  expect(vocabulary.phrases).toContain('for good')
  expect(vocabulary.exceptions.map(({ name }) => name)).toContain('retold')
})

test.each([
  ['a name', 'const savedByDesk = 1'],
  ['a part of a name', 'const isKeptFile = true'],
  ['a property', 'const a = { anew: 1 }'],
  ['a doc comment', '/** Nobody reads it. */\nconst a = 1'],
  ['a trailing comment', 'const a = [1, // deleted for good\n]'],
  ['a phrase over two lines', '/**\n * It is deleted for\n * good.\n */\nconst a = 1'],
  ['a test title', "test('is told twice', () => {})"],
  ['a title of a test table', "test.each([1])('is told %i times', () => {})"],
])('finds an excluded word in %s', (_, text) => {
  expect(inFile(text)).toEqual([expect.stringContaining('src/main/x.ts:1 ')])
})

test('finds words in the script of a component at their line', () => {
  const component =
    '<template>\n  <p />\n</template>\n<script setup lang="ts">\nconst desk = 1\n</script>\n'
  expect(inFile(component, 'src/renderer/src/X.vue')).toEqual([
    expect.stringContaining('src/renderer/src/X.vue:5 '),
  ])
})

test.each([
  ['quoted code in a comment', '/** Column `deed`. */\nconst a = 1'],
  ['a string', "const a = 'nobody'"],
  ['a longer word', 'const deskTop = 1 // withstood'.replace('deskTop', 'desktop')],
  ['a name that stays', 'const row = { retold: 1 }'],
])('accepts %s', (_, text) => {
  expect(inFile(text)).toEqual([])
})
