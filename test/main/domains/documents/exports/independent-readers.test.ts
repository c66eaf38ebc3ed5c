import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Parser } from 'htmlparser2'
import readXlsx from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unzipped } from '../../../../fixtures/unzip.ts'
import { findOffice, type Office } from '../../../../fixtures/office.ts'
import { bytesFile, pagesOf, testImage, imagesOf, sourceOf, written } from './made.ts'
import { richCells, richFormulas, richPages, richSpans, richWords } from './rich.ts'

let folder = ''
let office: Office | null = null

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'independent-'))
  const found = findOffice(folder)
  if ('convert' in found) office = found
  else console.log(`read by our own readers alone, these are not here: ${found.join(', ')}`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const source = sourceOf(pagesOf(richPages))
const images = imagesOf({ lighthouse: testImage(400, 260) })

/** Writes one of the formats to the folder. */
async function saved(format: 'docx' | 'xlsx', name: string): Promise<string> {
  const path = join(folder, `${name}.${format}`)
  await writeFile(path, await bytesFile(source, format, { images }))
  return path
}

const bare = (text: string): string => text.replace(/\s+/g, '')

/** Counts the symbols that are missing in a text, each as often as required. */
function signsIn(signs: string, text: string): { readonly of: number; readonly missing: string } {
  const left = Array.from(bare(text))
  const missing = Array.from(bare(signs)).filter((sign) => {
    const at = left.indexOf(sign)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return { of: Array.from(bare(signs)).length, missing: missing.join('') }
}

/** Returns the part of an archive with this name. */
function partOf(archive: Buffer, name: string): string {
  const entry = unzipped(archive).find((one) => one.name === name)
  return entry ? entry.bytes.toString('utf8') : ''
}

/** Returns cells with their text and spans, as in an OpenDocument text. */
function cellsOf(xml: string): { words: string; columns: number; rows: number }[] {
  const cells: { words: string; columns: number; rows: number }[] = []
  let open = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name !== 'table:table-cell') return
        const span = (of: string): number => Number(attributes[`table:number-${of}-spanned`] ?? 1)
        open = true
        cells.push({ words: '', columns: span('columns'), rows: span('rows') })
      },
      onclosetag(name) {
        if (name === 'table:table-cell') open = false
      },
      ontext(text) {
        const cell = cells.at(-1)
        if (open && cell) cell.words = `${cell.words}${text}`
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return cells.map((cell) => ({ ...cell, words: cell.words.trim() }))
}

/** Returns the texts of an XML file. */
function xmlText(xml: string): string {
  const texts: string[] = []
  const parser = new Parser({ ontext: (text) => texts.push(text) }, { xmlMode: true })
  parser.end(xml)
  return texts.join('')
}

/** Returns the rows of a CSV text. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.some((cell) => cell !== ''))
}

describe('Word', () => {
  test('is read by LibreOffice with the same words in order, and every symbol of the formulas', async () => {
    const docx = await saved('docx', 'words')
    const xml = xmlText(partOf(await readFile(docx), 'word/document.xml'))
    for (const { signs } of richFormulas) {
      // Roots, brackets and accents are not text there.
      const letters = signs.replace(/[√(){}^∑∏∫]|\u20d7/gu, '')
      expect(signsIn(letters, xml).missing).toBe('')
    }
    if (!office) return
    const text = await office.pdfWords(await office.convert(docx, 'pdf'))
    let at = 0
    for (const words of richWords) {
      const next = bare(text).indexOf(bare(words), at)
      expect(next, `${words} in ${text}`).toBeGreaterThanOrEqual(at)
      at = next + bare(words).length
    }
    const formulas = text.slice(text.indexOf('之间的文字'))
    const read = signsIn(richFormulas.map(({ signs }) => signs).join(''), formulas)
    console.log(
      `docx by LibreOffice: ${richWords.length} of ${richWords.length} passages, ${read.of - read.missing.length} of ${read.of} signs of formulas`,
    )
    expect(read.missing).toBe('')
  })

  test('keeps nested equations, images and merged cells through LibreOffice’s own formats', async () => {
    const docx = await saved('docx', 'things')
    if (!office) {
      const xml = partOf(await readFile(docx), 'word/document.xml')
      expect(xml.match(/<m:oMath>/g)).toHaveLength(richFormulas.length + 2)
      expect(xml.match(/<w:gridSpan w:val="2"\/>/g)).toHaveLength(2)
      return
    }
    const odt = await readFile(await office.convert(docx, 'odt'))
    const equations = unzipped(odt)
      .map(({ name }) => name)
      .filter((name) => /^Object \d+\/content\.xml$/.test(name))
      .map((name) => partOf(odt, name))
    expect(equations).toHaveLength(richFormulas.length + 2)
    const all = equations.join('')
    const count = (tag: string): number => all.match(new RegExp(`<${tag}[ >]`, 'g'))?.length ?? 0
    const counts = Object.fromEntries(
      ['mfrac', 'msqrt', 'mroot', 'mtable', 'mtr', 'munderover'].map((tag) => [tag, count(tag)]),
    )
    console.log(`equations as LibreOffice has them: ${JSON.stringify(counts)}`)
    expect(counts).toEqual({ mfrac: 8, msqrt: 3, mroot: 1, mtable: 2, mtr: 5, munderover: 3 })
    expect(all).toMatch(/<mfrac>(?:(?!<\/mfrac>).)*<mfrac>(?:(?!<\/mfrac>).)*<mroot>/s)
    expect(unzipped(odt).filter(({ name }) => name.startsWith('Pictures/'))).toHaveLength(1)

    const cells = cellsOf(partOf(odt, 'content.xml'))
    expect(
      cells
        .filter(({ columns, rows }) => columns * rows > 1)
        .map(({ words, columns, rows }) => [words, columns, rows]),
    ).toEqual(richSpans)
    const expectedCells = richCells
      .flat()
      .filter((words) => words !== '' && !words.startsWith('\\'))
    const have = cells.map(({ words }) => words).filter((words) => words !== '')
    console.log(`cells of the table by LibreOffice: ${have.length} of ${expectedCells.length}`)
    expect(have).toEqual(expectedCells)
  })
})

test('Excel is read by two other programs: the same cells, without calculations', async () => {
  const xlsx = await saved('xlsx', 'book')
  const sheets = await readXlsx(xlsx)
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['About', 'Page 2'])
  const rows = sheets[1]?.data.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))
  expect(rows).toEqual(richCells)
  const sheet = partOf(await readFile(xlsx), 'xl/worksheets/sheet2.xml')
  expect(sheet).not.toContain('<f>')
  if (!office) return
  await office.convert(xlsx, 'csv', {
    write: 'Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1',
  })
  const [name = ''] = (await readdir(folder)).filter((one) => one.startsWith('book-Page'))
  const read = csvRows(await readFile(join(folder, name), 'utf8'))
  console.log(`xlsx by LibreOffice: ${read.flat().length} of ${richCells.flat().length} cells`)
  expect(read).toEqual(richCells)
})

test('CSV is read back with the same cells; potential formulas are text', async () => {
  await written(source, 'csv', async ({ files }) => {
    const [table = ''] = files
    const text = await readFile(table, 'utf8')
    const guarded = (words: string): string => (/^[=@]|^-[a-z]/.test(words) ? `'${words}` : words)
    const expected = richCells.map((row) => row.map(guarded))
    expect(csvRows(text)).toEqual(expected)
    if (!office) return
    const copy = join(folder, basename(table))
    await writeFile(copy, text)
    // Commas, quotes, UTF-8, starting at the first line; formulas are calculated if there are any.
    const xlsx = await office.convert(copy, 'xlsx', {
      read: 'Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,0,true',
    })
    const [sheet] = await readXlsx(xlsx)
    const cells = sheet?.data.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))
    console.log(`csv by LibreOffice: ${cells?.flat().length ?? 0} cells`)
    expect(cells).toEqual(expected.map((row) => row.map((words) => words.replace(/^\+4$/, '4'))))
    expect(partOf(await readFile(xlsx), 'xl/worksheets/sheet1.xml')).not.toMatch(/<f[ >]/)
  })
})
