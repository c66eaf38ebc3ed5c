import type { Canvas } from '@napi-rs/canvas'
import type { PageBlock, ReadPage } from '../pages.ts'
import type { PageContent } from './content.ts'
import { rounded } from './geometry.ts'
import type { Box } from './geometry.ts'
import type { Block } from './layout/blocks.ts'
import { bodySizeOf, layoutPage } from './layout/layout.ts'
import { edgePatterns } from './layout/margins.ts'
import type { TextReader } from './ocr/reader.ts'
import { imageAreas } from './image/areas.ts'
import { cropOf, visualise } from './image/draw.ts'
import type { PageSource, SeenPage } from './source.ts'

/** Number of pages on each side that are compared for headers and footers: left and right pages differ. */
const reach = 2

/** Options for reading pages. */
export interface ReadOptions {
  readonly crops: boolean
  readonly visualise: boolean
  /** Loads the OCR models when the first page needs them. Throws `engine-unavailable`. */
  reader(): Promise<TextReader>
  /** Awaited between units of work; throws if the caller canceled. */
  step(): Promise<void>
}

/** Edge patterns of pages that were read by OCR: neighboring pages cannot get them otherwise. */
export type Memory = Map<number, ReadonlySet<string>>

async function neighboursOf(
  source: PageSource,
  number: number,
  memory: Memory,
): Promise<{ patterns: ReadonlySet<string>[]; sizes: number[] }> {
  const patterns: ReadonlySet<string>[] = []
  const sizes: number[] = []
  for (let other = number - reach; other <= number + reach; other++) {
    if (other < 1 || other > source.pageCount || other === number) continue
    const { runs, height } = await source.text(other)
    if (runs.length > 0) sizes.push(bodySizeOf(runs))
    patterns.push(memory.get(other) ?? edgePatterns(runs, height))
  }
  return { patterns, sizes }
}

async function readByOcr(seen: SeenPage, options: ReadOptions): Promise<PageContent> {
  const reader = await options.reader()
  const raster = await seen.raster()
  const runs = await reader.read(raster, options.step)
  const images = imageAreas(
    raster,
    runs.map(({ box }) => box),
  )
  const { width, height } = seen.content
  return { width, height, runs, turned: [], images, rules: [], inks: [], ocr: true }
}

/** Returns the body text size; a page with little text is not representative of the document. */
function bodyOf(content: PageContent, sizes: readonly number[]): number {
  const letters = content.runs.reduce((sum, { text }) => sum + text.length, 0)
  const own = bodySizeOf(content.runs)
  if (letters > 600 || sizes.length === 0 || content.ocr) return own
  return Math.min(...sizes, own)
}

const imageOf = (canvas: Canvas | undefined, wanted: boolean): canvas is Canvas =>
  wanted && canvas !== undefined

async function finished(
  blocks: readonly Block[],
  { width, height }: PageContent,
  raster: Canvas | undefined,
  crops: boolean,
): Promise<PageBlock[]> {
  const found: PageBlock[] = []
  for (const { label, nativeLabel, content, box } of blocks) {
    const place: Box = rounded(box, width, height)
    const block = { label, nativeLabel, content, box: place }
    const wanted = crops && label === 'image'
    found.push(imageOf(raster, wanted) ? { ...block, crop: await cropOf(raster, place) } : block)
  }
  return found
}

/**
 * Reads one page from its text layer, otherwise by OCR. Throws `damaged`, `engine-unavailable`, `cancelled`.
 */
export async function readPage(
  source: PageSource,
  number: number,
  memory: Memory,
  options: ReadOptions,
): Promise<ReadPage> {
  const seen = await source.page(number)
  try {
    const content = seen.scanned ? await readByOcr(seen, options) : seen.content
    const { patterns, sizes } = await neighboursOf(source, number, memory)
    if (content.ocr) memory.set(number, edgePatterns(content.runs, content.height))
    const bodySize = bodyOf(content, sizes)
    const layout = layoutPage(content, { pageNumber: number, bodySize, neighbours: patterns })
    await options.step()
    const hasImages = layout.some(({ label }) => label === 'image')
    const drawn = options.visualise || (options.crops && hasImages)
    const raster = drawn ? await seen.raster() : undefined
    const blocks = await finished(layout, content, raster, options.crops)
    const { width, height } = content
    const words = content.runs.length + content.turned.length > 0
    const origin = words ? (content.ocr ? 'ocr' : 'text layer') : 'nothing'
    const page = { number, width, height, source: origin, blocks } as const
    if (!imageOf(raster, options.visualise)) return page
    return { ...page, visualisation: await visualise(raster, blocks) }
  } finally {
    await seen.close()
  }
}
