import { decodeText, type DecoderOf } from '../../../shared/knowledge/slicing/encoding.ts'
import { blockText } from '../../../shared/documents/block-text.ts'
import { readSheet } from '../../../shared/knowledge/slicing/read-sheet.ts'
import {
  readMarkdown,
  readPlain,
  withoutMarks,
} from '../../../shared/knowledge/slicing/read-text.ts'
import {
  DocumentFailure,
  type DocumentKind,
  type OfficeKind,
  type Passage,
  type Place,
} from '../../../shared/knowledge/slicing/types.ts'
import { type PageEngine, PageFailure } from '../../engines/pages.ts'
import type { PageBlock, PageKind, ReadPage } from '../../engines/pages/messages.ts'
import { collected, createPause } from '../pause.ts'

/** Content of a file. */
interface ReadDocument {
  readonly passages: readonly Passage[]
  readonly images: readonly FoundImage[]
}

/** Reads a whole file. Throws {@link DocumentFailure}, also if it contains no words. */
export async function readDocument(
  file: {
    readonly name: string
    readonly kind: DocumentKind
    readonly bytes: Uint8Array<ArrayBuffer>
  },
  engine: PageEngine,
  options: { readonly images: boolean; readonly signal: AbortSignal },
): Promise<ReadDocument> {
  const { name, kind, bytes } = file
  const read =
    kind === 'markdown' || kind === 'text' || kind === 'sheet'
      ? {
          passages: await readTexts(
            kind,
            await decodeText(bytes, decoderOf, createPause()),
            name,
            options.signal,
          ),
          images: [],
        }
      : await readPages(engine, bytes, kind, options)
  if (read.passages.length === 0) throw new DocumentFailure(10001, 'The document has no text')
  return read
}

const decoderOf: DecoderOf = (encoding) => new TextDecoder(encoding, { fatal: true })

/** Maximum paragraphs or rows of a document, and maximum characters, limited by memory. */
const maxPassages = 500_000
const maxChars = 60_000_000

function readTexts(
  kind: 'markdown' | 'text' | 'sheet',
  text: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const read = { sheet: readSheet, markdown: readMarkdown, text: readPlain }[kind]
  let chars = 0
  return collected(read(text, name), signal, (passage, count) => {
    chars += passage.text.length
    if (count > maxPassages || chars > maxChars)
      throw new DocumentFailure(
        10001,
        `The document has more than ${maxPassages} paragraphs or rows, or more than ${maxChars} characters in them`,
      )
  })
}

/** Image inside a document. */
interface FoundImage {
  readonly png: Uint8Array
  /** Caption; empty if it has none. */
  readonly text: string
}

/** Labels of content that repeats on every page and answers nothing. */
const furniture: ReadonlySet<string> = new Set(['header', 'footer', 'number'])

const placeOf = ({ box: [x0, top, x1, bottom] }: PageBlock, page: ReadPage): Place => {
  const { number, width, height } = page
  return { page: number, x0, x1, top, bottom, width, height }
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

/** Converts the rows of an HTML table to lines, with cells separated by bars. */
const tableText = (html: string): string =>
  html
    .replace(/<\/t[dh]>\s*<t[dh][^>]*>/gi, ' | ')
    .replace(/<\/tr>/gi, '\n')
    .replace(/<br>/gi, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
    .trim()

function passageOf(block: PageBlock, page: ReadPage): Passage {
  const heading = /^(#{1,6})\s+/.exec(block.content)
  const text =
    block.label === 'table' ? tableText(block.content) : block.content.slice(heading?.[0].length)
  return {
    text: text.trim(),
    level: heading?.[1]?.length ?? null,
    places: [placeOf(block, page)],
    line: null,
    sheet: null,
  }
}

/** Returns the passages of a section of an office file; those of a sheet are its rows. */
function officePassages(page: ReadPage, kind: OfficeKind): readonly Passage[] {
  const sheet = kind === 'xlsx' ? (page.title ?? '') : null
  const whole = { places: [], page: page.number, line: null, sheet }
  let columns: readonly (string | null)[] = []
  return page.blocks.flatMap(({ label, content, continued }): readonly Passage[] => {
    if (label === 'table' && sheet !== null) {
      const rows = cellsOf(content)
      // A long table is in several blocks, and only the first one has its header. A row of its own is none.
      const [header = []] = rows
      const hasHeader = !continued && rows.length > 1
      if (!continued) columns = hasHeader ? header : []
      const passages = rows.slice(hasHeader ? 1 : 0).map((row) => {
        const cells = row.flatMap((value, at) =>
          value ? [[columns[at] ?? '', value] as const] : [],
        )
        const text = cells.map(([name, value]) => (name ? `${name}: ${value}` : value)).join('\n')
        return { ...whole, text, level: null, cells }
      })
      if (!continued) columns = header
      return passages
    }
    const heading = /^(#{1,6})\s+/.exec(content)
    const text =
      label === 'table'
        ? cellsOf(content)
            .map((row) => row.filter((cell) => cell !== null).join(' | '))
            .join('\n')
        : withoutMarks(plain(content))
    if (text.trim() === '') return []
    return [{ ...whole, text: text.trim(), level: heading?.[1]?.length ?? null }]
  })
}

const plain = (content: string): string => blockText({ kind: 'text', content, edited: null })

const spanOf = (attributes: string, name: 'colspan' | 'rowspan'): number =>
  Number(new RegExp(`${name}="(\\d{1,3})"`).exec(attributes)?.[1] ?? 1)

/**
 * Returns the texts of the cells of an HTML table by row and column. A cell of several rows is in each of them, and
 * the further columns of a wide one are null.
 */
function cellsOf(html: string): readonly (readonly (string | null)[])[] {
  const above = new Map<number, { readonly value: string | null; rows: number }>()
  return Array.from(html.matchAll(/<tr>(.*?)<\/tr>/gs), ([, row = '']) => {
    const cells: (string | null)[] = []
    const addCovered = (): void => {
      for (let cell = above.get(cells.length); cell?.rows; cell = above.get(cells.length)) {
        cell.rows -= 1
        cells.push(cell.value)
      }
    }
    for (const [, attributes = '', cell = ''] of row.matchAll(/<t[dh]([^>]*)>(.*?)<\/t[dh]>/gs)) {
      addCovered()
      const columns = spanOf(attributes, 'colspan')
      const rows = spanOf(attributes, 'rowspan') - 1
      for (let at = 0; at < columns; at++) {
        const value = at === 0 ? plain(cell) : null
        above.set(cells.length, { value, rows })
        cells.push(value)
      }
    }
    addCovered()
    return cells
  })
}

const isCaption = (text: string): boolean => /^\s*(figure|fig\.|chart|table|图|表)\s*\d/i.test(text)

function imagesOf({ blocks }: ReadPage): readonly FoundImage[] {
  return blocks.flatMap(({ label, crop }, i) => {
    if (label !== 'image' || !crop) return []
    const near = [blocks[i + 1], blocks[i - 1]].find((block) => isCaption(block?.content ?? ''))
    return [{ png: crop, text: near?.content ?? '' }]
  })
}

/** Reads the blocks of the pages of a PDF or image with their boxes. Throws {@link DocumentFailure}. */
async function readPages(
  engine: PageEngine,
  bytes: Uint8Array<ArrayBuffer>,
  kind: PageKind,
  options: { readonly images: boolean; readonly signal: AbortSignal },
): Promise<{ readonly passages: readonly Passage[]; readonly images: readonly FoundImage[] }> {
  const { images: crops, signal } = options
  try {
    const { pages } = await engine.read({ bytes, kind, crops, signal })
    if (kind !== 'pdf' && kind !== 'png' && kind !== 'jpeg')
      return { passages: pages.flatMap((page) => officePassages(page, kind)), images: [] }
    const passages = pages.flatMap((page) =>
      page.blocks
        .filter(({ nativeLabel }) => !furniture.has(nativeLabel))
        .map((block) => passageOf(block, page)),
    )
    return {
      passages: passages.filter(({ text }) => text !== ''),
      images: crops ? pages.flatMap(imagesOf) : [],
    }
  } catch (error) {
    if (!(error instanceof PageFailure) || error.trouble === 'cancelled') throw error
    throw new DocumentFailure(10001, `The document cannot be read: ${error.message}`)
  }
}
