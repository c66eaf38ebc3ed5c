import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import mammoth from 'mammoth'
import { describe, expect, test } from 'vitest'
import { writeOneFile } from '../../../../../src/main/domains/documents/exports/one-file.ts'
import { plainOptions } from '../../../../../src/main/domains/documents/exports/document-export-types.ts'
import type { ExportSource } from '../../../../../src/main/domains/documents/exports/document-export-types.ts'
import { unzipped } from '../../../../fixtures/unzip.ts'
import {
  bytesFile,
  noImages,
  pagesOf,
  testImage,
  imagesOf,
  sourceOf,
  written,
  type WriteOptions,
} from './made.ts'

/** Returns a part of a Word document, decompressed. */
function partOf(book: Buffer, name: string): Buffer {
  const entry = unzipped(book).find((one) => one.name === name)
  if (!entry) throw new Error(`There is no ${name}`)
  return entry.bytes
}

async function bodyOf(source: ExportSource, wanted?: WriteOptions): Promise<string> {
  return partOf(await bytesFile(source, 'docx', wanted), 'word/document.xml').toString('utf8')
}

/** Returns the nested elements of an XML text: `m:f(m:num(…)…)`, texts in quotes. */
function outline(xml: string): string {
  const out: string[] = []
  const parser = new Parser(
    {
      onopentag: (name) => out.push(`${name}(`),
      onclosetag: () => out.push(')'),
      ontext: (text) => out.push(`'${text}'`),
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return out.join('')
}

/** Returns the equations of a formula, as outlined parts without their properties. */
async function equation(tex: string): Promise<string> {
  const xml = await bodyOf(sourceOf(pagesOf([[{ content: tex, label: 'formula' }]])))
  const [math = ''] = /<m:oMathPara>.*<\/m:oMathPara>/s.exec(xml) ?? []
  return outline(math.replace(/<(m|w):\w*Pr>.*?<\/\1:\w*Pr>|<(m|w):\w*Pr\/>/gs, ''))
}

describe('equations', () => {
  test('are native in Word for fractions, roots, scripts, sums and brackets', async () => {
    const all = await equation(
      String.raw`x=\frac{-b\pm\sqrt{b^2-4ac}}{2a_1}+\sum_{i=1}^{n}i^2+\int_0^1 f\,dx+\left(\frac12\right)+\sqrt[3]{x_i^2}`,
    )
    expect(all).toMatch(/^m:oMathPara\(m:oMath\(/)
    expect(all).toContain('m:f(m:num(')
    expect(all).toContain("m:rad(m:deg()m:e(m:sSup(m:e(m:r(m:t('b')))m:sup(m:r(m:t('2')))")
    expect(all).toContain("m:sSub(m:e(m:r(m:t('a')))m:sub(m:r(m:t('1')))")
    expect(all).toMatch(/m:nary\(m:sub\(m:r\(m:t\('i'\)\).*m:sup\(m:r\(m:t\('n'\)\)\)m:e\(m:sSup\(/)
    expect(all).toContain('m:d(m:e(m:f(')
    expect(all).toContain("m:rad(m:deg(m:r(m:t('3')))m:e(m:sSubSup(")
  })

  test('are native in Word for matrices, cases, accents, lines, braces, boxes and numbers', async () => {
    expect(await equation(String.raw`\begin{pmatrix}a&b\\c&d\end{pmatrix}`)).toContain(
      "m:d(m:e(m:m(m:mr(m:e(m:r(m:t('a')))m:e(m:r(m:t('b'))))m:mr(",
    )
    expect(await equation(String.raw`\begin{cases}1&x>0\\0\end{cases}`)).toContain(
      'm:d(m:e(m:m(m:mr(',
    )
    expect(await equation(String.raw`\hat{x}\vec{v}`)).toContain("m:acc(m:e(m:r(m:t('x'))))m:acc(")
    expect(await equation(String.raw`\overline{ab}`)).toContain('m:bar(m:e(')
    expect(await equation(String.raw`\underbrace{x+y}_{n}`)).toContain('m:limLow(m:e(m:groupChr(')
    expect(await equation(String.raw`\boxed{a}`)).toContain('m:borderBox(m:e(')
    expect(await equation(String.raw`\lim_{x\to0}\mathbb{R}`)).toContain(
      "m:limLow(m:e(m:r(m:t('lim')))",
    )
    expect(await equation(String.raw`a=b\tag{1}`)).toMatch(/'a'.*'='.*'b'.*'\(1\)'/)
    expect(await equation(String.raw`\text{当 } x>0`)).toContain("m:t('当 ')")
  })

  test('that cannot be converted stay as LaTeX, each separately', async () => {
    const texts = [
      String.raw`\unknown{x}`,
      String.raw`\frac{a`,
      String.raw`\def\a{\a\a}\a`,
      `${'{'.repeat(9000)}x${'}'.repeat(9000)}`,
    ]
    const source = sourceOf(
      pagesOf([[...texts, 'x^2'].map((content) => ({ content, label: 'formula' }))]),
    )
    await written(source, 'docx', async ({ plainFormulas }, main) => {
      expect(plainFormulas).toBe(texts.length)
      const { value } = await mammoth.extractRawText({ path: main })
      for (const text of texts) expect(value).toContain(text)
      const xml = partOf(await readFile(main), 'word/document.xml').toString('utf8')
      expect(xml.match(/<m:oMath>/g)).toHaveLength(1)
    })
  })
})

const rich = pagesOf([
  [
    { content: 'A Title & more', label: 'doc_title' },
    { content: '## Second' },
    {
      content:
        'Words **bold** and *leaning*, `code`, [a link](https://example.org/) and 中文。\n\n- one\n- two\n  - deeper\n\n5. five\n6. six',
    },
    {
      content:
        '<table><tr><th colspan="2">head</th><th>x</th></tr><tr><td rowspan="2">tall</td><td>b $y^2$</td><td>c</td></tr>' +
        '<tr><td colspan="2">wide</td></tr></table>',
      label: 'table',
    },
    { content: '', label: 'image' },
    { content: '', label: 'chart' },
  ],
  [{ content: 'The last page' }],
])

describe('a Word document', () => {
  test('contains its headings, lists, links, merged cells and images when read back', async () => {
    const images = imagesOf({ p1b4: testImage(2400, 1200), p1b5: testImage(30, 60, 'jpeg') })
    const book = await bytesFile(sourceOf(rich), 'docx', { images })
    const { value } = await mammoth.convertToHtml({ buffer: book })
    expect(value).toContain('A Title &amp; more</h1>')
    expect(value).toContain('Second</h2>')
    expect(value).toContain('<strong>bold</strong>')
    expect(value).toContain('<em>leaning</em>')
    expect(value).toContain('<a href="https://example.org/">a link</a>')
    expect(value).toContain('<li>one</li>')
    expect(value).toMatch(/<li>two<ul><li>deeper<\/li><\/ul><\/li>/)
    expect(value).toContain('<ol><li>five</li><li>six</li></ol>')
    expect(value).toContain('colspan="2"')
    expect(value).toContain('rowspan="2"')
    expect(value.match(/<img/g)).toHaveLength(2)
    expect(value).toContain('data:image/png;base64,')
    expect(value).toContain('data:image/jpeg;base64,')
    expect(value).toContain('Pages requested: 2, returned: 2')
  })

  test('keeps image proportions within the page, names Chinese fonts, continues list numbering', async () => {
    const images = imagesOf({ p1b4: testImage(2400, 1200), p1b5: testImage(30, 60, 'jpeg') })
    const book = await bytesFile(sourceOf(rich), 'docx', { images })
    const body = partOf(book, 'word/document.xml').toString('utf8')
    const sizes = Array.from(body.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"/g), ([, x, y]) => [
      Number(x),
      Number(y),
    ])
    // 9,525 units are one pixel.
    expect(sizes).toEqual([
      [600 * 9525, 300 * 9525],
      [30 * 9525, 60 * 9525],
    ])
    expect(partOf(book, 'word/styles.xml').toString('utf8')).toContain(
      'w:eastAsia="Microsoft YaHei"',
    )
    expect(partOf(book, 'word/numbering.xml').toString('utf8')).toContain('<w:start w:val="5"/>')
    const media = unzipped(book).filter(({ name }) => name.startsWith('word/media/'))
    expect(media.map((entry) => entry.bytes.subarray(0, 3).toString('hex')).toSorted()).toEqual([
      '89504e',
      'ffd8ff',
    ])
  })

  test('replaces a missing image by text, and omits images on request', async () => {
    const without = await bytesFile(sourceOf(rich), 'docx', {
      options: { images: 'none' },
      images: imagesOf({ p1b4: testImage(9, 9) }),
    })
    const { value } = await mammoth.extractRawText({ buffer: without })
    expect(value.match(/\[Image on page 1\]/g)).toHaveLength(2)
  })
})

test('packs a folder of files into an archive, and keeps a single file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'document-export-'))
  try {
    const crop = join(folder, 'crop.png')
    await writeFile(crop, testImage(20, 10))
    const request = { source: sourceOf(rich), options: plainOptions, name: 'report' }
    const packed = join(folder, 'packed')
    const result = await writeOneFile({
      ...request,
      format: 'md',
      images: async (key) => (key === 'p1b4' ? { path: crop } : null),
      to: packed,
    })
    expect(result.ending).toBe('zip')
    const entries = unzipped(await readFile(packed))
    expect(entries.map(({ name }) => name)).toEqual(['report.md', 'images/page-0001-1.png'])
    expect(entries[1] && entries[1].bytes).toEqual(await readFile(crop))
    const alone = join(folder, 'alone')
    expect(
      (await writeOneFile({ ...request, format: 'md', images: noImages, to: alone })).ending,
    ).toBe('md')
    expect(await readFile(alone, 'utf8')).toContain('# A Title & more')
    const sheets = join(folder, 'sheets')
    expect(
      await writeOneFile({ ...request, format: 'csv', images: noImages, to: sheets }),
    ).toMatchObject({ ending: 'zip', tables: 1 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
