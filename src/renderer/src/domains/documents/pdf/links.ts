import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { Box } from '../../../../../shared/model/document.ts'
import type { PageLink } from '../pages/page-source.ts'
import { targetOf } from './destinations.ts'

/** Link annotation of a page. */
interface RawLink {
  readonly subtype: string
  readonly rect: readonly number[]
  readonly url?: string | null
  readonly dest?: string | readonly unknown[] | null
}

/** Returns the links of a page that have a target; forms, scripts, sounds and attached files are ignored. */
export async function readLinks(pdf: PDFDocumentProxy, page: number): Promise<readonly PageLink[]> {
  const proxy = await pdf.getPage(page)
  const viewport = proxy.getViewport({ scale: 1 })
  const raw = (await proxy.getAnnotations({ intent: 'display' })) as readonly RawLink[]
  const links = await Promise.all(
    raw
      .filter(({ subtype }) => subtype === 'Link')
      .map(async (link) => {
        const target = await targetOf(pdf, link)
        const box = fractionsOf(viewport, link.rect)
        return target && box ? { box, target } : null
      }),
  )
  return links.filter((link) => link !== null)
}

/** Required properties of pdf.js's viewport. */
interface Viewed {
  readonly width: number
  readonly height: number
  convertToViewportPoint(x: number, y: number): unknown[]
}

/**
 * Returns a rectangle in PDF units as fractions of the page as displayed; null when it is outside the page.
 */
function fractionsOf(viewport: Viewed, rect: readonly number[]): Box | null {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect
  const a = viewport.convertToViewportPoint(x1, y1)
  const b = viewport.convertToViewportPoint(x2, y2)
  const across = [Number(a[0]), Number(b[0])].map((x) => clamp(x / viewport.width))
  const down = [Number(a[1]), Number(b[1])].map((y) => clamp(y / viewport.height))
  const box = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)]
  const [left = 0, top = 0, right = 0, bottom = 0] = box
  return right > left && bottom > top ? [left, top, right, bottom] : null
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), 1) : 0
}
