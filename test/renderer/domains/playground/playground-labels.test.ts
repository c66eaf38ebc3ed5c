import { expect, test } from 'vitest'
import { describeOperations } from '../../operation-infos.ts'
import { formFields } from '../../../../src/renderer/src/domains/playground/runs/form.ts'
import {
  hintOf,
  hintSentences,
} from '../../../../src/renderer/src/domains/playground/runs/hints.ts'
import { refusalsIn } from '../../../../src/renderer/src/domains/playground/runs/refused-files.ts'
import { en } from '../../../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../../../src/renderer/src/i18n/zh/index.ts'
import { namesIn } from '../../../../src/renderer/src/i18n/failure.ts'
import { fillSentence } from '../../../../src/shared/provider/sentences.ts'

const fields = describeOperations().flatMap((operation) => formFields(operation.fields))

test('has texts for every field hint in both languages, with the values it names', () => {
  const described = fields.filter(({ about }) => about !== '')
  expect(described.length).toBeGreaterThan(60)
  const known = new Set<string>()
  for (const { path, about } of described) {
    const hint = hintOf(about)
    expect([path, about, hint === null]).toEqual([path, about, false])
    if (!hint) continue
    known.add(hint.known)
    expect(fillSentence(hintSentences[hint.known], hint.values ?? {})).toBe(about)
  }
  expect(Object.keys(hintSentences).filter((name) => !known.has(name))).toEqual([])
  // A field with a self-explanatory name has no hint, in either language.
  for (const words of [en.playground.hints, zh.playground.hints])
    expect(Object.keys(words).filter((name) => !known.has(name))).toEqual([])
})

test('uses no values in field texts that the hint does not provide', () => {
  for (const [name, sentence] of Object.entries(hintSentences))
    for (const words of [en.playground.hints, zh.playground.hints]) {
      const hint = (words as Readonly<Record<string, string>>)[name]
      const hintNames = hint === undefined ? [] : namesIn(hint)
      expect([name, hintNames.filter((one) => !namesIn(sentence).includes(one))]).toEqual([
        name,
        [],
      ])
    }
})

test('refers to no section of the API reference in Playground texts', () => {
  const texts = JSON.stringify([en.playground, fields.map(({ about }) => about)])
  expect(texts).not.toMatch(/\bsection\b|\b4\.\d|service-notes/)
  expect(JSON.stringify(zh.playground)).not.toMatch(/第 \{?\w+\}? 节/)
})

test('explains only existing values of coded fields', () => {
  for (const [field, meanings] of Object.entries(en.playground.choices)) {
    const choices = new Set(
      fields.filter(({ name }) => name === field).flatMap((one) => one.choices.map(String)),
    )
    const documented = Object.keys(meanings).map((name) => name.replace(/^n(?=\d)/, ''))
    expect([field, documented.filter((one) => !choices.has(one))]).toEqual([field, []])
  }
})

test('reports rejected files by name and reason, and treats nothing else as a rejection', () => {
  const value = {
    accepted: [],
    refused: [{ name: 'a.pdf', reason: 'Too large' }, { name: 'b.exe' }, 'odd'],
  }
  expect(refusalsIn(value)).toEqual([
    { name: 'a.pdf', why: 'Too large' },
    { name: 'b.exe', why: '' },
    { name: '', why: '' },
  ])
  for (const other of [null, undefined, 3, [], { refused: [{}] }, { accepted: [], refused: 'x' }])
    expect(refusalsIn(other)).toEqual([])
})
