import { expect, test } from 'vitest'
import { cpuSeconds } from '../../fixtures/growth.ts'
import { readable, readableLines } from '../../../src/shared/text/readable.ts'

test.each([
  ['plain font here', 'font', 'plain font here'],
  ['a <reference id="1">font</reference> b', 'font', 'a font b'],
  ['It rains.<reference data-ref="3">3</reference> A font.', 'font', 'It rains. A font.'],
  ['a <reference> b', 'reference', 'a <reference> b'],
  ['1 < 2 and font', 'font', '1 < 2 and font'],
  ['<table><tr><td>bees</td><td>font &amp; more</td></tr></table>', 'font', ' bees font & more '],
  ['| name | use |\n|---|:-:|\n|bees|**honey**|', 'honey', ' name use bees honey '],
  ['## Bees\n\n> quoted *font*\n- one', 'font', 'Bees quoted font - one'],
  ['see [the font](https://a.b/c?d=e) and ![a bee](x.png)', 'font', 'see the font and a bee'],
  ['see [the hive](https://a.b/font)', 'font', 'see [the hive](https://a.b/font)'],
  [
    '2 * 3 * 4, snake_case_name, List<string>, |x|',
    'snake',
    '2 * 3 * 4, snake_case_name, List<string>, |x|',
  ],
  [String.raw`1\. font \*not slanted\*`, 'font', '1. font *not slanted*'],
  ['H<sub>2</sub>O and `font`', 'font', 'H2O and font'],
] as const)('renders %j as text', (text, sought, shown) => {
  const at = text.indexOf(sought)
  const found = readable(text, [[at, at + sought.length]])
  expect(found.text).toBe(shown)
  expect(found.ranges.map(([from, to]) => found.text.slice(from, to))).toEqual([sought])
})

test('handles a megabyte of markup in one line quickly', () => {
  for (const signs of ['|', '| ', '<a ', ' |x']) {
    const text = signs.repeat(1_000_000 / signs.length)
    expect(cpuSeconds(() => readable(text, []))).toBeLessThan(2.5)
  }
})

test('keeps the lines of a passage, except those with only markup', () => {
  expect(readableLines('# Bees\n\n| a | b |\n| --- | --- |\n<tr><td>x</td></tr>')).toBe(
    'Bees\n\na b\nx',
  )
})

test('handles a text full of markup quickly', () => {
  const signs = [
    '<',
    '*',
    '**a',
    '[',
    '![a](',
    '|',
    '<td ',
    '`',
    '>',
    '\\',
    '<reference x>',
    '\n| a',
  ]
  const readAll = () => {
    for (const sign of signs) readable(sign.repeat(3600 / sign.length), [])
  }
  expect(cpuSeconds(readAll)).toBeLessThan(1)
})
