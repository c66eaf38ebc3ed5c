import { readFile } from 'node:fs/promises'
import { Parser } from 'htmlparser2'
import mammoth from 'mammoth'
import MarkdownIt from 'markdown-it'
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import type { DocumentFormat } from '../../../../../src/main/domains/documents/exports/document-export-types.ts'
import { unzipped } from '../../../../fixtures/unzip.ts'
import { bytesFile, pagesOf, testImage, sourceOf, textFile, written } from './made.ts'

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/pixel.png">',
  '![x](https://evil.example/remote.png)',
  '![x](javascript:alert(1))',
  '[x](javascript:alert(1)) <a href="javascript:alert(2)">y</a> <a href=" &#106;avascript:alert(3)">z</a>',
  '<style>@import url(https://evil.example/s.css)</style><link rel=stylesheet href=https://evil.example/l.css>',
  '<iframe src="https://evil.example"></iframe><object data="https://evil.example"></object><embed src=x>',
  '<svg onload=alert(1)><use href="https://evil.example#x"/></svg><math><mtext><script>alert(1)</script></mtext></math>',
  '<form action="https://evil.example"><input name=a autofocus onfocus=alert(1)><button>go</button></form>',
  '<b style="position:fixed;background:url(https://evil.example)" onclick="alert(1)">bold</b>',
  '<base href="https://evil.example"><meta http-equiv=refresh content="0;url=https://evil.example">',
  '<table><tr><td><script>alert(1)</script><a href="data:text/html,x">d</a></td></tr></table>',
  '<table background="https://evil.example/b.png"><tr><td style="background:url(https://evil.example/c)">cell</td></tr></table>',
  '<!-- --><!doctype html><?xml version="1.0"?><![CDATA[<script>alert(1)</script>]]>',
  String.raw`$\href{javascript:alert(1)}{x}$ $\includegraphics{https://evil.example/i.png}$ $\htmlStyle{background:url(x)}{y}$`,
  '</section></body></html><script>alert(9)</script>',
  '\u0000\u0001\u000b\u001b]0;title\u0007 words \ud800 and \udfff more \ufffe',
  ']]> <w:p/> &#0; &lt;w:t&gt;',
  '\ue0000\ue000 \uf8ff1\uf8ff $x$',
]
const long = [
  '<table><tr><td>'.repeat(300),
  '<b>'.repeat(1500),
  `<table><tr><td>${'word '.repeat(40_000)}</td></tr></table>`,
  '<table><tr><td rowspan=60000 colspan=1000>big</td></tr></table>',
  `<table><tr>${'<td>c</td>'.repeat(500)}</tr></table>`,
  '$'.repeat(9_000),
  '\\['.repeat(9_000),
  '> '.repeat(2000),
  '*'.repeat(3000),
]
const source = (texts: readonly string[]) =>
  sourceOf(
    pagesOf(
      texts.map((content) => [
        { content },
        { content, label: 'table' },
        { content: content.slice(0, 30_000), label: 'doc_title' },
        { content: content.slice(0, 30_000), label: 'formula' },
        { content: content.slice(0, 30_000), label: 'image' },
      ]),
    ),
    { title: '<script>alert("title")</script>\u0000', name: '"><img src=x onerror=alert(1)>.pdf' },
  )

/** Characters that are not allowed in XML. */
const noText = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u

/** Returns the tags and attributes that an HTML parser finds. */
function inspectHtml(html: string): {
  readonly names: ReadonlySet<string>
  readonly attributes: readonly (readonly [string, string])[]
} {
  const names = new Set<string>()
  const attributes: (readonly [string, string])[] = []
  const parser = new Parser({
    onopentag(name, all) {
      names.add(name)
      attributes.push(...Object.entries(all))
    },
  })
  parser.end(html)
  return { names, attributes }
}

function expectHarmless(html: string): void {
  const { names, attributes } = inspectHtml(html)
  for (const name of 'script iframe object embed form input button svg base link use'.split(' '))
    expect(names, name).not.toContain(name)
  for (const [name, value] of attributes) {
    expect(name).not.toMatch(/^(on.*|style|background|action|data)$/)
    if (name === 'src') expect(value).toMatch(/^data:image\/(png|jpeg);base64,/)
    if (name === 'href') expect(value).toMatch(/^(https?|mailto|unsafe):/)
  }
}

test('keeps a parsed page inert in an HTML file without losing its text', async () => {
  const html = await textFile(source(hostile), 'html')
  expectHarmless(html)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html.match(/<\/body>/g)).toHaveLength(1)
  expect(html).not.toMatch(noText)
})

test('keeps a parsed page inert when its Markdown is shown', async () => {
  const markdown = await textFile(source(hostile), 'md')
  const body = markdown.slice(markdown.indexOf('\n---\n', 4) + 5)
  const shown = new MarkdownIt({ html: true }).render(body)
  expectHarmless(shown.replaceAll(/<img src="data:/g, '<i data-x="'))
  expect(markdown).not.toMatch(/!\[[^\]]*\]\(https?:/)
})

test('every format handles hostile and huge content; Word documents and spreadsheets stay readable', async () => {
  for (const texts of [hostile, long])
    for (const format of [
      'md',
      'html',
      'json',
      'docx',
      'xlsx',
      'csv',
      'txt',
    ] satisfies DocumentFormat[]) {
      await written(source(texts), format, async ({ bytes }, main) => {
        expect(bytes, format).toBeGreaterThan(100)
        if (format === 'docx' && texts === hostile) {
          const { value } = await mammoth.extractRawText({ path: main })
          expect(value).toContain(']]> <w:p/>')
          expect(value).toContain('<script>alert(1)</script>')
        }
        if (format === 'docx') {
          const entry = unzipped(await readFile(main)).find(
            ({ name }) => name === 'word/document.xml',
          )
          const xml = entry ? entry.bytes.toString('utf8') : ''
          expect(xml).not.toMatch(noText)
        }
        if (format === 'xlsx')
          expect((await readXlsxFile(await readFile(main))).length).toBeGreaterThan(5)
      })
    }
})

test('omits a crop that is not an image, whatever its name', async () => {
  const pages = pagesOf([[{ content: '', label: 'image' }]])
  for (const bytes of [
    Buffer.from('<svg onload=alert(1)>'),
    Buffer.alloc(0),
    testImage(5, 5).subarray(0, 20),
  ]) {
    const html = await textFile(sourceOf(pages), 'html', {
      images: () => Promise.resolve({ bytes }),
    })
    expect(html).not.toContain('<img')
    const word = await bytesFile(sourceOf(pages), 'docx', {
      images: () => Promise.resolve({ bytes }),
    })
    expect(unzipped(word).some(({ name }) => name.startsWith('word/media/'))).toBe(false)
  }
})
