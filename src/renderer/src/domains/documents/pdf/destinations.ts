import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { LinkTarget } from '../pages/page-source.ts'

/** Destination of a link, a name or an outline entry, as returned by pdf.js. */
type Destination = string | readonly unknown[] | null

/** URLs that a link may have. The app opens them only after a confirmation. */
const outside = /^(https?|mailto):/i

/** Returns the page of a destination, resolving its name; null when there is none. */
async function pageOf(pdf: PDFDocumentProxy, destination: Destination): Promise<LinkTarget | null> {
  const explicit: readonly unknown[] | null =
    typeof destination === 'string' ? await pdf.getDestination(destination) : destination
  const page = explicit ? await pageNumber(pdf, explicit[0]) : null
  if (!explicit || page === null) return null
  return { kind: 'page', page, top: await heightOf(pdf, page, explicit) }
}

/**
 * Returns the target of a link: in the document, or an external URL; null for anything else, such as scripts.
 */
export async function targetOf(
  pdf: PDFDocumentProxy,
  link: { readonly dest?: Destination; readonly url?: string | null },
): Promise<LinkTarget | null> {
  if (link.url && outside.test(link.url)) return { kind: 'address', url: link.url }
  return link.dest ? pageOf(pdf, link.dest).catch(() => null) : null
}

async function pageNumber(pdf: PDFDocumentProxy, place: unknown): Promise<number | null> {
  if (Number.isInteger(place)) return inside(pdf, Number(place) + 1)
  if (!isRef(place)) return null
  return inside(pdf, (await pdf.getPageIndex(place)) + 1)
}

function inside(pdf: PDFDocumentProxy, page: number): number | null {
  return page >= 1 && page <= pdf.numPages ? page : null
}

function isRef(value: unknown): value is { num: number; gen: number } {
  return typeof value === 'object' && value !== null && 'num' in value && 'gen' in value
}

/**
 * Returns the height of the target in its page as a fraction from the top; null when the whole page is meant.
 */
async function heightOf(
  pdf: PDFDocumentProxy,
  page: number,
  explicit: readonly unknown[],
): Promise<number | null> {
  const kind: unknown = explicit[1]
  const name = typeof kind === 'object' && kind !== null && 'name' in kind ? kind.name : null
  const x = name === 'XYZ' || name === 'FitR' ? explicit[2] : 0
  const y = name === 'XYZ' ? explicit[3] : name === 'FitR' ? explicit[5] : explicit[2]
  if (name === 'Fit' || name === 'FitB' || name === 'FitV' || typeof y !== 'number') return null
  const viewport = (await pdf.getPage(page)).getViewport({ scale: 1 })
  const [, top] = viewport.convertToViewportPoint(typeof x === 'number' ? x : 0, y)
  const fraction = Number(top) / viewport.height
  return Number.isFinite(fraction) ? Math.min(Math.max(fraction, 0), 1) : null
}
