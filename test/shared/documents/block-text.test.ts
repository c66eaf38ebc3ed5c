import { expect, test } from 'vitest'
import { blockText } from '../../../src/shared/documents/block-text.ts'

const textOf = (content: string): string => blockText({ kind: 'text', content, edited: null })

test('uses the description of an image, whatever its URL looks like', () => {
  expect(textOf('a ![cat](x.png) b')).toBe('a cat b')
  expect(textOf('![](https://example.org/a_(b).png?x=(1)) after')).toBe(' after')
  expect(textOf(`![dot](data:image/png;base64,${'A'.repeat(100_000)}) after`)).toBe('dot after')
  expect(textOf('![](page=0,bbox=[1, 2, 3, 4])')).toBe('')
  expect(textOf('wow![] (no) ![a](b')).toBe('wow![] (no) ![a](b')
})

test('searches only the beginning of a text beyond any page length', () => {
  expect(textOf('word '.repeat(400_000))).toHaveLength(1_000_000)
  const formula = { kind: 'formula', content: 'x'.repeat(2_000_000), edited: null } as const
  expect(blockText(formula)).toHaveLength(1_000_000)
})

test('decodes entities of HTML only, no object property names', () => {
  expect(textOf('a &amp; b &LT; c &#228;&#xe4;&nbsp;d')).toBe('a & b < c ää d')
  expect(textOf('&constructor; &valueOf; &__proto__; &#0; &#x110000;')).toBe(
    '&constructor; &valueOf; &__proto__; &#0; &#x110000;',
  )
})

// Each of these took quadratic time on the main thread: minutes for half a megabyte.
test.each(['![', '![](', '![a](b', '![]( ', '![](data:', '![]((x)', '<a', '<!--', '&#', '<b '])(
  'scans a text full of unclosed markup once: %s',
  (fragment) => {
    const text = fragment.repeat(Math.ceil(600_000 / fragment.length))
    expect(textOf(text).length).toBeLessThanOrEqual(text.length)
  },
)

test('excludes the markup of a heading from its words', () => {
  expect(textOf('## The harbour in winter')).toBe('The harbour in winter')
  expect(textOf('#1 of the list, and #2')).toBe('#1 of the list, and #2')
  expect(blockText({ kind: 'formula', content: '# x', edited: null })).toBe('# x')
})
