import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanText } from './content/clean.ts'
import { factLines, missingLine } from './facts.ts'
import type { FileWriter } from './file-writer.ts'
import { blockMarkdown, type LinkOf } from './markdown-text.ts'
import { readImage } from './images.ts'
import type { DocumentOptions, ExportPage, ExportSource, ImageLoader } from './types.ts'
import { documentLabels } from './labels.ts'

/** Destination of Markdown and of its images. */
export interface MarkdownParts {
  readonly file: FileWriter
  /** Existing folder of the image files; null if images are not written to files. */
  readonly images: string | null
  readonly imageList: ImageLoader
  readonly options: Pick<DocumentOptions, 'images' | 'pageMarks'>
}

/**
 * Writes Markdown with a YAML front matter about its origin; a page is written before the next is read. Returns its image
 * files and their size in bytes.
 */
export async function writeMarkdown(
  source: ExportSource,
  parts: MarkdownParts,
): Promise<{
  readonly images: readonly string[]
  readonly imageCount: number
  readonly bytes: number
}> {
  const { file, options } = parts
  const images: string[] = []
  let imageCount = 0
  let bytes = 0
  await file.write(frontMatter(source))
  for await (const page of source.pages) {
    const alone = documentLabels[source.language].image(page.page)
    let onPage = 0
    const linkOf: LinkOf = async (key, alt) => {
      const words = bracketed(alt === '' ? alone : alt)
      const read = await readImage(options.images === 'none' ? null : parts.imageList, key)
      if (!read) return `[${words}]`
      imageCount += 1
      if (options.images === 'inside' || parts.images === null) {
        const type = read.type === 'png' ? 'png' : 'jpeg'
        return `![${words}](data:image/${type};base64,${Buffer.from(read.bytes).toString('base64')})`
      }
      onPage += 1
      const name = `page-${String(page.page).padStart(4, '0')}-${onPage}.${read.type}`
      const path = join(parts.images, name)
      await writeFile(path, read.bytes, { flag: 'wx', mode: 0o600 })
      images.push(path)
      bytes += read.bytes.length
      return `![${words}](images/${name})`
    }
    await writePage(source, parts, page, linkOf)
  }
  return { images, imageCount, bytes }
}

async function writePage(
  source: ExportSource,
  { file, options }: MarkdownParts,
  page: ExportPage,
  linkOf: LinkOf,
): Promise<void> {
  if (options.pageMarks) await file.write(`<!-- page ${page.page} -->\n\n`)
  const missing = missingLine(page, source)
  if (missing !== null) await file.write(`> ${plain(missing)}\n\n`)
  const figures = page.blocks.filter(({ kind }) => kind === 'figure')
  for (const block of page.blocks.toSorted((a, b) => a.order - b.order)) {
    const text = (await blockMarkdown(block, figures, linkOf)).trim()
    if (text !== '') await file.write(`${text}\n\n`)
  }
}

/** JSON strings are valid YAML strings. */
function frontMatter(source: ExportSource): string {
  const list = factLines(source).map((line) => `  - ${JSON.stringify(cleanText(line))}`)
  return [
    '---',
    `title: ${JSON.stringify(cleanText(source.title))}`,
    `source: ${JSON.stringify(cleanText(source.name))}`,
    `pages: ${source.pageCount}`,
    'facts:',
    ...list,
    '---',
    '',
    '',
  ].join('\n')
}

const plain = (text: string): string =>
  cleanText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~#]/g, String.raw`\$&`)

const bracketed = (text: string): string =>
  cleanText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]<>]/g, String.raw`\$&`)
