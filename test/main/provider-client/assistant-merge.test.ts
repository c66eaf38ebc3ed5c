import { expect, test } from 'vitest'
import { createCallList } from '../../../src/main/provider-client/assistant-merge.ts'
import { readToolCalls } from '../../../src/main/provider-client/assistant-tools.ts'
import { createMaskedFragments } from '../../../src/main/provider-client/masked-fragments.ts'
import { createObjectText } from '../../../src/main/provider-client/object-text.ts'
import { createRedactor } from '../../../src/main/platform/security/redact.ts'
import { createTranscriptText } from '../../../src/main/provider-client/transcript-text.ts'
import { growsWithItsInput } from '../../fixtures/growth.ts'

const named = (words: string) => readToolCalls({ function: { name: 'f', arguments: words } })

test.each([
  ['a list', '[', '0,'.repeat(500)],
  ['objects in an object', '{"a":[', '{"b":1},'.repeat(125)],
  ['a closing brace in each chunk', '{"a":[{}', `,{"b":"${'x'.repeat(1000)}"}`],
])('merges arguments of %s in thousands of named chunks in linear time', (_, first, fragment) => {
  const after = (count: number) => {
    const list = createCallList()
    list.add(named(first))
    for (let n = 0; n < count; n += 1) list.add(named(fragment))
    return list.calls
  }
  expect(after(4000)).toMatchObject([{ arguments: first + fragment.repeat(4000) }])
  expect(growsWithItsInput((times) => after(500 * times))).toBe(true)
})

test('merges calls with IDs and outputs in linear time', () => {
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

test('starts a new call after complete arguments and leaves added chunks unchanged', () => {
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
])('detects whether %j is one complete object (%s) in any chunking', (text, whole) => {
  for (const size of [1, 2, 100]) {
    const object = createObjectText()
    for (let at = 0; at < text.length; at += size) {
      object.add(text.slice(at, at + size))
      object.isWhole(text.slice(0, at + size))
    }
    expect(object.isWhole(text)).toBe(whole)
  }
})

test('handles 100,000 chunks equal to the end of a transcript in linear time', () => {
  const after = (ends: number) => {
    const transcript = createTranscriptText()
    transcript.take({ text: `start ${'word '.repeat(2 * ends)}` })
    for (let n = 0; n < ends; n += 1) transcript.take({ text: ' more' })
    return transcript
  }
  const text = after(100_000)
  expect(text.text).toHaveLength(6 + 1_000_000 + 500_000)
  expect(growsWithItsInput((times) => after(12_500 * times))).toBe(true)
  // A text that repeats everything, ignoring spaces at the ends, replaces it.
  text.take({ text: `\n${text.text.trim()} the end` })
  expect(text.text.endsWith('more the end')).toBe(true)
  expect(text.text).toHaveLength(1_500_006 + 8)
})

test('masks a key split into chunks and emits all other text', () => {
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
