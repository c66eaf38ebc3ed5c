import { readFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { TextFormat } from '../../src/shared/documents/text-formats.ts'
import { blockText } from '../../src/shared/documents/block-text.ts'
import { TextFileProblem, type Section } from '../../src/system/text-files/blocks.ts'
import { readTextFile } from '../../src/system/text-files/read-text-file.ts'

const bytesOf = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../fixtures/text-files/${name}`, import.meta.url)))
const read = (name: string): Promise<readonly Section[]> =>
  readTextFile(bytesOf(name), (name.split('.').at(-1) ?? '') as TextFormat)
const readText = (text: string, format: TextFormat): Promise<readonly Section[]> =>
  readTextFile(strToU8(text), format)
const titlesOf = (sections: readonly Section[]): readonly string[] =>
  sections.map(({ title }) => title)
const contentsOf = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap(({ blocks }) => blocks.map(({ content }) => content))
/** Text as search and lists have it. */
const wordsOf = (sections: readonly Section[]): string =>
  sections
    .flatMap(({ blocks }) =>
      blocks.map(({ content }) => blockText({ kind: 'text', content, edited: null })),
    )
    .join('\n')
/** Returns a fixture with some of its texts changed; null removes a file. */
function edited(
  name: string,
  changes: Readonly<Record<string, string | null | ((text: string) => string)>>,
): Uint8Array<ArrayBuffer> {
  const files = unzipSync(bytesOf(name))
  for (const [path, change] of Object.entries(changes)) {
    if (change === null) delete files[path]
    else
      files[path] = strToU8(
        typeof change === 'string' ? change : change(strFromU8(files[path] ?? new Uint8Array())),
      )
  }
  return zipSync(files)
}
const problemOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof TextFileProblem ? error.trouble : error),
  )

/** Returns a Word file with this body and these definitions of lists. */
const wordFile = (body: string, lists = ''): Uint8Array<ArrayBuffer> =>
  edited('report.docx', {
    'word/document.xml': (text) =>
      text.replace(
        /<w:body>.*<\/w:body>/s,
        () =>
          `<w:body xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${body}</w:body>`,
      ),
    'word/numbering.xml': (text) =>
      text.replace(
        /(<w:numbering[^>]*>).*(<\/w:numbering>)/s,
        (_, open: string, close: string) => open + lists + close,
      ),
  })
const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`
const level = (at: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/>${more}<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
const numbered = (text: string, id: number, at = 0, style = ''): string =>
  `<w:p><w:pPr>${style}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${run(text)}</w:p>`

describe('Word', () => {
  test('keeps the text of fields, of words with readings, and of formulas', async () => {
    const m = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
    const file = wordFile(
      `<w:p>${run('Figure ')}<w:fldSimple w:instr="SEQ Figure">${run('3')}</w:fldSimple></w:p>
      <w:p><w:r><w:ruby><w:rubyPr/><w:rt>${run('hàn')}</w:rt><w:rubyBase>${run('汉')}</w:rubyBase></w:ruby></w:r>${run('字')}</w:p>
      <w:p><m:oMathPara><m:oMath><m:f><m:num>${m('a+1')}</m:num><m:den>${m('b')}</m:den></m:f>${m('=')}<m:sSup><m:e>${m('x')}</m:e><m:sup>${m('2')}</m:sup></m:sSup></m:oMath></m:oMathPara></w:p>`,
    )
    expect(wordsOf(await readTextFile(file, 'docx'))).toBe('Figure 3\n汉字\n(a+1)/b=x^2')
  })

  test('reads nested formulas in time that does not grow with each level', async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '<m:r><m:t>x</m:t></m:r>'
        : `<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup>${nested(depth - 1)}</m:sup></m:sSup>`
    const file = wordFile(`<w:p><m:oMath>${nested(40)}</m:oMath></w:p>`)
    expect(wordsOf(await readTextFile(file, 'docx'))).toMatch(/^x\^\(x\^\(x.*x\)+$/)
  })

  test('numbers lists and headings as Word shows them', async () => {
    const file = wordFile(
      [
        numbered('Scope', 2, 0, '<w:pStyle w:val="Heading1"/>'),
        numbered('Terms', 2, 1, '<w:pStyle w:val="Heading2"/>'),
        numbered('One', 1),
        numbered('Inner', 1, 1),
        numbered('Two', 1),
        `<w:p>${run('Between.')}</w:p>`,
        numbered('Three', 1),
        numbered('Inner again', 1, 1),
        numbered('', 1),
        numbered('Five', 1),
        numbered('Costs', 2, 0, '<w:pStyle w:val="Heading1"/>'),
        numbered('Again', 3),
      ].join(''),
      `<w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}</w:abstractNum>
      <w:abstractNum w:abstractNumId="2">${level(0, 'chineseCounting', '第%1章')}${level(1, 'decimal', '%1.%2', '<w:isLgl/>')}</w:abstractNum>
      <w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
      <w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
      <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`,
    )
    expect(contentsOf(await readTextFile(file, 'docx'))).toEqual([
      '# 第一章 Scope',
      '## 1.1 Terms',
      '1. One\n   - a) Inner\n2. Two',
      'Between.',
      '3. Three\n   - a) Inner again\n5. Five',
      '# 第二章 Costs',
      '7. Again',
    ])
  })

  test('divides at headings, and keeps lists, tables, links and footnotes in reading order', async () => {
    const sections = await read('report.docx')
    expect(titlesOf(sections)).toEqual(['Harbor report', 'Findings', 'Figures', 'Plan'])
    const [summary, findings, figures, plan] = sections.map(({ blocks }) => blocks)
    expect(summary?.map(({ content }) => content)).toEqual([
      '# Harbor report',
      '# Summary',
      'The harbor handled **412 ships** in autumn, *more than ever*. See [the register](https://example.org/harbor).<sup>[1]</sup>',
    ])
    expect(findings?.map(({ kind }) => kind)).toEqual(['title', 'list', 'text'])
    expect(findings?.[1]?.content).toBe(
      [
        '- Fog delayed nine arrivals',
        '- Two cranes failed',
        '  - The old one in October',
        '  - The new one in November',
        '- No one was hurt',
      ].join('\n'),
    )
    expect(figures?.[1]?.content).toContain(
      '<td colspan="2">Autumn, still open</td><td>68,100</td>',
    )
    expect(plan?.[1]?.content).toBe(
      '1. Repair the crane\n2. Dredge the basin\n3. Publish the register',
    )
    expect(contentsOf(sections).at(-1)).toContain('Counted at the northern pier only.')
  })

  test('shows signs of Markdown as they are written', async () => {
    expect(wordsOf(await read('report.docx'))).toContain(
      'Costs rose by 5 < 7 percent; the price is $5 or $6 per *ton* of file_name_one.',
    )
    const letter = wordsOf(await read('letter.docx'))
    expect(letter).toContain('# This is no heading either, and - this is no list.')
    expect(letter).toContain('The harbor office & its clerks')
  })

  test('divides long text without headings', async () => {
    const sections = await read('letter.docx')
    expect(sections.length).toBeGreaterThan(1)
    expect(wordsOf(sections).match(/Paragraph \d+ of/g)).toHaveLength(120)
  })

  test('reads Chinese', async () => {
    const sections = await read('chinese.docx')
    expect(titlesOf(sections)).toEqual(['海港年度报告', '主要问题', '数据', '下一步计划'])
    expect(wordsOf(sections)).toContain('两台起重机发生故障')
  })
})

describe('PowerPoint', () => {
  test('reads each slide once: sections list them again, and a missing one is left out', async () => {
    const sectioned = edited('deck.pptx', {
      'ppt/presentation.xml': (text) =>
        text
          .replace('</p:sldIdLst>', '<p:sldId id="257" r:id="rId5"/></p:sldIdLst>')
          .replace(
            '</p:presentation>',
            '<p:extLst><p:ext><p14:sectionLst><p14:section name="All"><p14:sldIdLst><p14:sldId id="256"/><p14:sldId id="257"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>',
          ),
    })
    expect(titlesOf(await readTextFile(sectioned, 'pptx'))).toEqual([
      'Harbor in autumn',
      'Cranes',
      'Plan',
    ])
    const sharing = edited('deck.pptx', {
      'ppt/slides/_rels/slide2.xml.rels': (text) => text.replace('notesSlide2', 'notesSlide1'),
    })
    expect(wordsOf(await readTextFile(sharing, 'pptx')).match(/Welcome everyone/g)).toHaveLength(1)
    const missing = edited('deck.pptx', { 'ppt/slides/slide2.xml': null })
    expect(titlesOf(await readTextFile(missing, 'pptx'))).toEqual(['Harbor in autumn', 'Plan'])
  })

  test('reads each slide: title, bullets by level, notes', async () => {
    const sections = await read('deck.pptx')
    expect(titlesOf(sections)).toEqual(['Harbor in autumn', 'Cranes', 'Plan'])
    expect(sections[1]?.blocks.map(({ content }) => content)).toEqual([
      '## Cranes',
      '- Two cranes failed\n  - The old one in October\n  - The new one in November\n- Both run again',
      '> Show the photo of the crane.',
    ])
  })

  test('reads tables, and the texts of shapes and groups', async () => {
    const [, data] = await read('chinese-deck.pptx')
    expect(data?.blocks[1]?.content).toMatch(/<t[hd]>月份<\/t[hd]><t[hd]>船舶<\/t[hd]>/)
    const [flow, last] = await read('shapes.pptx')
    expect(wordsOf(flow ? [flow] : [])).toBe(
      'Ship arrives\nPilot boards\nShip berths\nA note below the flow, with $5 and $6.',
    )
    expect(last?.title).toBe('Empty but for its title')
  })
})

/** Returns a workbook with one sheet of these rows, number formats by style, and texts. */
const workbook = (
  rows: string,
  { formats = [], date1904 = false }: { formats?: readonly string[]; date1904?: boolean } = {},
): Uint8Array<ArrayBuffer> =>
  edited('budget.xlsx', {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`)
      .join(
        '',
      )}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, at) => `<xf numFmtId="${200 + at}"/>`)
      .join('')}<xf numFmtId="10"/></cellXfs></styleSheet>`,
    'xl/workbook.xml': (text) =>
      date1904 ? text.replace('<workbookPr ', '<workbookPr date1904="1" ') : text,
  })
const cells = (values: readonly (readonly [value: string | number, style?: number])[]): string =>
  `<row>${values.map(([value, style = 0]) => `<c s="${style}"><v>${value}</v></c>`).join('')}</row>`

describe('Excel', () => {
  test('shows values as their formats do: elapsed time, percent, zero padding, errors', async () => {
    const rows =
      cells([
        [1.5625, 1],
        [0.125, 2],
        [42, 3],
        [0.5, 4],
        [0.07, 5],
      ]) + '<row><c t="e"><v>#N/A</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    const formats = ['[h]:mm', '0%', '00000', 'h:mm &quot;day&quot;']
    const [sheet] = await readTextFile(workbook(rows, { formats }), 'xlsx')
    expect(sheet?.blocks[1]?.content).toBe(
      '<table>\n<tr><td>37:30</td><td>13%</td><td>00042</td><td>12:00</td><td>7.00%</td></tr>\n<tr><td>#N/A</td><td>#DIV/0!</td></tr>\n</table>',
    )
  })

  test('shows numbers with the separators, currencies and units of their formats', async () => {
    const formats = [
      '#,##0.00\\ [$€-407];[Red]\\-#,##0.00\\ [$€-407]',
      '_-* #,##0.00_-;\\(#,##0.00\\);_-* &quot;-&quot;??_-;_-@_-',
      '0.0,,&quot; M&quot;',
      '0.0E+00',
      'General&quot; kg&quot;',
      '0.##',
      '[&gt;100]&quot;much&quot;;0',
      'mmm yyyy',
      '000\\-0000',
    ]
    const values: readonly (readonly [number, number])[] = [
      [1234.5, 1],
      [-1234.5, 1],
      [1e6, 2],
      [-0.5, 2],
      [0, 2],
      [12_340_000, 3],
      [0.00015, 4],
      [2.5, 5],
      [1.005, 6],
      [-0.001, 6],
      [120, 7],
      [46_000, 8],
      [5_551_234, 9],
    ]
    const [sheet] = await readTextFile(workbook(cells(values), { formats }), 'xlsx')
    expect(
      [...(sheet?.blocks[1]?.content ?? '').matchAll(/<td>(.*?)<\/td>/g)].map(([, text]) => text),
    ).toEqual(
      '1,234.50 €|-1,234.50 €|1,000,000.00|(0.50)|-|12.3 M|1.5E-04|2.5 kg|1.01|0|120|Dec 2025|5551234'.split(
        '|',
      ),
    )
  })

  test('never loses the sign of a number, or the year of a date', async () => {
    const formats = [
      '#,##0;[Red]#,##0',
      '0.00;[Red]0.00',
      '[&gt;=0]0.0;0.00',
      '[$-411]ggge&quot;年&quot;m&quot;月&quot;d&quot;日&quot;',
      'yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot; aaaa',
    ]
    const rows = cells([
      [-1234.5, 1],
      [-3, 2],
      [-5, 3],
      [46_000, 4],
      [46_000, 5],
    ])
    const [sheet] = await readTextFile(workbook(rows, { formats }), 'xlsx')
    expect(sheet?.blocks[1]?.content).toContain(
      '<td>-1,235</td><td>-3.00</td><td>-5</td><td>2025-12-09</td><td>2025-12-09</td>',
    )
  })

  test('keeps the text of cells that a merged one covers', async () => {
    const rows =
      cells([['1'], ['2']]) +
      cells([
        ['3', 0],
        ['4', 0],
      ])
    const file = edited('budget.xlsx', {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells></worksheet>`,
    })
    const [sheet] = await readTextFile(file, 'xlsx')
    expect(sheet?.blocks[1]?.content).toContain('<td rowspan="2">1<br>3</td><td>2</td>')
  })

  test('reads sheets whose merged cells overlap or cover a whole sheet', async () => {
    const rows = Array.from({ length: 3 }, (_, at) =>
      cells([
        [at, 0],
        [at, 0],
      ]),
    )
    const merges = ['A1:XFD1048576', 'B1:C9', 'A2:B2', 'A3', 'x'].map(
      (ref) => `<mergeCell ref="${ref}"/>`,
    )
    const file = edited('budget.xlsx', {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData><mergeCells>${merges.join('')}</mergeCells></worksheet>`,
    })
    const [sheet] = await readTextFile(file, 'xlsx')
    expect(sheet?.blocks[1]?.content).toMatch(
      /^<table>\n<tr><td colspan="100" rowspan="3">0(?:<br>[012]){5}<\/td>/,
    )
  })

  test('counts days from the epoch of the workbook', async () => {
    const rows = cells([
      [1, 1],
      [44836.25, 1],
    ])
    const formats = ['yyyy\\-mm\\-dd']
    const [sheet] = await readTextFile(workbook(rows, { formats }), 'xlsx')
    expect(sheet?.blocks[1]?.content).toContain('<td>1900-01-01</td><td>2022-10-02 06:00</td>')
    const [old] = await readTextFile(workbook(rows, { formats, date1904: true }), 'xlsx')
    expect(old?.blocks[1]?.content).toContain('<td>1904-01-02</td><td>2026-10-03 06:00</td>')
  })

  test('reads on after a sheet without cells, and after a cell that cannot be read', async () => {
    const chart = edited('budget.xlsx', {
      'xl/worksheets/sheet1.xml': null,
      'xl/chartsheets/sheet1.xml': '<chartsheet><drawing/></chartsheet>',
      'xl/_rels/workbook.xml.rels': (text) =>
        text.replace(
          'relationships/worksheet" Target="worksheets/sheet1.xml"',
          'relationships/chartsheet" Target="chartsheets/sheet1.xml"',
        ),
    })
    const sections = await readTextFile(chart, 'xlsx')
    expect(sections.map(({ title, blocks }) => [title, blocks.length])).toEqual([
      ['Budget', 1],
      ['Staff', 2],
    ])
    const rows = '<row><c t="s"><v>9999</v></c><c t="b"><v>maybe</v></c><c t="x"><v>7</v></c></row>'
    const [sheet] = await readTextFile(workbook(rows), 'xlsx')
    expect(wordsOf(sheet ? [sheet] : [])).toContain('7')
  })

  test('cuts empty cells after the last value of a row, and empty columns', async () => {
    const rows = '<row r="1"><c r="B1"><v>1</v></c><c r="C1"><v>2</v></c><c r="XFD1" s="1"/></row>'
    const [sheet] = await readTextFile(workbook(rows), 'xlsx')
    expect(sheet?.blocks[1]?.content).toBe('<table>\n<tr><td>1</td><td>2</td></tr>\n</table>')
    const far = Array.from(
      { length: 2_000 },
      (_, at) =>
        `<row r="${at + 1}"><c r="A${at + 1}"><v>1</v></c><c r="XFD${at + 1}"><v>1</v></c></row>`,
    )
    expect(await problemOf(readTextFile(workbook(far.join('')), 'xlsx'))).toBe('too-large')
    const long = `<row><c t="s"><v>0</v></c></row>`.repeat(700)
    const files = unzipSync(workbook(long))
    files['xl/sharedStrings.xml'] = strToU8(`<sst><si><t>${'a'.repeat(100_000)}</t></si></sst>`)
    expect(await problemOf(readTextFile(zipSync(files), 'xlsx'))).toBe('too-large')
    const wide = `<row>${'<c><v>1</v></c>'.repeat(200_000)}</row>`
    expect(await problemOf(readTextFile(workbook(wide), 'xlsx'))).toBe('read')
  })

  test('reads each sheet: tables between empty rows, dates and calculated values', async () => {
    const sections = await read('budget.xlsx')
    expect(titlesOf(sections)).toEqual(['Budget', 'Staff'])
    const [, table, note, depths] = sections[0]?.blocks ?? []
    expect(table?.content).toContain(
      '<td>Crane repair</td><td>2026-10-03</td><td>1250.5</td><td>TRUE</td>',
    )
    expect(table?.content).toContain('<td>Sum</td><td></td><td>10050.5</td>')
    expect(note).toEqual({ kind: 'text', content: 'Prices in euros & without tax' })
    expect(depths?.content).toContain('<td>North</td><td>12.25</td>')
    expect(sections[1]?.blocks[1]?.content).toContain('Ada &lt;Lovelace&gt;')
  })

  test('divides a long table, and loses no row', async () => {
    const [log] = await read('long.xlsx')
    expect(log?.blocks.length).toBeGreaterThan(3)
    expect(wordsOf(log ? [log] : []).match(/Entry \d+ of the log/g)).toHaveLength(300)
    expect(titlesOf(await read('chinese-sheet.xlsx'))).toEqual(['船舶登记'])
  })
})

describe('EPUB', () => {
  test('reads chapters as XML: empty elements close themselves', async () => {
    const path = 'OEBPS/sections/section0001.xhtml'
    const empty = edited('report.epub', {
      [path]:
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/><style/></head><body><a id="top"/><h1>Sea<br/>and land</h1><p>Fog &amp; wind&nbsp;here</p></body></html>',
    })
    expect(wordsOf(await readTextFile(empty, 'epub'))).toContain('Fog & wind here')
    const [page] = await readText(
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>Fog</p></body></html>',
      'html',
    )
    expect(page?.blocks).toEqual([{ kind: 'text', content: 'Fog' }])
  })

  test('reads a chapter that the spine repeats once', async () => {
    const repeated = edited('letter.epub', {
      'OEBPS/content.opf': (text) =>
        text.replace(/<itemref .*<\/spine>/s, (spine) => spine + spine.replace('</spine>', '')),
    })
    expect(wordsOf(await readTextFile(repeated, 'epub')).match(/Paragraph \d+ of/g)).toHaveLength(
      120,
    )
  })

  test('reads chapters in the order of the spine', async () => {
    const sections = await read('report.epub')
    const words = wordsOf(sections)
    const places = ['Harbor report', 'Two cranes failed', 'Autumn, still open', 'Dredge'].map(
      (part) => words.indexOf(part),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThanOrEqual(0)
    expect(wordsOf(await read('chinese.epub'))).toContain('没有人员受伤')
    expect(wordsOf(await read('letter.epub')).match(/Paragraph \d+ of/g)).toHaveLength(120)
  })

  test('says that a chapter is encrypted', async () => {
    const files = unzipSync(bytesOf('report.epub'))
    const opf = Object.keys(files).find((path) => path.endsWith('.opf')) ?? ''
    const chapter =
      Object.keys(files).find((path) => /sections?\/section\d+\.xhtml$/i.test(path)) ?? opf
    files['META-INF/encryption.xml'] = strToU8(
      `<encryption><EncryptedData><CipherData><CipherReference URI="${chapter}"/></CipherData></EncryptedData></encryption>`,
    )
    expect(await problemOf(readTextFile(zipSync(files), 'epub'))).toBe('protected')
  })
})

describe('web pages', () => {
  test('reads a page that LibreOffice wrote', async () => {
    expect(titlesOf(await read('report.html'))).toContain('Findings')
    expect(wordsOf(await read('chinese.html'))).toContain('同比增长百分之七')
    expect(wordsOf(await read('letter.html')).match(/Paragraph \d+ of/g)).toHaveLength(120)
  })

  test('keeps text only: no script, style, hidden part or dangerous link', async () => {
    const [section] = await readText(
      `<html><head><title>Away</title><style>p{}</style></head><body><script>alert(1)</script>
      <h1>Sea</h1><div>One<p>two <a href="javascript:alert(2)">three</a> &lt;img src=x onerror=alert(3)&gt;</p>four</div>
      <p hidden>not this</p><iframe src="https://example.org"></iframe><pre>a  b\n  c</pre>
      <blockquote><p>quoted</p></blockquote><table><tr><td><script>alert(4)</script>x<img src=y alt="A gull"></td><td>&lt;b&gt;</td></tr></table></body></html>`,
      'html',
    )
    expect(section?.blocks.map(({ content }) => content)).toEqual([
      '# Sea',
      'One',
      'two three &lt;img src=x onerror=alert(3)>',
      'four',
      '```\na  b\n  c\n```',
      '> quoted',
      '<table>\n<tr><td>x</td><td>&lt;b&gt;</td></tr>\n</table>',
    ])
  })

  test('keeps words with readings whole, and a formula in its line', async () => {
    const [section] = await readText(
      `<p>The <ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby> and
      <ruby><rb>北</rb><rb>京</rb><rtc><rt>Běi</rt><rt>jīng</rt></rtc></ruby> are words.</p>
      <p>If <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math> or <math alttext="x_1^2"><mi>x</mi></math> or
      <math><semantics><mrow><mi>y</mi></mrow><annotation encoding="application/x-tex">\\frac{y}{2}</annotation></semantics></math> grows.</p>`,
      'html',
    )
    expect(wordsOf(section ? [section] : [])).toBe(
      'The 漢字 and 北京 are words.\nIf ab or x_1^2 or \\frac{y}{2} grows.',
    )
    expect(section?.blocks).toHaveLength(2)
  })

  test('decodes the encoding that a page names', async () => {
    const bytes = Buffer.from('<meta charset="windows-1252"><p>caf\u00e9</p>', 'latin1')
    expect(wordsOf(await readTextFile(new Uint8Array(bytes), 'html'))).toBe('café')
  })
})

describe('Markdown and text', () => {
  test('keeps blocks as they are written, and divides at headings', async () => {
    const sections = await readText(
      '---\ntitle: x\n---\n# Sea\n\nOne *two*\nthree\n\n- a\n  - b\n- c\n\n## Land\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n```js\n# no heading\n```\n\n<div>html</div>\n',
      'md',
    )
    expect(titlesOf(sections)).toEqual(['Sea', 'Land'])
    expect(contentsOf(sections)).toEqual([
      '# Sea',
      'One *two*\nthree',
      '- a\n  - b\n- c',
      '## Land',
      '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>',
      '```js\n# no heading\n```',
      'html',
    ])
  })

  test('reads the Markdown fixtures', async () => {
    expect(titlesOf(await read('report.md'))).toEqual([
      'Harbor report',
      'Findings',
      'Figures',
      'Plan',
    ])
    expect(wordsOf(await read('chinese.md'))).toContain('两台起重机发生故障')
    expect(wordsOf(await read('letter.md'))).toContain('The harbor office & its clerks')
  })

  test('divides text at empty lines, whatever its encoding', async () => {
    const [section] = await readText('one\ntwo\n\n# three', 'txt')
    expect(section?.blocks.map(({ content }) => content)).toEqual(['one  \ntwo', '&#35; three'])
    const chinese = new Uint8Array([0xba, 0xa3, 0xb8, 0xdb])
    expect(wordsOf(await readTextFile(chinese, 'txt'))).toBe('海港')
  })
})

describe('files that are not what they claim', () => {
  test('says so for damaged, renamed and encrypted files', async () => {
    for (const format of ['docx', 'pptx', 'xlsx', 'epub'] as const) {
      expect(await problemOf(readText('no archive', format))).toBe('damaged')
      expect(await problemOf(readTextFile(bytesOf('report.docx').slice(0, 900), format))).toBe(
        'damaged',
      )
      const empty = zipSync({ 'a.txt': strToU8('a') })
      expect(await problemOf(readTextFile(empty, format))).toBe('damaged')
      const compound = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])
      expect(await problemOf(readTextFile(compound, format))).toBe('protected')
    }
    expect(await problemOf(readTextFile(bytesOf('report.docx'), 'pptx'))).toBe('damaged')
    expect(await problemOf(readTextFile(bytesOf('deck.pptx'), 'xlsx'))).toBe('damaged')
    expect(await problemOf(readTextFile(bytesOf('budget.xlsx'), 'docx'))).toBe('damaged')
    expect(await problemOf(readTextFile(bytesOf('report.docx'), 'txt'))).toBe('damaged')
  })

  test('counts what stored entries contain, whatever they claim', async () => {
    const bomb = zipSync(unzipSync(bytesOf('report.docx')), { level: 0 })
    const view = new DataView(bomb.buffer)
    for (let at = 0; at + 28 < view.byteLength; at++)
      if (view.getUint32(at, true) === 0x02014b50) {
        view.setUint32(at + 20, 300_000_000, true)
        view.setUint32(at + 24, 1, true)
      }
    expect(await problemOf(readTextFile(bomb, 'docx'))).toBe('too-large')
  })

  test('unpacks no archive beyond its limit, whatever its entries claim', async () => {
    const files = unzipSync(bytesOf('report.docx'))
    const document = files['word/document.xml'] ?? new Uint8Array()
    const bomb = zipSync(files)
    /** Replaces the unpacked size that the central directory names. */
    const claiming = (size: number): Uint8Array<ArrayBuffer> => {
      const view = new DataView(bomb.slice().buffer)
      for (let at = 0; at + 28 < view.byteLength; at++)
        if (
          view.getUint32(at, true) === 0x02014b50 &&
          view.getUint32(at + 24, true) === document.length
        )
          view.setUint32(at + 24, size, true)
      return new Uint8Array(view.buffer)
    }
    expect(await problemOf(readTextFile(claiming(document.length), 'docx'))).toBe('read')
    expect(await problemOf(readTextFile(claiming(401_000_000), 'docx'))).toBe('too-large')
    // More than it claims is not unpacked.
    expect(await problemOf(readTextFile(claiming(500), 'docx'))).toBe('damaged')
    const many = Object.fromEntries(
      Array.from({ length: 20_001 }, (_, at) => [`${at}.xml`, new Uint8Array()]),
    )
    expect(await problemOf(readTextFile(zipSync(many), 'docx'))).toBe('too-large')
  })

  test('expands no entities and reads no other file', async () => {
    const files = unzipSync(bytesOf('report.docx'))
    const text = strFromU8(files['word/document.xml'] ?? new Uint8Array())
    const entities = `<!DOCTYPE d [<!ENTITY a "${'ha'.repeat(50)}"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>`
    files['word/document.xml'] = strToU8(
      text
        .replace(/(<\?xml[^>]*\?>)/, `$1${entities}`)
        .replace('No one was hurt', 'No one &b; was &f; hurt'),
    )
    const found = await readTextFile(zipSync(files), 'docx').catch((error: unknown) => error)
    if (found instanceof TextFileProblem) expect(found.trouble).toBe('damaged')
    else expect(wordsOf(found as readonly Section[])).not.toContain('haha')
  })
})
