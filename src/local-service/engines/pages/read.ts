import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { PageBlock, ReadPage } from './messages.ts'
import type { PageContent } from './content.ts'
import {
  rounded,
  type Box,
  heightOf,
  widthOf,
  areaOf,
  coveredPart,
  mergeBoxes,
} from './geometry.ts'
import type { Block } from './layout/blocks.ts'
import { bodySizeOf, layoutPage } from './layout/layout.ts'
import { edgePatterns } from './layout/margins.ts'
import type { TextReader } from './ocr/reader.ts'
import type { PageSource, SeenPage } from './source.ts'

/** Number of pages on each side that are compared for headers and footers: left and right pages differ. */
const reach = 2

interface ReadOptions {
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

const colours: Readonly<Record<string, string>> = {
  text: '#1f6feb',
  table: '#1a7f37',
  image: '#bf3989',
  formula: '#9a6700',
}

/** Block to draw in a visualization. */
interface Drawn {
  readonly label: string
  readonly nativeLabel: string
  readonly box: Box
}

/** Returns a PNG of a part of the page. */
async function cropOf(page: Canvas, box: Box): Promise<Uint8Array> {
  const width = Math.max(1, widthOf(box))
  const height = Math.max(1, heightOf(box))
  const crop = createCanvas(width, height)
  crop.getContext('2d').drawImage(page, box[0], box[1], width, height, 0, 0, width, height)
  return crop.encode('png')
}

/**
 * Returns a JPEG of the page with its blocks outlined and numbered in reading order. Draws on the page canvas itself.
 */
async function visualise(page: Canvas, blocks: readonly Drawn[]): Promise<Uint8Array> {
  const context = page.getContext('2d')
  const size = Math.max(11, Math.round(page.height / 110))
  context.font = `${size}px sans-serif`
  context.lineWidth = Math.max(1, size / 9)
  for (const [i, { label, nativeLabel, box }] of blocks.entries()) {
    const colour = colours[label] ?? '#57606a'
    context.strokeStyle = colour
    context.strokeRect(box[0], box[1], widthOf(box), heightOf(box))
    const name = `${i} ${nativeLabel}`
    const wide = context.measureText(name).width + size / 2
    const top = Math.max(0, box[1] - size * 1.2)
    context.fillStyle = colour
    context.fillRect(box[0], top, wide, size * 1.2)
    context.fillStyle = '#fff'
    context.fillText(name, box[0] + size / 4, top + size * 0.95)
  }
  return page.encode('jpeg', 82)
}

/** Maximum side length in pixels of the small copy on which image areas are detected. */
const smallSide = 240

/** Minimum difference in brightness or color from the paper for a pixel to count as printed. */
const contrast = 36

/** Minimum fraction of the page that an image covers, and minimum printed fraction of its box. */
const minPart = 0.012
const minFilled = 0.3

/** Returns the most common brightness of the page, which is its paper. */
function paperOf(pixels: Uint8ClampedArray): number {
  const counts = new Uint32Array(32)
  for (let i = 0; i < pixels.length; i += 4) {
    const bin = ((pixels[i] ?? 0) + (pixels[i + 1] ?? 0) + (pixels[i + 2] ?? 0)) / 24
    counts[Math.min(31, bin | 0)] = (counts[Math.min(31, bin | 0)] ?? 0) + 1
  }
  return counts.indexOf(Math.max(...counts)) * 8 + 4
}

function isPrinted(pixels: Uint8ClampedArray, at: number, paper: number): boolean {
  const red = pixels[at] ?? 0
  const green = pixels[at + 1] ?? 0
  const blue = pixels[at + 2] ?? 0
  const colour = Math.max(red, green, blue) - Math.min(red, green, blue)
  return Math.abs((red + green + blue) / 3 - paper) > contrast || colour > 1.5 * contrast
}

/** Detects images among the text of a raster: larger printed areas that contain hardly any text boxes. */
function imageAreas(page: Canvas, texts: readonly Box[]): Box[] {
  const scale = Math.min(1, smallSide / Math.max(page.width, page.height))
  const width = Math.max(1, Math.round(page.width * scale))
  const height = Math.max(1, Math.round(page.height * scale))
  const small = createCanvas(width, height)
  const context = small.getContext('2d')
  context.imageSmoothingQuality = 'medium'
  context.drawImage(page, 0, 0, width, height)
  const pixels = context.getImageData(0, 0, width, height).data
  const paper = paperOf(pixels)
  const textMask = new Uint8Array(width * height)
  for (const [left, top, right, bottom] of texts)
    for (let y = Math.max(0, Math.floor(top * scale) - 1); y < bottom * scale + 1; y++)
      textMask.fill(
        1,
        Math.min(textMask.length, y * width + Math.max(0, Math.floor(left * scale) - 1)),
        Math.min(textMask.length, y * width + Math.min(width, Math.ceil(right * scale) + 1)),
      )
  const runs: Box[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const start = x
      while (
        x < width &&
        textMask[y * width + x] === 0 &&
        isPrinted(pixels, 4 * (y * width + x), paper)
      )
        x++
      if (x - start >= 2) runs.push([start, y, x, y + 1])
    }
  const filled = (box: Box): number =>
    runs.reduce((sum, run) => sum + (coveredPart(run, box) > 0.5 ? areaOf(run) : 0), 0)
  return mergeBoxes(runs, 2)
    .filter((box) => areaOf(box) > minPart * width * height)
    .filter((box) => Math.min(widthOf(box), heightOf(box)) > 0.04 * smallSide)
    .filter((box) => filled(box) > minFilled * areaOf(box))
    .map((box): Box => [box[0] / scale, box[1] / scale, box[2] / scale, box[3] / scale])
}
