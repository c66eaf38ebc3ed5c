import { expect, test } from 'vitest'
import { createCallList } from '../../../src/main/api/assistant-merge.ts'
import { readToolCalls } from '../../../src/main/api/assistant-tools.ts'
import { createMaskedFragments } from '../../../src/main/api/masked-fragments.ts'
import { createObjectText } from '../../../src/main/api/object-text.ts'
import { createRedactor } from '../../../src/main/security/redact.ts'
import { createTranscriptText } from '../../../src/main/api/transcript-text.ts'
import { growsWithItsInput } from '../../fixtures/growth.ts'

const named = (words: string) => readToolCalls({ function: { name: 'f', arguments: words } })

test.each([
  ['a list', '[', '0,'.repeat(500)],
  ['objects in an object', '{"a":[', '{"b":1},'.repeat(125)],
  ['a closing brace each time', '{"a":[{}', `,{"b":"${'x'.repeat(1000)}"}`],
])('arguments of %s in thousands of named pieces cost their length', (_, first, fragment) => {
  const after = (count: number) => {
    const list = createCallList()
    list.add(named(first))
    for (let n = 0; n < count; n += 1) list.add(named(fragment))
    return list.calls
  }
  expect(after(4000)).toMatchObject([{ arguments: first + fragment.repeat(4000) }])
  expect(growsWithItsInput((times) => after(500 * times))).toBe(true)
})

test('calls with ids and outputs cost their number', () => {
  const output = (id: number) =>
    readToolCalls({ id: String(id), type: 'retrieval', retrieval: { outputs: 'x' } })
  const after = (outputs: number) => {
    const list = createCallList()
    for (let id = 0; id < outputs; id += 1) list.add(output(id))
    for (let n = 0; n < outputs; n += 1) list.add(output(7))
    return list.calls
  }
  const calls = after(20_000)
  expect(calls).toHaveLength(20_000)
  expect(calls[7]).toMatchObject({ outputs: { length: 20_001 } })
  expect(growsWithItsInput((times) => after(5000 * times))).toBe(true)
})

test('a function named again after whole arguments is called again; a piece is not changed by what follows', () => {
  const list = createCallList()
  const first = named('{"a":')
  for (const fragment of [first, named('"}"'), named('}'), named('{}'), named('{"b":1}')])
    list.add(fragment)
  expect(list.calls).toMatchObject([
    { arguments: '{"a":"}"}' },
    { arguments: '{}' },
    { arguments: '{"b":1}' },
  ])
  expect(first[0]?.call).toMatchObject({ arguments: '{"a":' })
  const again = createCallList()
  for (const text of ['{"a"', '{"a":1', ',"b":2}']) again.add(named(text))
  expect(again.calls).toMatchObject([{ arguments: '{"a":1,"b":2}' }])
})

test.each([
  ['{}', true],
  [' {"a":"}\\""} \n', true],
  ['{"a":[1,{"b":2}]}', true],
  ['[]', false],
  ['"{}"', false],
  ['{}x', false],
  ['{}{}', false],
  ['}{}', false],
  ['{"a":"}', false],
  ['{a}', false],
  ['x{}', false],
  ['"{"{}', false],
  ['{"a\\\\":"{[","b":[[],{}]}', true],
  ['', false],
])('%j is one whole object: %s, however it comes', (text, whole) => {
  for (const size of [1, 2, 100]) {
    const object = createObjectText()
    for (let at = 0; at < text.length; at += size) {
      object.add(text.slice(at, at + size))
      object.isWhole(text.slice(0, at + size))
    }
    expect(object.isWhole(text)).toBe(whole)
  }
})

test('whole texts that end a transcript a hundred thousand times cost their length', () => {
  const after = (ends: number) => {
    const transcript = createTranscriptText()
    transcript.take({ text: `start ${'word '.repeat(2 * ends)}` })
    for (let n = 0; n < ends; n += 1) transcript.take({ text: ' more' })
    return transcript
  }
  const text = after(100_000)
  expect(text.text).toHaveLength(6 + 1_000_000 + 500_000)
  expect(growsWithItsInput((times) => after(12_500 * times))).toBe(true)
  // What repeats everything, blanks at the ends aside, takes its place.
  text.take({ text: `\n${text.text.trim()} the end` })
  expect(text.text.endsWith('more the end')).toBe(true)
  expect(text.text).toHaveLength(1_500_006 + 8)
})

test('pieces never make a key together, and all other text is told', () => {
  const redactor = createRedactor()
  redactor.register('KEY-kay-0123456789')
  const text = 'KE KEY-kay-01 and key-KAY-0123456789, KEY-kay-KEY-kay-0123456789 KEY-k'
  for (const size of [1, 2, 5, 19, 100]) {
    const emitted: string[] = []
    const fragments = createMaskedFragments(redactor, (fragment) => void emitted.push(fragment))
    for (let at = 0; at < text.length; at += size) fragments.add(text.slice(at, at + size))
    fragments.end()
    expect(emitted.join('')).toBe('KE KEY-kay-01 and [redacted], KEY-kay-[redacted] KEY-k')
    expect(emitted).not.toContain('')
  }
})
