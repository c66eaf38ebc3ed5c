import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  placeholder,
  placeholdersIn,
  renumberPlaceholders,
} from '../../../src/shared/documents/placeholders.ts'

test('finds placeholders in Markdown and tables, and ignores others', () => {
  const text = [
    'Figure ![](page=0,bbox=[431, 1762, 1061, 2189]) and',
    '<td><img src="page=12,bbox=[0.1,0.2,0.3,0.4]"></td>',
    '![alt]( page = 3 , bbox = [1, x] )',
    '![](https://host/page=0,bbox) (page=0,bbox=[1,2,3,4])',
  ].join('\n')
  expect(placeholdersIn(text)).toEqual([
    { index: 0, box: [431, 1762, 1061, 2189] },
    { index: 12, box: [0.1, 0.2, 0.3, 0.4] },
    { index: 3, box: null },
  ])
})

test('shifts pages and keeps the rest of the text', () => {
  const text = 'a ![x](page=0,bbox=[431,1762, 1061,2189]) b <img src="page=1,bbox=[1, x]"> page=0'
  expect(renumberPlaceholders(text, (index) => index + 24)).toBe(
    'a ![x](page=24,bbox=[431, 1762, 1061, 2189]) b <img src="page=25,bbox=[1, x]"> page=0',
  )
})

test('finds created placeholders again', () => {
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9999 }),
      fc.tuple(number, number, number, number),
      (page, box) => {
        // Negative zero is written as zero.
        const plain = box.map((value) => value + 0)
        const found = placeholdersIn(`x${placeholder(page, box)}y`)
        expect(found).toEqual([{ index: page - 1, box: plain }])
      },
    ),
  )
})

test('handles any text quickly and returns no numbers that are not in it', () => {
  for (const fragment of [
    '![',
    '](page=',
    '](',
    'bbox=[',
    '](page=1,bbox=[1,',
    'src="',
    ' ',
    '1,',
  ]) {
    const found = placeholdersIn(`bbox${fragment.repeat(200_000 / fragment.length)}`)
    expect(found.every(({ box }) => box === null)).toBe(true)
  }
})
