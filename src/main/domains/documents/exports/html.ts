import { createHash } from 'node:crypto'
import { cleanText, escapeHtml } from '../../../platform/export-files/clean.ts'
import { readBlocks } from './content/exported-pages.ts'
import { factLines, missingLine } from './export-facts.ts'
import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import { markupOf, type MarkupCounts } from './html-markup.ts'
import { documentLabels } from './labels.ts'
import type {
  DocumentOptions,
  ExportPage,
  ExportSource,
  ImageLoader,
} from './document-export-types.ts'

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

/** Content security policy of the page: only its own style and embedded images. No scripts, no URLs. */
const policy = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256')
  .update(htmlStyle)
  .digest('base64')}'; base-uri 'none'; form-action 'none'`

/**
 * Writes one self-contained file with style, formulas (MathML) and images. A page is written before the next is read.
 */
export async function writeHtml(
  file: FileWriter,
  source: ExportSource,
  options: Pick<DocumentOptions, 'images' | 'pageMarks'>,
  images: ImageLoader,
): Promise<MarkupCounts> {
  const counts: MarkupCounts = { images: 0, plainFormulas: 0 }
  const title = escapeHtml(cleanText(source.title))
  const facts = factLines(source).map((line) => `<div>${escapeHtml(cleanText(line))}</div>`)
  await file.write(
    `<!doctype html>
<html lang="${source.language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${htmlStyle}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${facts.join('\n')}
</header>
`,
  )
  for await (const page of source.pages)
    await writePage({ file, source, options, images, counts }, page)
  await file.write('</body>\n</html>\n')
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
