import mammoth from 'mammoth'
import { parseSync } from 'subtitle'
import { expect, test } from 'vitest'
import {
  writeExport,
  type TextFormat,
} from '../../../../../src/main/domains/audio/exports/write.ts'
import { exportSource, plainOptions } from './export-source.ts'

const injected = '\n\n99\n00:00:00,000 --> 09:00:00,000\ninjected\r\n\r\nNOTE '
const names = [injected, 'a\r\r00:00.000 --> 01:00.000\rinjected', 'x --> y\u0085\u2028<v Boss>']
const words = [
  `one${injected}two`,
  '00:00:01.000 --> 00:00:09.000',
  'NOTE this',
  'WEBVTT',
  'STYLE ::cue {}',
  '7',
  '\0\u0001\u000b\u001b]0;title\u0007 words \ud800',
  ']]> <w:p/> &#0; <script>alert(1)</script>',
]

const source = exportSource(
  words.map((text, at) => ({ text, startMs: at * 2000, endMs: at * 2000 + 1500, channel: at % 2 })),
  {
    title: 'x\n---\n# y',
    speakers: names
      .slice(0, 2)
      .map((name, at) => ({ id: `speaker${at}`, name, channel: at, mark: at })),
  },
)

async function written(format: TextFormat): Promise<Uint8Array> {
  return writeExport({ source, format, options: plainOptions, language: 'en' })
}

const text = async (format: TextFormat): Promise<string> =>
  new TextDecoder().decode(await written(format))

test('speech and speaker names never become a separate cue', async () => {
  for (const format of ['srt', 'vtt'] as const) {
    const file = await text(format)
    const read = parseSync(file).flatMap((node) => (node.type === 'cue' ? [node.data] : []))
    expect(read.length, format).toBeGreaterThanOrEqual(words.length)
    for (const { start, end } of read) expect(end - start, format).toBeLessThan(10_000)
    // One arrow per cue, each on a line of times; no additional blocks.
    const arrows = file.split(/\r\n|\r|\n/).filter((row) => row.includes('-->'))
    expect(arrows, format).toHaveLength(read.length)
    for (const row of arrows) expect(row).toMatch(/^[\d:.,]+ --> [\d:.,]+$/)
    const blocks = file
      .trim()
      .replaceAll(/\r\n?/g, '\n')
      .split(/\n{2,}/)
    expect(blocks.length, format).toBe(read.length + (format === 'vtt' ? 1 : 0))
  }
})

test('writes a readable Word document for any characters', async () => {
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(await written('docx')) })
  expect(value).toContain(']]> <w:p/> &#0; <script>alert(1)</script>')
  expect(value).toContain('words')
})

test('spoken text is never markup, a heading or front matter in Markdown', async () => {
  const file = await text('md')
  const [, front = '', ...body] = file.split(/^---$/m)
  expect(front).toContain(String.raw`title: "x\n---\n# y"`)
  expect(body).toHaveLength(1)
  expect(body.join('')).not.toMatch(/(?<!\\)<script/)
  const headings = body.join('').match(/^#{1,6} .*$/gm) ?? []
  for (const heading of headings)
    expect(heading).toMatch(/^#{1,3} (x|Transcript|Bookmarks|Notes|\d)/)
})

test('a page contains no markup of the speech', async () => {
  const page = await text('html')
  expect(page).not.toMatch(/<script|<w:p/)
  expect(page).toContain(']]&gt; &lt;w:p/&gt; &amp;#0; &lt;script&gt;alert(1)&lt;/script&gt;')
})
