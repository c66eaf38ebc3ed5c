import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import readXlsxFile from 'read-excel-file/node'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sheetNumber } from '../../../../../src/main/domains/documents/exports/xlsx-number.ts'
import { unzipped } from '../../../../fixtures/unzip.ts'
import { bytesFile, pagesOf, sourceOf, written } from './made.ts'

const table = (rows: string): { readonly content: string; readonly label: string } => ({
  content: `<table>${rows}</table>`,
  label: 'table',
})
const tables = sourceOf(
  pagesOf([
    [
      table(
        '<tr><th colspan=2>head</th></tr><tr><td rowspan=2>a</td><td>1,234.50</td></tr><tr><td>007</td></tr>',
      ),
      { content: 'words\n\n| x | y |\n|---|---|\n| 50% | =SUM(A1) |' },
    ],
    [table('<tr><td>中文，逗号</td><td>"quoted"<br>two lines</td></tr>')],
  ]),
)

/** A separate CSV reader with support for quotes. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}

describe('xlsx', () => {
  test('has a sheet for each table, named after its page, with numeric cells', async () => {
    const book = await bytesFile(tables, 'xlsx')
    const sheets = await readXlsxFile(book)
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['About', 'Page 1', 'Page 1 (2)', 'Page 2'])
    expect(sheets[1]?.data).toEqual([
      ['head', null],
      ['a', 1234.5],
      [null, '007'],
    ])
    expect(sheets[2]?.data).toEqual([
      ['x', 'y'],
      [0.5, '=SUM(A1)'],
    ])
    expect(sheets[3]?.data).toEqual([['中文，逗号', '"quoted"\ntwo lines']])
    expect(JSON.stringify(sheets[0]?.data)).toContain('Pages requested: 2, returned: 2')
  })

  test('merges the merged cells, and contains no formula', async () => {
    const entries = unzipped(await bytesFile(tables, 'xlsx'))
    const sheetXml = entries
      .filter(({ name }) => name.includes('worksheets/'))
      .map((entry) => entry.bytes.toString('utf8'))
      .join('\n')
    expect(sheetXml).toContain('<mergeCell ref="A1:B1"')
    expect(sheetXml).toContain('<mergeCell ref="A2:A3"')
    expect(sheetXml).not.toContain('<f>')
  })

  test('marks cells that were longer than a sheet allows', async () => {
    const source = sourceOf(
      pagesOf([[table(`<tr><td>${'long '.repeat(200_000)}</td><td>_x0041_</td></tr>`)]]),
    )
    await written(source, 'xlsx', async ({ cutCells }, main) => {
      const sheets = await readXlsxFile(await readFile(main))
      const cell = sheets[1]?.data[0]?.[0]
      expect(cutCells).toBe(1)
      expect(typeof cell === 'string' && cell.length).toBe(32_767)
      expect(cell).toMatch(/\[truncated: the cell has 999999 characters\]$/)
      expect(JSON.stringify(sheets[0]?.data)).toContain('(too long for a spreadsheet): 1')
    })
  })

  test('writes a number only where it is displayed as it was written', () => {
    expect(sheetNumber('12.50')).toEqual({ value: 12.5, format: '0.00' })
    expect(sheetNumber('-1,234')).toEqual({ value: -1234, format: '#,##0' })
    expect(sheetNumber('7.5%')).toEqual({ value: 0.075, format: '0.0%' })
    for (const text of [
      '007',
      '1e5',
      '12345678901234567',
      '1,23',
      '-0',
      '',
      '2026-05-06',
      '+1',
      '٣',
    ])
      expect(sheetNumber(text), text).toBeNull()
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(sheetNumber(String(value))?.value).toBe(Object.is(value, -0) ? undefined : value)
      }),
    )
  })
})

describe('csv', () => {
  test('is a file per table that a CSV reader reads back, with spans filled on request', async () => {
    for (const spans of ['first', 'repeat'] as const) {
      await written(
        tables,
        'csv',
        async ({ files, tables: count }) => {
          expect(count).toBe(3)
          expect(files.map((path) => basename(path))).toEqual([
            'page-0001-table-1.csv',
            'page-0001-table-2.csv',
            'page-0002-table-1.csv',
            'about.txt',
          ])
          const [first = '', second = '', third = ''] = await Promise.all(
            files.map((path) => readFile(path, 'utf8')),
          )
          expect(first.startsWith('\ufeff')).toBe(true)
          expect(readCsv(first.slice(1))).toEqual(
            spans === 'first'
              ? [
                  ['head', ''],
                  ['a', '1,234.50'],
                  ['', '007'],
                ]
              : [
                  ['head', 'head'],
                  ['a', '1,234.50'],
                  ['a', '007'],
                ],
          )
          expect(readCsv(second.slice(1))).toEqual([
            ['x', 'y'],
            ['50%', "'=SUM(A1)"],
          ])
          expect(readCsv(third.slice(1))).toEqual([['中文，逗号', '"quoted"\ntwo lines']])
        },
        { options: { spans } },
      )
    }
  })

  test('starts no cell like a formula, and keeps the sign of numbers', async () => {
    const hostile = [
      '=1',
      '+cmd|calc',
      '-2+3',
      '@SUM(1)',
      '＝1',
      ' =1',
      "'=1",
      '"=1"',
      '-5',
      '+3.5%',
      '-1,234',
      '-',
    ]
    const cells = hostile.map((text) => `<td>${text.replaceAll('"', '&quot;')}</td>`).join('')
    await written(
      sourceOf(pagesOf([[table(`<tr>${cells}<td>&#9;=1</td></tr>`)]])),
      'csv',
      async (_, main) => {
        const [row = []] = readCsv((await readFile(main, 'utf8')).slice(1))
        expect(row).toHaveLength(hostile.length + 1)
        for (const field of row)
          expect(field).toMatch(/^(?![\s"]*[=+\-@＝]|[\t\r\n])|^[+-]\d[\d.,]*%?$/u)
        expect(row).toContain('-5')
        expect(row).toContain('+3.5%')
        expect(row).toContain("'-2+3")
      },
    )
  })
})
