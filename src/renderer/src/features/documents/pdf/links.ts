import type { PDFDocumentProxy } from 'pdfjs-dist'
import { targetOf } from './destinations.ts'
import { fractionsOf } from './fractions.ts'
import type { PageLink } from '../pages/page-source.ts'

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
