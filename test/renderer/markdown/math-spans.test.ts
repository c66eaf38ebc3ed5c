import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutMath, formulaTex, markers } from '../../../src/renderer/src/markdown/math-spans.ts'

const texOf = (text: string): string[] => cutMath(text).formulas.map(({ tex }) => tex)
const back = (text: string): string => {
  const { text: cut, formulas } = cutMath(text)
  return cut.replaceAll(markers, (_, place: string) => formulas[Number(place)]?.source ?? '')
}

test('the four ways to write a formula are cut out, each with its kind', () => {
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
])('no formula: %s', (text) => {
  expect(texOf(text)).toEqual([])
  expect(cutMath(text).text).toBe(text)
})

test('formulas with spaces at both ends are formulas, as the service writes them', () => {
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
])('code, tags and addresses keep their dollar signs: %s', (text) => {
  expect(texOf(text)).toEqual([])
})

test('after code the formulas go on', () => {
  expect(texOf('`$` costs $x$ and ` alone $y$')).toEqual(['x', 'y'])
  expect(texOf('```\n$a$\n```\n$b$')).toEqual(['b'])
})

test('a formula in a cell keeps its signs, whatever HTML thinks of them', () => {
  expect(texOf('<table><tr><td>$a<b$</td><td>$a &lt; b &amp; c$</td></tr></table>')).toEqual([
    'a<b',
    'a < b & c',
  ])
})

test('nothing of a text is lost or added, and no text can bring a marker of its own', () => {
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

test('texts full of beginnings without ends are read to their end', () => {
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
    expect(cutMath(fragment.repeat(300_000 / fragment.length)).formulas.length).toBeLessThan(200_000)
})

test('a block that is a formula has its delimiters taken off', () => {
  expect(formulaTex('$$\nx\n$$')).toBe('x')
  expect(formulaTex('\\[x\\]')).toBe('x')
  expect(formulaTex(' x = 1 ')).toBe('x = 1')
  expect(formulaTex('$x$')).toBe('x')
})
