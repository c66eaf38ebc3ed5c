import { expect, test } from 'vitest'
import { cpuSeconds } from '../../../fixtures/growth.ts'
import { estimateTokens } from '../../../../src/shared/text/token-estimate.ts'
import { chunksOf, partAt, type TextPart } from '../../../../src/main/platform/vectors/chunks.ts'

const sentence = (n: number): string =>
  `Sentence number ${n} tells about the heating of the house. `
const long = Array.from({ length: 200 }, (_, n) => sentence(n)).join('')

test('joins parts of a group as far as they fit, but never groups', () => {
  const group = (name: string, count: number): TextPart[] =>
    Array.from({ length: count }, (_, n) => ({ id: `${name}${n}`, text: sentence(n), page: 4 }))
  const chunks = [...chunksOf([group('a', 3), group('b', 40), [{ id: 'c', text: '  ' }]])]
  expect(chunks[0]?.parts.map(({ id }) => id)).toEqual(['a0', 'a1', 'a2'])
  expect(chunks.length).toBeGreaterThan(2)
  for (const { text, tokens } of chunks) {
    expect(tokens).toBeLessThanOrEqual(280)
    expect(estimateTokens(text).likely).toBeLessThanOrEqual(300)
    expect(text.length).toBeLessThanOrEqual(4096)
  }
  const all = chunks.flatMap(({ parts }) => parts.map(({ id }) => id))
  expect(all).toEqual([...group('a', 3), ...group('b', 40)].map(({ id }) => id))
})

test.each([
  ['English', long],
  ['Chinese', '这是一个关于供暖费用的句子，它说明了很多事情。'.repeat(200)],
  ['a text without a place to split', '字'.repeat(5000)],
  ['one long word', 'x'.repeat(20_000)],
])('splits a long part without losing text: %s', (_, text) => {
  const chunks = [...chunksOf([[{ id: 'a', text }]])]
  expect(chunks.length).toBeGreaterThan(1)
  const bare = (of: string): string => of.replace(/\s/g, '')
  expect(bare(chunks.map((chunk) => chunk.text).join(''))).toBe(bare(text))
  for (const { text: chunkText, parts, tokens } of chunks) {
    expect(tokens).toBeLessThanOrEqual(280)
    const [part] = parts
    expect(text.startsWith(chunkText, part?.from)).toBe(true)
  }
})

test('maps a position in a chunk to a position in its part', () => {
  const [chunk] = chunksOf([
    [
      { id: 'a', text: 'The first line.' },
      { id: 'b', text: '  The second line.', page: 2 },
    ],
  ])
  const at = chunk?.text.indexOf('second') ?? -1
  expect(partAt(chunk?.parts ?? [], at)).toMatchObject({ part: { id: 'b', page: 2 }, offset: 6 })
  expect(partAt(chunk?.parts ?? [], 0)).toMatchObject({ part: { id: 'a' }, offset: 0 })
  expect(partAt([], 0)).toBeNull()
})

test('omits meaningless texts, and hashes equal texts equally', () => {
  expect([...chunksOf([[{ id: 'a', text: 'ok' }], [{ id: 'b', text: '— … —' }]])]).toEqual([])
  const [one, other] = chunksOf([
    [{ id: 'a', text: 'The same words' }],
    [{ id: 'b', text: 'The same words' }],
  ])
  expect(one?.hash.equals(other?.hash ?? Buffer.alloc(0))).toBe(true)
  expect(one?.digest).toBe(other?.digest)
})

test('splits a long line of dots quickly', () => {
  const text = `${'.'.repeat(100_000)}${long}`
  let count = 0
  const split = () => (count = Array.from(chunksOf([[{ id: 'a', text }]])).length)
  expect(cpuSeconds(split)).toBeLessThan(3)
  expect(count).toBeGreaterThan(2)
})
