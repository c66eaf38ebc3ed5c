import { readFileSync } from 'node:fs'
import { diffArrays } from 'diff'
import { describe, expect, test } from 'vitest'
import type { TextFormat } from '../../src/shared/documents/text-formats.ts'
import { blockText } from '../../src/shared/documents/block-text.ts'
import type { Section } from '../../src/system/text-files/blocks.ts'
import { readTextFile } from '../../src/system/text-files/read-text-file.ts'

// Files of test/fixtures/libreoffice, made with LibreOffice by make.sh there, beside the text that it exports from them.

const bytesOf = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../fixtures/libreoffice/${name}`, import.meta.url)))
const read = (name: string): Promise<readonly Section[]> =>
  readTextFile(bytesOf(name), name.split('.').at(-1) as TextFormat)
const contentsOf = (sections: readonly Section[]): string =>
  sections.flatMap(({ blocks }) => blocks.map(({ content }) => content)).join('\n')
/** Text as search and lists have it. */
const textOf = (sections: readonly Section[]): string =>
  sections
    .flatMap(({ blocks }) =>
      blocks.map(({ content }) => blockText({ kind: 'text', content, edited: null })),
    )
    .join('\n')

/** Returns words, Chinese characters, and signs of currencies, percents and sections. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll('\u00ad', '')
    .match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+|[\p{Sc}%§]/gu) ?? []

/**
 * Returns the words of LibreOffice's text that Lectern does not have in the same order, and the percentage of the others.
 */
async function compared(name: string) {
  const theirs = wordsOf(new TextDecoder().decode(bytesOf(`${name}.txt`)))
  const text = textOf(await read(name))
  const missing = diffArrays(theirs, wordsOf(text))
    .filter(({ removed }) => removed)
    .flatMap(({ value }) => value)
  const share = Math.floor((1 - missing.length / theirs.length) * 1000) / 10
  return { share, missing: missing.join(' '), text }
}

describe('has the words of LibreOffice’s own text in the same order', () => {
  test.each([
    // Deleted text of tracked changes, and LibreOffice’s numbers of notes.
    ['handbook.docx', 97.5, 'Keepno paraffin lamps but 0 i'],
    ['offer.docx', 100, ''],
    ['rules-zh.docx', 100, ''],
    // Footers, dates and numbers of slides; the title of an axis.
    [
      'quarter.pptx',
      82.6,
      '1 Port of Ness internal 2 30 November 2026 Port of Ness internal 3 30 November 2026 4 1000 t Port of Ness internal 30 November 2026 6',
    ],
    // A title that is drawn last is read first.
    [
      'training.pptx',
      86.8,
      '1 Training 2026 2 30 November 2026 Training 2026 3 What happened last year 30 November 2026 4 5',
    ],
    [
      'plan-zh.pptx',
      86.8,
      '1 海 港 管 理 处 2 30 November 2026 海 港 管 理 处 3 30 November 2026 4',
    ],
    // 1.5e-7.
    ['accounts.xlsx', 98.7, '0 00000015'],
    // Fractions are decimals, 12-hour times and dates of digits are in ISO form.
    ['log.xlsx', 89.8, '1 2 1 4 00 00 1 8 11 2 5 PM'],
    ['staff-zh.xlsx', 100, ''],
    // Hidden text.
    ['handbook.html', 98.3, 'Internal remark except friends'],
    ['rules-zh.html', 100, ''],
    ['accounts.html', 100, ''],
    // LibreOffice drops labels of lists and headings, contents, and the header row of a table when it writes EPUB.
    [
      'handbook.epub',
      89.3,
      'Contents 1 1 2 station 2 1 The The lamp 1 1 1 a b i ii 2 3 4 2 2 1 Watch Hours Keeper',
    ],
    ['offer.epub', 94.5, 'IV V VI § 1 1 2 § 2 1'],
    ['rules-zh.epub', 94.9, '第 一 章 二 章 一 1 2 二 三 第 三 章'],
  ] as const)('%s: %d %', async (name, share, missing) => {
    expect(await compared(name)).toMatchObject({ share, missing })
  })
})

test('keeps text boxes, shapes and notes, which LibreOffice’s text leaves out', async () => {
  const handbook = textOf(await read('handbook.docx'))
  expect(handbook).toContain('The lens is sharp at its edges.\nWear gloves.')
  expect(handbook).toContain('The order of 1854 allowed one hour')
  expect(handbook).toContain('The first book is in the museum of the district.')
  const offer = textOf(await read('offer.docx'))
  expect(offer).toContain('Delivery of parts\nAssembly in dock 2')
  expect(offer).toContain('Work at night costs 25 % more.')
  expect(textOf(await read('rules-zh.docx'))).toContain('提示：遇雾须鸣笛。')
  expect(textOf(await read('offer.epub'))).toContain('Work at night costs 25 % more.')
})

test('numbers the paragraphs of slides, and reads the data of charts', async () => {
  expect(contentsOf(await read('training.pptx'))).toContain(
    '1. Press the alarm\n   - a) red button\n   - b) every door\n2. Leave by the stairs\n3. Meet at pier 1',
  )
  expect(contentsOf(await read('quarter.pptx'))).toContain(
    [
      'Cargo by pier in 1000 tons',
      '<table>',
      '<tr><th></th><th>North pier</th><th>South pier</th></tr>',
      '<tr><td>July</td><td>21.5</td><td>3.25</td></tr>',
      '<tr><td>August</td><td>20</td><td>2.5</td></tr>',
      '<tr><td>September</td><td>17.75</td><td>3.1</td></tr>',
      '</table>',
    ].join('\n'),
  )
})

test('keeps merged cells of sheets', async () => {
  const staff = contentsOf(await read('staff-zh.xlsx'))
  expect(staff).toContain(
    '<tr><td colspan="2">基本信息</td><td colspan="3">工作</td></tr>\n<tr><td>姓名</td>',
  )
  expect(staff).toContain(
    '<td rowspan="2">调度室</td><td>¥8,500.00</td><td>5.25%</td></tr>\n<tr><td>李明 (Li Ming)</td><td>1990年12月31日</td><td>¥12,345.60</td>',
  )
})

test('keeps letters as the numbers of a list of a web page', async () => {
  expect(contentsOf(await read('handbook.html'))).toContain(
    '1. Clean the lens with soft leather.\n   - a. Never use alcohol.\n   - b. Wipe from the center outwards.\n     - i. Upper prisms first',
  )
})

test('reads the title of a chapter of an EPUB that has no headings', async () => {
  const [, scope] = await read('offer.epub')
  expect(scope?.title).toBe('Scope')
  expect(scope?.blocks[0]).toEqual({ kind: 'title', content: '# Scope' })
})
