import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { documentLabels } from '../../../../../src/main/domains/documents/exports/labels.ts'
import type { DocumentJson } from '../../../../../src/main/domains/documents/exports/json.ts'
import { pagesOf, testImage, imagesOf, sourceOf, textFile, written } from './made.ts'

const spanned =
  '<table><thead><tr><th colspan="2">Sum $x^2$</th><th>n</th></tr></thead>' +
  '<tr><td rowspan="2">甲</td><td>1.5</td><td>=1+1</td></tr><tr><td>乙</td><td>-3</td></tr></table>'
const pages = pagesOf([
  [
    { content: 'An Introduction', label: 'doc_title' },
    { content: 'It costs $5 and $6. Let $a_1 < b$ hold, **boldly**.' },
    { content: spanned, label: 'table' },
    { content: String.raw`\frac{a}{b} = \sqrt{c}`, label: 'formula' },
    { content: '', label: 'image' },
    {
      content:
        'Look: ![](page=0,bbox=[10, 20, 30, 40]) and ![cat](https://pictures.example/cat.png)',
    },
  ],
  [{ content: '第二页的文字，包含公式 $E=mc^2$。', edited: '改过的文字' }],
])
const failed = [
  ...pages,
  {
    ...pages.at(-1),
    page: 3,
    state: 'failed' as const,
    size: null,
    raster: null,
    version: null,
    error: { code: 'TIMEOUT' as const, message: 'took too long', retriable: true, at: 0 },
    blocks: [],
  },
]
const crops = imagesOf({
  p1b4: testImage(300, 150),
  'p1b5/0': testImage(20, 20, 'jpeg'),
  'https://pictures.example/cat.png': testImage(12, 10),
})

/** Returns the tags that an HTML parser finds. */
function tagsOf(html: string) {
  const tags: { readonly name: string; readonly attributes: Record<string, string> }[] = []
  const words: string[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => tags.push({ name, attributes }),
    ontext: (text) => words.push(text),
  })
  parser.end(html)
  return { tags, text: words.join('') }
}

describe('Markdown', () => {
  test('has its images as separate files, its tables as HTML, and edited text', async () => {
    await written(
      sourceOf(failed),
      'md',
      async (result, main) => {
        const text = await readFile(main, 'utf8')
        expect(basename(main)).toBe('report.md')
        expect(result.images).toBe(3)
        const links = Array.from(
          text.matchAll(/!\[[^\]]*\]\((images\/[^)]+)\)/g),
          ([, to]) => to ?? '',
        )
        expect(links.toSorted()).toEqual([
          'images/page-0001-1.png',
          'images/page-0001-2.png',
          'images/page-0001-3.jpg',
        ])
        for (const link of links)
          expect((await readFile(join(dirname(main), link))).length).toBeGreaterThan(50)
        expect(text).toContain('# An Introduction')
        expect(text).toContain('$a_1 < b$')
        expect(text).toContain('<th colspan="2">Sum $x^2$</th>')
        expect(text).toContain('$$\n\\frac{a}{b} = \\sqrt{c}\n$$')
        expect(text).toContain('改过的文字')
        expect(text).not.toContain('第二页的文字')
        expect(text).not.toContain('https://')
        expect(text).toContain('Pages requested: 3, returned: 2, failed: 1')
        expect(text).toContain('Page 3 could not be parsed (TIMEOUT: took too long)')
      },
      { images: crops },
    )
  })

  test('is one file with embedded images and page marks on request', async () => {
    const source = sourceOf(pages)
    await written(
      source,
      'md',
      async ({ files }, main) => {
        const text = await readFile(main, 'utf8')
        expect(files).toHaveLength(1)
        expect(text.match(/data:image\/(?:png|jpeg);base64,/g)).toHaveLength(3)
        expect(text).toContain('<!-- page 2 -->')
      },
      { images: crops, options: { images: 'inside', pageMarks: true } },
    )
  })
})

describe('html', () => {
  test('embeds images, formulas and styles; nothing is fetched and nothing runs', async () => {
    const html = await textFile(sourceOf(failed), 'html', { images: crops })
    const { tags, text } = tagsOf(html)
    const named = (wanted: string) => tags.filter(({ name }) => name === wanted)
    expect(named('script')).toEqual([])
    expect(named('link')).toEqual([])
    for (const { attributes } of tags)
      for (const [name, value] of Object.entries(attributes)) {
        expect(name).not.toMatch(/^on/)
        if (name === 'src') expect(value).toMatch(/^data:image\/(png|jpeg);base64,/)
      }
    expect(named('img')).toHaveLength(3)
    expect(named('math')).toHaveLength(3)
    expect(named('mfrac')).toHaveLength(1)
    const policy = named('meta').find(({ attributes }) => attributes['http-equiv'] !== undefined)
    expect(policy?.attributes['content']).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-/,
    )
    expect(named('th')[0]?.attributes['colspan']).toBe('2')
    expect(named('td')[0]?.attributes['rowspan']).toBe('2')
    expect(text).toContain('It costs $5 and $6.')
    expect(text).toContain('failed: 1')
    expect(text).toContain('Page 3 could not be parsed')
  })

  test('uses Chinese on request', async () => {
    const html = await textFile(sourceOf(failed, { language: 'zh' }), 'html')
    expect(html).toContain('<html lang="zh-CN">')
    expect(html).toContain('请求 3 页，返回 2 页，失败 1 页')
    expect(html).toContain(documentLabels.zh.missing.failed(3))
  })
})

test('JSON is read back to the input, including special characters', async () => {
  const odd = pagesOf([[{ content: 'half \ud800 and \u0000 and "quotes"\u2028', edited: '' }]])
  for (const all of [failed, odd]) {
    const source = sourceOf(all)
    const read = JSON.parse(await textFile(source, 'json')) as DocumentJson
    expect(read.format).toBe('lectern-document')
    expect(read.version).toBe(1)
    expect(read.pages).toEqual(all)
    expect(read.versions).toEqual(source.versions)
    expect(read.sha256).toBe(source.sha256)
  }
})

test('text has a form feed after each page of the document, including missing ones', async () => {
  const some = [failed[0], failed[2]].flatMap((page) => (page ? [{ ...page }] : []))
  const pageTexts = (await textFile(sourceOf(some, { pageCount: 5 }), 'txt')).split('\f')
  expect(pageTexts).toHaveLength(6)
  expect(pageTexts[0]).toContain('An Introduction')
  expect(pageTexts[0]).toContain('Sum x^2\tn\n甲\t1.5\t=1+1\n乙\t-3')
  expect(pageTexts[1]).toBe('')
  expect(pageTexts[2]).toContain('Page 3 could not be parsed')
  expect(pageTexts[4]).toBe('')
  expect(pageTexts[5]).toContain('Pages requested: 2, returned: 1, failed: 1')
})
