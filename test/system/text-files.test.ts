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
const problemOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof TextFileProblem ? error.trouble : error),
  )

describe('Word', () => {
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

describe('Excel', () => {
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
