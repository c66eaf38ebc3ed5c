import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languageNamed } from '../../../../../src/renderer/src/lib/markdown/stream/code-languages.ts'
import { createAppendedText } from '../../../../../src/renderer/src/lib/markdown/stream/text-parts.ts'
import {
  citeSign,
  createIntake,
} from '../../../../../src/renderer/src/lib/markdown/stream/marks.ts'
import { createWork } from '../../../../../src/renderer/src/lib/markdown/stream/render-work.ts'

const taken = (chunks: readonly string[]): string => {
  const intake = createIntake()
  return chunks.map((chunk) => intake.take(chunk)).join('') + intake.end()
}

test('numbers marks by first occurrence: whole, empty, with text or several numbers', () => {
  const text =
    'a<reference data-ref="3"></reference>b<reference data-ref=\'4\' />c<reference data-ref="5">[5]</reference><reference data-ref="6,4"></reference>'
  expect(taken([text])).toBe(
    `a${citeSign(1)}b${citeSign(2)}c${citeSign(3)}${citeSign(4)}${citeSign(2)}`,
  )
})

test('treats chunked text like complete text, and keeps text that only resembles a mark', () => {
  const part = fc.constantFrom(
    'a', '<', '<r', '<reference data-ref="1"></reference>', '<reference data-ref="2"', '/>', '>', '\r', '\n', '</reference>', 'data-ref', ' ',
  ) // prettier-ignore
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      (parts, size) => {
        const text = parts.join('')
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        expect(taken(chunks)).toBe(taken([text]))
      },
    ),
    { seed: 6, numRuns: 500 },
  )
  expect(taken(['a < b <refer'])).toBe('a < b ')
  expect(taken(['a <', 'b'])).toBe('a <b')
})

test('does not accept marker characters written by others', () => {
  expect(taken(['x <\u{FDD2}5> \u{FDD0}0\u{FDD1}'])).toBe('x <\u{FFFD}5> \u{FFFD}0\u{FFFD}')
})

test('returns the new part of a grown text and nothing for a different one', () => {
  const grown = createAppendedText()
  expect(grown.next('Hello', 100)).toBe('Hello')
  expect(grown.hasAll('Hello')).toBe(true)
  expect(grown.next('Hello, world', 3)).toBe(', w')
  expect(grown.next('Hello, world', 100)).toBe('orld')
  expect(grown.next('Hullo, world!', 100)).toBeNull()
  expect(grown.next('Hello', 100)).toBeNull()
})

test('runs work in order, a little per frame, deferrable work last', () => {
  const frames: (() => void)[] = []
  const done: string[] = []
  let clock = 0
  const work = createWork({ now: () => clock, ask: (frame) => void frames.push(frame) }, () => null)
  function* long(name: string): Generator<number, void> {
    for (const step of [1, 2, 3]) {
      done.push(`${name}${step}`)
      clock += 5
      yield 1
    }
  }
  work.later(() => long('last'))
  work.add(() => long('a'))
  work.add(() => long('b'))
  for (let frame = frames.shift(); frame; frame = frames.shift()) {
    const before = done.length
    frame()
    expect(done.length - before).toBeLessThanOrEqual(2)
  }
  expect(done).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'last1', 'last2', 'last3'])
  expect(work.idle).toBe(true)
})

test('maps language names in answers, but no names of object properties', () => {
  expect(
    ['ts', 'Python', 'c++', 'sh', 'mermaid', 'constructor', '__proto__'].map(languageNamed),
  ).toEqual(['typescript', 'python', 'cpp', 'shellscript', null, null, null])
})
