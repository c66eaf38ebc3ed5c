import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removal } from '../../../../system/file-moves.ts'
import { tablesOfPage, type PlacedTable, readBlocks } from './content/exported-pages.ts'

import { writeDocx } from './docx.ts'
import { writeFileBy, type FileWriter } from '../../../platform/export-files/file-writer.ts'
import { writeJson } from './json.ts'
import { writeMarkdown } from './markdown.ts'
import { factLines, missingLine } from './export-facts.ts'
import { writeText } from './text.ts'
import type {
  DocumentFormat,
  DocumentOptions,
  ExportSource,
  ImageLoader,
  WrittenExport,
  ExportPage,
} from './document-export-types.ts'
import { writeXlsx } from './xlsx.ts'
import { gridTexts } from '../../../../shared/documents/table-grid.ts'
import type { ContentTable } from './content/tables.ts'
import { csvField } from '../../../platform/export-files/csv.ts'
import { cleanText, escapeHtml } from '../../../platform/export-files/clean.ts'
import { beginPage, pageEnd } from '../../../platform/export-files/html-page.ts'
import { markupOf, type MarkupCounts } from './html-markup.ts'
import { documentLabels } from './labels.ts'

/** Request for an export. */
interface DocumentExport {
  readonly source: ExportSource
  readonly format: DocumentFormat
  readonly options: DocumentOptions
  readonly images: ImageLoader
  /** Path of the file; for `md` with image files and for `csv`, of a folder to create. Must not exist yet. */
  readonly to: string
  /** Name of the Markdown file in its folder, without extension. */
  readonly name: string
}

const nothing = { tables: 0, images: 0, plainFormulas: 0, cutCells: 0 } as const

/** Writes a document in one of the formats; removes incomplete output on failure. */
export async function writeDocument(wanted: DocumentExport): Promise<WrittenExport> {
  try {
    return await writers[wanted.format](wanted)
  } catch (error) {
    // Removes only our own output: all files are created exclusively, so an existing one fails before anything is written.
    const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!taken) await rm(wanted.to, removal)
    throw error
  }
}

type Writer = (wanted: DocumentExport) => Promise<WrittenExport>

const writers: Readonly<Record<DocumentFormat, Writer>> = {
  async md({ source, options, images: pictures, to, name }) {
    const folder = options.images === 'files'
    const images = folder ? join(to, 'images') : null
    const path = folder ? join(to, `${name}.md`) : to
    if (folder) await mkdir(to, { mode: 0o700 })
    if (images) await mkdir(images, { mode: 0o700 })
    let written: Awaited<ReturnType<typeof writeMarkdown>> = { images: [], imageCount: 0, bytes: 0 }
    const bytes = await writeFileBy(path, async (file) => {
      written = await writeMarkdown(source, { file, images, imageList: pictures, options })
    })
    return {
      ...nothing,
      files: [path, ...written.images],
      bytes: bytes + written.bytes,
      images: written.imageCount,
    }
  },
  async html({ source, options, images, to }) {
    let counts = { images: 0, plainFormulas: 0 }
    const bytes = await writeFileBy(to, async (file) => {
      counts = await writeHtml(file, source, options, images)
    })
    return { ...nothing, ...counts, files: [to], bytes }
  },
  async json({ source, to }) {
    const bytes = await writeFileBy(to, (file) => writeJson(file, source))
    return { ...nothing, files: [to], bytes }
  },
  async docx({ source, options, images, to }) {
    let counts = { images: 0, plainFormulas: 0 }
    const bytes = await writeFileBy(to, async (file) => {
      counts = await writeDocx(file, source, options, images)
    })
    return { ...nothing, ...counts, files: [to], bytes }
  },
  async txt({ source, to }) {
    const bytes = await writeFileBy(to, (file) => writeText(file, source))
    return { ...nothing, files: [to], bytes }
  },
  async xlsx({ source, to }) {
    const tables: PlacedTable[] = []
    for await (const page of source.pages) tables.push(...tablesOfPage(page))
    const book = await writeXlsx(source, tables)
    await writeFile(to, book.bytes, { flag: 'wx', mode: 0o600 })
    return {
      ...nothing,
      files: [to],
      bytes: book.bytes.length,
      tables: tables.length,
      cutCells: book.cutCells,
    }
  },
  async csv({ source, options, to }) {
    await mkdir(to, { mode: 0o700 })
    const files: string[] = []
    let bytes = 0
    const add = async (name: string, text: string): Promise<void> => {
      const path = join(to, name)
      bytes += await writeFileBy(path, (file) => file.write(text))
      files.push(path)
    }
    for await (const page of source.pages)
      for (const { number, table } of tablesOfPage(page))
        await add(csvName(page.page, number), writeCsv(table, options.spans))
    const tables = files.length
    await add('about.txt', `${source.title}\n${factLines(source).join('\n')}\n`)
    return { ...nothing, files, bytes, tables }
  },
}

const csvName = (page: number, number: number): string =>
  `page-${String(page).padStart(4, '0')}-table-${number}.csv`

/**
 * Writes a table as CSV (RFC 4180) for spreadsheets: byte order mark, CRLF, and no cell that a program would read as a
 * formula.
 */
function writeCsv({ grid }: ContentTable, spans: 'repeat' | 'first'): string {
  const rows = gridTexts(grid, spans).map((row) => row.map(csvField).join(','))
  return `\ufeff${rows.map((row) => `${row}\r\n`).join('')}`
}

/** Style sheet of an exported page, for screen and paper in both color schemes. */
const htmlStyle = `
:root{color-scheme:light dark}
body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
header,.mark,.missing{color:GrayText;font-size:.875rem}
.mark{border-top:1px solid;margin-top:2rem;padding-top:.25rem}
.missing{border:1px dashed;padding:.5rem 1rem}
h1,h2,h3{line-height:1.3}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:1rem 0}
td,th{border:1px solid GrayText;padding:.25rem .5rem;text-align:left;vertical-align:top}
.center{text-align:center}.right{text-align:right}.left{text-align:left}
img{max-width:100%;height:auto}
figure{margin:1rem 0}
pre{white-space:pre-wrap}
math[display=block]{margin:1rem 0;overflow-x:auto}
code.tex{white-space:pre-wrap}
@media print{body{margin:0;max-width:none}}
`

/**
 * Writes one self-contained file with style, formulas (MathML) and images. A page is written before the next is read.
 */
async function writeHtml(
  file: FileWriter,
  source: ExportSource,
  options: Pick<DocumentOptions, 'images' | 'pageMarks' | 'details'>,
  images: ImageLoader,
): Promise<MarkupCounts> {
  const counts: MarkupCounts = { images: 0, plainFormulas: 0 }
  const title = escapeHtml(cleanText(source.title))
  const lines = options.details ? factLines(source) : []
  const facts = lines.map((line) => `<div>${escapeHtml(cleanText(line))}</div>`)
  await file.write(
    `${beginPage({ title: source.title, language: source.language, style: htmlStyle, images: true })}<header>
<h1>${title}</h1>
${facts.join('\n')}
</header>
`,
  )
  for await (const page of source.pages)
    await writePage({ file, source, options, images, counts }, page)
  await file.write(pageEnd)
  return counts
}

interface PageParts {
  readonly file: FileWriter
  readonly source: ExportSource
  readonly options: Pick<DocumentOptions, 'images' | 'pageMarks'>
  readonly images: ImageLoader
  readonly counts: MarkupCounts
}

async function writePage(parts: PageParts, page: ExportPage): Promise<void> {
  const { file, source, options, counts } = parts
  const words = documentLabels[source.language]
  await file.write(`<section id="page-${page.page}">\n`)
  if (options.pageMarks) await file.write(`<p class="mark">${words.page(page.page)}</p>\n`)
  const missing = missingLine(page, source)
  if (missing !== null)
    await file.write(`<p class="missing">${escapeHtml(cleanText(missing))}</p>\n`)
  const images = options.images === 'none' ? null : parts.images
  const imageLabel = words.image(page.page)
  for (const { block, nodes } of readBlocks(page)) {
    const markup = await markupOf(nodes, { images, imageLabel, counts })
    await file.write(block.kind === 'figure' ? `<figure>${markup}</figure>\n` : `${markup}\n`)
  }
  await file.write('</section>\n')
}
