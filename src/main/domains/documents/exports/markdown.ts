import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Block } from '../../../../shared/model/document.ts'
import { cleanText } from '../../../platform/export-files/clean.ts'
import { bareTex, captionOf, headingOf, textOf } from './content/content.ts'
import { htmlNodes } from '../../../platform/export-files/html-nodes.ts'
import { cutOpaque } from '../../../platform/export-files/opaque.ts'
import { placeholderImage } from './content/placeholders.ts'
import { factLines, missingLine } from './export-facts.ts'
import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import { openTag } from './html-markup.ts'
import { readImage } from './images.ts'
import { documentLabels } from './labels.ts'
import type {
  DocumentOptions,
  ExportPage,
  ExportSource,
  ImageLoader,
} from './document-export-types.ts'

/** Destination of Markdown and of its images. */
interface MarkdownParts {
  readonly file: FileWriter
  /** Existing folder of the image files; null if images are not written to files. */
  readonly images: string | null
  readonly imageList: ImageLoader
  readonly options: Pick<DocumentOptions, 'images' | 'pageMarks' | 'details'>
}

/**
 * Writes Markdown, with a YAML front matter about its origin on request; a page is written before the next is read. Returns its image
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
  if (options.details) await file.write(frontMatter(source))
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

/** Returns the Markdown of an image: `![alt](images/…)`, or text where there is no crop. */
type LinkOf = (key: string | null, alt: string) => Promise<string>

/**
 * Returns a block as Markdown, as it was returned or edited, except that images become links, tags that no document needs
 * become text, and the remaining tags lose active attributes.
 */
async function blockMarkdown(
  block: Block,
  figures: readonly Block[],
  linkOf: LinkOf,
): Promise<string> {
  const text = cleanText(textOf(block))
  if (block.kind === 'figure') {
    const words = captionOf(text)
    const link = await linkOf(block.id, '')
    return words === '' ? link : `${link}\n\n${await cleanMarkdown(words, block, figures, linkOf)}`
  }
  if (block.kind === 'formula') {
    const tex = bareTex(text)
    if (!/\$|\\\[|\\\(/.test(tex)) return tex === '' ? '' : `$$\n${quietTex(tex)}\n$$`
  }
  const safe = await cleanMarkdown(text, block, figures, linkOf)
  if (block.kind !== 'title' || /^\s{0,3}#{1,6}\s/.test(safe)) return safe
  return `${headingOf(block) === 'h1' ? '#' : '##'} ${safe.trim().replace(/\s*\n\s*/g, ' ')}`
}

/**
 * Returns LaTeX in which Markdown parsers without formula support find no tag, image or link; added spaces do not change it.
 */
const quietTex = (tex: string): string => tex.replace(/<(?=[a-z/!?])|!(?=\[)|\](?=[([])/gi, '$& ')

async function cleanMarkdown(
  text: string,
  block: Block,
  figures: readonly Block[],
  linkOf: LinkOf,
): Promise<string> {
  const { text: open, mark, fragments } = cutOpaque(text, 'code')
  const restored = (part: string): string =>
    part.replace(marked(mark), (whole, at: string) => fragments[Number(at)]?.source ?? whole)
  const linked = await replaced(open, imageOrTag, async ([whole, alt, address]) => {
    if (address !== undefined) return linkOf(restored(address), restored(alt ?? ''))
    return cleanTag(whole, (key, words) => linkOf(key === null ? null : restored(key), words))
  })
  return replaced(linked.replace(actingLink, '$1unsafe:$2'), marked(mark), async ([whole, at]) => {
    const fragment = fragments[Number(at)]
    if (fragment?.node.type === 'formula') return quietTex(fragment.source)
    if (fragment?.node.type !== 'placeholder') return fragment?.source ?? whole
    return linkOf(placeholderImage(fragment.node, block, figures), fragment.node.alt)
  })
}

const marked = (mark: string): RegExp => new RegExp(`${mark}(\\d+)${mark}`, 'g')
const imageOrTag =
  /!\[([^\]\n]{0,500})\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^"'\n]{0,500}["'])?\s*\)|<\/?[a-z][^<>]{0,2000}>?/gi
/** Links with active schemes. */
const actingLink =
  /(\]\(\s*<?\s*|^ {0,3}\[[^\]\n]{1,500}\]:\s*<?)((?:javascript|vbscript|data|file):)/gim

/** Returns a tag with its allowed attributes, or the tag as text. */
async function cleanTag(source: string, linkOf: LinkOf): Promise<string> {
  const words = source.replace('<', '&lt;')
  if (!source.endsWith('>')) return words
  const closing = source.startsWith('</')
  const [node] = htmlNodes(closing ? source.replace('/', '') : source, (src, alt) => ({
    type: 'picture',
    key: src === '' ? null : src,
    alt,
  }))
  // A tag without a meaning is dropped.
  if (!node) return ''
  if (node.type === 'picture') return closing ? '' : linkOf(node.key, node.alt)
  if (node.type !== 'element') return words
  return closing ? `</${node.tag}>` : openTag(node)
}

/** Replaces each match by the result of a promise, one after the other. */
async function replaced(
  text: string,
  pattern: RegExp,
  by: (match: readonly (string | undefined)[] & { readonly 0: string }) => Promise<string>,
): Promise<string> {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index), await by(match))
    from = match.index + match[0].length
  }
  return [...parts, text.slice(from)].join('')
}
