import { createCanvas, type Canvas } from '@napi-rs/canvas'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.d.ts'
import { JobProblem } from '../worker-port.ts'
import type { PageContent, Run } from './content.ts'
import {
  areaOf,
  boxAround,
  coveredPart,
  heightOf,
  mergeBoxes,
  widthOf,
  type Box,
} from './geometry.ts'
import { freeCanvas } from './image-source.ts'
import type { PageProblem } from './messages.ts'
import { drawingsOf, type Drawings, type OperatorList } from './pdf/drawings.ts'
import {
  loadPdfLibrary,
  openPdf,
  type PdfDocument,
  type PdfLibrary,
  type PdfPage,
} from './pdf/library.ts'
import { asMatrix, type Matrix } from './pdf/matrix.ts'
import { isBoldName, runsOf } from './pdf/runs.ts'
import type { PageSource, SeenPage } from './source.ts'

/** Resolution in dots per inch of the raster that boxes refer to. */
const pageDpi = 200

/** Maximum pixels of a page raster; a larger page (posters, plans) is drawn at a lower resolution. */
const maxPixels = 25_000_000

interface View {
  readonly matrix: Matrix
  readonly scale: number
  readonly width: number
  readonly height: number
}

function viewOf(page: PdfPage): View {
  const plain = page.getViewport({ scale: 1 })
  const fitting = Math.sqrt(maxPixels / Math.max(1, plain.width * plain.height))
  const scale = Math.min(pageDpi / 72, fitting)
  const { transform, width, height } = page.getViewport({ scale })
  const matrix = asMatrix(transform) ?? [scale, 0, 0, -scale, 0, height]
  return { matrix, scale, width: Math.ceil(width), height: Math.ceil(height) }
}

const lettersOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

/**
 * Returns whether the text layer cannot be the page's text: it has hardly any text next to images, or meaningless
 * characters.
 */
function isScan(content: PageContent, drawings: Drawings): boolean {
  const letters = lettersOf(content.runs)
  const unknown = letters.match(/[\ufffd\ue000-\uf8ff]/g)?.length ?? 0
  if (letters.length > 0 && unknown > 0.4 * letters.length) return true
  const page = content.width * content.height
  const imageArea = drawings.images.reduce((sum, box) => sum + areaOf(box), 0)
  if (letters.length < 60 && imageArea > 0.3 * page) return true
  // Text may be drawn letter by letter as shapes.
  return letters.length < 10 && drawings.inks.length > 100
}

/** Opens a PDF. Throws `encrypted`, `damaged`. */
async function open(library: PdfLibrary, bytes: Uint8Array<ArrayBuffer>): Promise<PdfDocument> {
  try {
    return await openPdf(library, bytes)
  } catch (error) {
    if (error instanceof library.PasswordException)
      throw new JobProblem<PageProblem>('encrypted', 'The PDF is protected by a password')
    throw new JobProblem<PageProblem>('damaged', 'The file is damaged or isn’t a PDF')
  }
}

function fontNames(page: PdfPage): (font: string) => boolean {
  return (font) => {
    if (!page.commonObjs.has(font)) return false
    const known = page.commonObjs.get(font) as { readonly name?: unknown } | null
    return typeof known?.name === 'string' && isBoldName(known.name)
  }
}

/** Opens the pages of a PDF. Throws `encrypted`, `damaged`. */
export async function openPdfSource(bytes: Uint8Array<ArrayBuffer>): Promise<PageSource> {
  const library = await loadPdfLibrary()
  const document = await open(library, bytes)
  // Each page's text is requested by the page itself and by its neighbors.
  const texts = new Map<number, Promise<TextContent>>()

  const pageAt = async (number: number): Promise<PdfPage> => {
    try {
      return await document.getPage(number)
    } catch {
      throw new JobProblem<PageProblem>('damaged', `Page ${number} of the PDF is damaged`)
    }
  }
  const textOf = (number: number, page: PdfPage): Promise<TextContent> => {
    const known = texts.get(number)
    if (known) return known
    for (const old of texts.keys()) if (Math.abs(old - number) > 3) texts.delete(old)
    const fresh = page.getTextContent()
    texts.set(number, fresh)
    return fresh
  }

  const rasterOf = async (page: PdfPage, { scale, width, height }: View): Promise<Canvas> => {
    const canvas = createCanvas(width, height)
    const context = canvas.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
    await page.render({
      canvas,
      viewport: page.getViewport({ scale }),
    }).promise
    return canvas
  }

  return {
    pageCount: document.numPages,
    async page(number): Promise<SeenPage> {
      const page = await pageAt(number)
      const view = viewOf(page)
      const { matrix, scale, width, height } = view
      const text = await textOf(number, page)
      // The fonts are available only after the operators were loaded.
      const list: OperatorList = await page.getOperatorList()
      const { upright, turned } = runsOf(text, matrix, scale, fontNames(page))
      const drawings = drawingsOf(library, list, matrix)
      const images = figuresOf(drawings, upright, width, height)
      const { rules, inks } = drawings
      const content = { width, height, runs: upright, turned, images, rules, inks, ocr: false }
      let raster: Promise<Canvas> | undefined
      return {
        content,
        scanned: isScan(content, drawings),
        raster: () => (raster ??= rasterOf(page, view)),
        async close() {
          page.cleanup()
          const canvas = await raster?.catch(() => undefined)
          if (canvas) freeCanvas(canvas)
        },
      }
    },
    async text(number) {
      try {
        const page = await pageAt(number)
        const { matrix, scale, height } = viewOf(page)
        const { upright } = runsOf(await textOf(number, page), matrix, scale, () => false)
        return { runs: upright, height }
      } catch {
        // A damaged neighbor contributes nothing; the damage is reported when that page itself is read.
        return { runs: [], height: 0 }
      }
    },
    close: () => document.loadingTask.destroy(),
  }
}

/** Maximum distance in pixels between the parts of one drawing. */
const reach = 14

/** Maximum number of shapes that are compared one by one; a page with more is one drawing. */
const maxParts = 1500

/** Minimum width and height of an image in pixels: smaller ones are symbols and ornaments. */
const minSide = 32

const lettersIn = (runs: readonly Run[], box: Box): number =>
  runs.reduce((sum, run) => sum + (coveredPart(run.box, box) > 0.6 ? run.text.length : 0), 0)

/**
 * Finds figures drawn with lines and areas that contain only a few words; others are the background of text.
 */
function drawnFigures({ inks, areas, rules }: Drawings, runs: readonly Run[]): Box[] {
  const parts = [...inks, ...areas]
  if (parts.length < 3) return []
  const shapes = parts.length > maxParts ? [boxAround(parts)] : mergeBoxes(parts, reach)
  return shapes
    .filter((box) => widthOf(box) > 3 * minSide && heightOf(box) > 1.5 * minSide)
    .flatMap((box) => {
      const count = parts.filter((part) => coveredPart(part, box) > 0.9).length
      const lines = rules.map((rule) => rule.box).filter((rule) => touches(rule, box))
      const figure = boxAround([box, ...lines])
      const text = runs
        .filter((run) => coveredPart(run.box, figure) > 0.6)
        .reduce((sum, run) => sum + areaOf(run.box), 0)
      return count + lines.length >= 3 && text < 0.25 * areaOf(figure) ? [figure] : []
    })
}

const touches = (rule: Box, [left, top, right, bottom]: Box): boolean =>
  rule[0] < right && rule[2] > left && rule[1] < bottom && rule[3] > top

/** Returns the images of a page, embedded and drawn, cropped to its edges. */
function figuresOf(drawings: Drawings, runs: readonly Run[], width: number, height: number): Box[] {
  const page: Box = [0, 0, width, height]
  const shown = mergeBoxes(drawings.images, 2).filter((box) => {
    const ground = coveredPart(page, box) > 0.5 && lettersIn(runs, box) > 80
    return !ground && widthOf(box) >= minSide && heightOf(box) >= minSide
  })
  return mergeBoxes([...shown, ...drawnFigures(drawings, runs)], 2)
    .map(([left, top, right, bottom]): Box => [
      Math.max(0, left),
      Math.max(0, top),
      Math.min(width, right),
      Math.min(height, bottom),
    ])
    .filter((box) => widthOf(box) >= minSide && heightOf(box) >= minSide)
}
