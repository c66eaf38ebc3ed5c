import { appendFile, copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import {
  EncryptedPDFError,
  PDFArray,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFString,
  type PDFContext,
  type PDFRef,
} from '@cantoo/pdf-lib'
import type { Box } from '../../../../../shared/model/document.ts'
import { highlightPaint, type Highlight } from '../../../../../shared/model/highlight.ts'
import { AppError } from '../../../../errors.ts'
import type { AnnotationOrder } from '../messages.ts'
import { visiblePart, type VisiblePart } from './facts.ts'
import { pageOf, readPdf } from './library.ts'
import { noRoom } from './parts/file.ts'
import { withDirectLengths } from './parts/lengths.ts'
import { pagesOf, type SourcePage } from './parts/source.ts'

/** Maximum size in bytes of a file whose objects are all loaded into memory. */
const maxBytes = 700_000_000

/**
 * Writes a copy of a PDF with highlights as annotations, and returns its size in bytes. They are appended to the file, whose
 * own bytes stay the same, so that whatever it contains survives. A file whose object table is damaged is written as a whole.
 * Throws REFUSED for an encrypted file, FILE_TOO_LARGE, DAMAGED_FILE, DISK_FULL.
 */
export async function annotatePdf({ path, to, highlights }: AnnotationOrder): Promise<number> {
  const { size } = await stat(path)
  if (size > maxBytes)
    throw new AppError('FILE_TOO_LARGE', 'The PDF is too large', { params: { limit: maxBytes } })
  try {
    const bytes = await readFile(path)
    const isTable = hasTable(bytes)
    const document = await PDFDocument.load(directLengths(bytes), { updateMetadata: false })
    const { pages } = pagesOf(document.context)
    const snapshot = document.takeSnapshot()
    // Lengths may have moved what follows them in memory.
    snapshot.pdfSize = size
    // The library may contain places that the file does not have: it can come from elsewhere.
    const onPages = highlights.filter(({ page }) => page >= 1 && page <= pages.length)
    const byPage = Map.groupBy(onPages, ({ page }) => page)
    for (const [number, onPage] of byPage) {
      const page = pages[number - 1]
      if (!page?.ref) throw new Error(`Page ${number} cannot be changed`)
      addAnnotations(document.context, { ...page, ref: page.ref }, onPage)
      snapshot.markRefForSave(page.ref)
    }
    const addition = await document.saveIncremental(snapshot, { useObjectStreams: !isTable })
    await copyFile(path, to)
    await appendFile(to, addition)
    if (!(await hasAll(to, pages.length, byPage))) {
      await writeFile(
        to,
        await document.save({ addDefaultPage: false, updateFieldAppearances: false }),
      )
      if (!(await hasAll(to, pages.length, byPage)))
        throw new Error('The copy does not show the highlights')
    }
    return (await stat(to)).size
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof EncryptedPDFError)
      throw new AppError('REFUSED', 'The PDF is encrypted', { params: { problem: 'encryptedPdf' } })
    if (noRoom(error))
      throw new AppError('DISK_FULL', 'There is not enough disk space', { cause: error })
    throw new AppError('DAMAGED_FILE', 'The PDF cannot be changed', { cause: error })
  }
}

/** Whether the objects of a file are listed in a table, not in a stream: an addition must have the same form. */
function hasTable(bytes: Buffer): boolean {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 2048))
  const at = Number([...end.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1] ?? Number.NaN)
  return bytes.toString('latin1', at, at + 4) === 'xref'
}

/** Speeds up reading; a file that is full of lengths without streams is read as it is. */
function directLengths(bytes: Buffer): Buffer {
  try {
    return withDirectLengths(bytes)
  } catch {
    return bytes
  }
}

function addAnnotations(
  context: PDFContext,
  page: SourcePage & { readonly ref: PDFRef },
  highlights: readonly Highlight[],
): void {
  const part = visiblePart(context, page)
  const name = PDFName.of('Annots')
  const before = context.lookup(page.dict.get(name))
  const added = highlights.map((highlight) => annotation(context, page.ref, part, highlight))
  const earlier = before instanceof PDFArray ? before.asArray() : []
  page.dict.set(name, context.obj([...earlier, ...added]))
}

type Point = readonly [x: number, y: number]

/** Returns a point of the page as displayed, in fractions from its upper left corner, in the units of the file. */
function placed({ box, rotate }: VisiblePart, [x, y]: Point): Point {
  const [left, bottom, right, top] = box
  const upright: Readonly<Record<VisiblePart['rotate'], Point>> = {
    0: [x, y],
    90: [y, 1 - x],
    180: [1 - x, 1 - y],
    270: [1 - y, x],
  }
  const [across, down] = upright[rotate]
  return [left + across * (right - left), top - down * (top - bottom)]
}

/** Returns the corners of a box: upper left, upper right, lower left, lower right, as the format orders them. */
const corners = (part: VisiblePart, [left, top, right, bottom]: Box): readonly Point[] =>
  (
    [
      [left, top],
      [right, top],
      [left, bottom],
      [right, bottom],
    ] as const
  ).map((point) => placed(part, point))

/**
 * Registers an annotation of the type Highlight. Readers draw it themselves or use its appearance, which multiplies its
 * color with the page, so that the text below stays black.
 */
function annotation(
  context: PDFContext,
  page: PDFRef,
  part: VisiblePart,
  { id, boxes, color, note, createdAt, updatedAt }: Highlight,
): PDFRef {
  const quads = boxes.map((box) => corners(part, box))
  const points = quads.flat()
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const rect = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)]
  const rgb = rgbOf(highlightPaint[color])
  const appearance = context.stream(
    [
      `/M gs ${rgb.join(' ')} rg`,
      ...quads.map(([a, b, c, d]) => `${xy(a)} m ${xy(b)} l ${xy(d)} l ${xy(c)} l f`),
    ].join('\n'),
    {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: rect,
      Resources: { ExtGState: { M: { Type: 'ExtGState', BM: 'Multiply' } } },
    },
  )
  return context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Highlight',
      Rect: rect,
      QuadPoints: points.flat(),
      C: rgb,
      // Printed with the page.
      F: 4,
      P: page,
      T: PDFString.of('Lectern'),
      NM: PDFHexString.fromText(id),
      CreationDate: PDFString.fromDate(new Date(createdAt)),
      M: PDFString.fromDate(new Date(updatedAt)),
      AP: { N: context.register(appearance) },
      ...(note !== '' && { Contents: PDFHexString.fromText(note) }),
    }),
  )
}

const xy = (point: Point | undefined): string =>
  (point ?? [0, 0]).map((value) => value.toFixed(3)).join(' ')

/** Returns the parts of a color `#rrggbb` from 0 to 1. */
const rgbOf = (color: string): readonly number[] =>
  [1, 3, 5].map(
    (at) => Math.round((Number.parseInt(color.slice(at, at + 2), 16) / 255) * 1000) / 1000,
  )

/** Whether another reader finds all pages, and the highlights on the first and the last marked page. */
async function hasAll(
  path: string,
  pages: number,
  byPage: ReadonlyMap<number, readonly Highlight[]>,
): Promise<boolean> {
  const pdf = await readPdf(path, null).catch(() => null)
  if (!pdf) return false
  try {
    if (pdf.document.numPages !== pages) return false
    const marked = [...byPage.keys()].toSorted((a, b) => a - b)
    for (const number of new Set([marked[0], marked.at(-1)])) {
      if (number === undefined) continue
      const page = await pageOf(pdf.document, number)
      const found: readonly { readonly subtype?: unknown }[] = await page.getAnnotations()
      const count = found.filter(({ subtype }) => subtype === 'Highlight').length
      if (count < (byPage.get(number)?.length ?? 0)) return false
    }
    return true
  } finally {
    await pdf.close()
  }
}
