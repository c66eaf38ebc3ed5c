import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cutMath,
  formulaTex,
  markers,
} from '../../../../src/renderer/src/lib/markdown/math-spans.ts'

const texOf = (text: string): string[] => cutMath(text).formulas.map(({ tex }) => tex)
const back = (text: string): string => {
  const { text: cut, formulas } = cutMath(text)
  return cut.replaceAll(markers, (_, place: string) => formulas[Number(place)]?.source ?? '')
}

test('extracts the four notations of formulas with their type', () => {
  const { text, formulas } = cutMath('a $x^2$ b $$y_1$$ c \\(z\\) d \\[\nw\n\\] e')
  expect(formulas).toEqual([
    { tex: 'x^2', display: false, source: '$x^2$' },
    { tex: 'y_1', display: true, source: '$$y_1$$' },
    { tex: 'z', display: false, source: '\\(z\\)' },
    { tex: 'w', display: true, source: '\\[\nw\n\\]' },
  ])
  expect(text.replaceAll(markers, '#')).toBe('a # b # c # d # e')
})

test.each([
  'It costs $5 and $6 more',
  'from $ 5 to $ 6',
  'between $5 and 6$ of them',
  'US$100/US$200',
  'a lone $ sign, and another $',
  'one paragraph $a\n\nb$ another',
  'escaped \\$x\\$ signs',
  'see \\[1, 2\\]',
])('is not a formula: %s', (text) => {
  expect(texOf(text)).toEqual([])
  expect(cutMath(text).text).toBe(text)
})

test('accepts formulas with spaces at both ends, as the provider writes them', () => {
  expect(texOf('so $ x $ and $ \\alpha + 1 $ and $ 5 $')).toEqual(['x', '\\alpha + 1', '5'])
})

test.each([
  '`$x$`',
  '``a ` $x$``',
  '```\n$x$\n```',
  '~~~tex\n$$x$$\n~~~',
  '> ```\n> $x$\n> ```',
  '- ```\n  $x$\n  ```',
  '<code>$x$</code>',
  '<pre>\n\n$x$\n</pre>',
  '[a](http://host/$x$)',
  '<td title="$x$">',
])('keeps dollar signs in code, tags and URLs: %s', (text) => {
  expect(texOf(text)).toEqual([])
})

test('continues to find formulas after code', () => {
  expect(texOf('`$` costs $x$ and ` alone $y$')).toEqual(['x', 'y'])
  expect(texOf('```\n$a$\n```\n$b$')).toEqual(['b'])
})

test('keeps the characters of a formula in a table cell, even if they are HTML', () => {
  expect(texOf('<table><tr><td>$a<b$</td><td>$a &lt; b &amp; c$</td></tr></table>')).toEqual([
    'a<b',
    'a < b & c',
  ])
})

test('loses and adds no text, and accepts no markers from the text', () => {
  const fragments = fc.array(
    fc.constantFrom(
      '$',
      '$$',
      '\\',
      '\\(',
      '\\)',
      '\\[',
      '\\]',
      '`',
      '```',
      '~~~',
      '<',
      '>',
      '<code>',
      '</code>',
      '](',
      ')',
      'a',
      ' ',
      '\n',
      '5',
      '=',
      '\u{FDD0}0\u{FDD1}',
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(fragments, (list) => {
      const text = list.join('')
      expect(back(text)).toBe(text.replaceAll(/[\u{FDD0}\u{FDD1}]/gu, '\u{FFFD}'))
    }),
    { numRuns: 2000 },
  )
})

test('parses texts with many unclosed formulas completely', () => {
  for (const fragment of [
    '$',
    '$ ',
    '$$',
    '\\(',
    '\\[',
    '`',
    '`` ` ',
    '<a ',
    '](',
    '~~~',
    '<code>',
    '```\n',
    '$a `',
  ])
    expect(cutMath(fragment.repeat(300_000 / fragment.length)).formulas.length).toBeLessThan(
      200_000,
    )
})

test('removes the delimiters of a block that is a formula', () => {
  expect(formulaTex('$$\nx\n$$')).toBe('x')
  expect(formulaTex('\\[x\\]')).toBe('x')
  expect(formulaTex(' x = 1 ')).toBe('x = 1')
  expect(formulaTex('$x$')).toBe('x')
})
