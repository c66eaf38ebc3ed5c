import { isRecord, parseJson } from './json.ts'

import {
  malformed,
  numberIn,
  recordFrom,
  recordsFrom,
  textIn,
  textsFrom,
  type JsonRecord,
} from './lenient.ts'

/**
 * Reads a parsed document (service-notes 12). Anything but the layout itself may be missing; a response with neither blocks
 * nor Markdown is malformed. `model` is used when the response names none.
 */
export function readLayout(json: unknown, model: string): ParsedLayout {
  if (!isRecord(json)) throw malformed('no-layout')
  const details = json['layout_details'] ?? null
  const document = recordFrom(json['data_info'])
  const sizes = recordsFrom(document?.['pages'])
  const pageCount = document && numberIn(document, 'num_pages')
  const markdown = markdownOf(json['md_results'], pageCount ?? sizes.length)
  if (details === null && markdown === null) throw malformed('no-layout')
  return {
    id: textIn(json, 'id') ?? '',
    model: textIn(json, 'model') ?? model,
    markdown: markdown ?? '',
    pages: pagesOf(details, pageCount ?? (sizes.length || null)).map((page) => page.map(blockOf)),
    visualisations: addressesIn(json['layout_visualization']),
    pageCount: pageCount ?? (sizes.length || null),
    // A missing size becomes 0, so that sizes and pages stay aligned.
    pageSizes: sizes.map((size) => ({
      width: numberIn(size, 'width') ?? 0,
      height: numberIn(size, 'height') ?? 0,
    })),
  }
}

/**
 * Returns Markdown as one text. If there is a text per page, a form feed marks each page end, since nothing else would.
 */
function markdownOf(value: unknown, pages: number): string | null {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return null
  if (value.length < 2 || value.length !== pages) return textsFrom(value).join('\n\n')
  return value.map((page: unknown) => (typeof page === 'string' ? page : '')).join('\n\n\f')
}

/**
 * Returns the blocks of each page. A page may be a single block instead of a list, and a one-page document the list itself: a
 * flat list is one page, unless the response reports as many pages as the list has entries.
 */
function pagesOf(details: unknown, pageCount: number | null): readonly (readonly JsonRecord[])[] {
  const read = typeof details === 'string' ? parseJson(details) : details
  if (isRecord(read)) return [[read]]
  if (!Array.isArray(read)) return []
  const entries: readonly unknown[] = read
  const flat = entries.length > 0 && entries.every(isRecord)
  if (flat && (entries.length === 1 || entries.length !== pageCount)) return [recordsFrom(entries)]
  return entries.map((page) => recordsFrom(Array.isArray(page) ? page.flat(2) : page))
}

/** Maximum number of characters in a label: a word or two. */
const maxLabelLength = 100

function blockOf(block: JsonRecord, place: number): LayoutBlock {
  return {
    index: numberIn(block, 'index') ?? place,
    label: textIn(block, 'label')?.slice(0, maxLabelLength) ?? '',
    nativeLabel: textIn(block, 'native_label')?.slice(0, maxLabelLength) ?? null,
    bbox: boxOf(block['bbox_2d'] ?? block['bbox']),
    content: textIn(block, 'content') ?? '',
    width: numberIn(block, 'width'),
    height: numberIn(block, 'height'),
  }
}

/** Maximum number of numbers in a polygon; no real block outline has more. */
const maxNumbers = 1000

/** Returns four numbers, however deeply nested and whether text or numbers; for a polygon its bounding box. */
function boxOf(value: unknown): LayoutBlock['bbox'] {
  const listed: readonly unknown[] = Array.isArray(value) ? value.flat(3) : []
  if (listed.length > maxNumbers) return null
  const numbers = listed.map(asNumber)
  const box = numbers.length > 4 && numbers.length % 2 === 0 ? around(numbers) : numbers
  const [x1, y1, x2, y2] = box
  if (box.length !== 4 || box.some(Number.isNaN)) return null
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null
  return [x1, y1, x2, y2]
}

function around(numbers: readonly number[]): readonly number[] {
  const across = numbers.filter((_, place) => place % 2 === 0)
  const down = numbers.filter((_, place) => place % 2 === 1)
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)]
}

function asNumber(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : NaN
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN
}

/** Returns the URLs of images, given as texts or as objects that contain one. */
function addressesIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((one) => {
    const address = isRecord(one) ? one['url'] : one
    return typeof address === 'string' && address !== '' ? [address] : []
  })
}

/** One block as received, without interpreting its coordinates (service-notes 12). */
export interface LayoutBlock {
  readonly index: number
  /** `text`, `table`, `formula`, `image`, or any other received value. */
  readonly label: string
  /** A finer label some hosts add. */
  readonly nativeLabel: string | null
  /** Four numbers as sent, with nested forms flattened; null when the block has no box. */
  readonly bbox: readonly [number, number, number, number] | null
  /** Text, HTML of a table, LaTeX of a formula, or URL of an image. */
  readonly content: string
  /** Width of the page raster the box belongs to, if reported. */
  readonly width: number | null
  readonly height: number | null
}

/** A parsed document (service-notes 12). */
export interface ParsedLayout {
  readonly id: string
  readonly model: string
  readonly markdown: string
  /** One list for each page. */
  readonly pages: readonly (readonly LayoutBlock[])[]
  readonly visualisations: readonly string[]
  readonly pageCount: number | null
  /** Sizes of the page rasters, if reported. */
  readonly pageSizes: readonly { readonly width: number; readonly height: number }[]
}
