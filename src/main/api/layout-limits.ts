import { AppError } from '../errors.ts'
import type { LayoutRequest } from './layout.ts'
import { checkRange, checkUserId, illegal, over } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'

/**
 * Refuses what is over a limit of service-notes 12 and 16: bytes by kind (FILE_TOO_LARGE), pages of a PDF, an empty file, pages asked
 * of a picture or beyond the document, an address that is not http or https.
 */
export function checkLayout(request: LayoutRequest, target: ServiceTarget): void {
  const { source } = request
  checkUserId(request.userId, target)
  if ('url' in source) {
    checkAddress(source.url)
    checkPages(request, null)
    return
  }
  const { file, mime, pages } = source
  const limits = target.limits.layout
  const isPdf = mime === 'application/pdf'
  const { name, bytes } = file
  if (bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty.', { params: { name } })
  const maxBytes = isPdf ? limits.pdfBytes : limits.imageBytes
  if (bytes > maxBytes) throw over('FILE_TOO_LARGE', 'file', maxBytes, bytes, { name })
  if (isPdf && pages !== null && pages > limits.pages)
    throw over('LIMIT_EXCEEDED', 'pages', limits.pages, pages, { name })
  if (!isPdf && request.startPage !== undefined) throw illegal('start_page_id', request.startPage)
  if (!isPdf && request.endPage !== undefined) throw illegal('end_page_id', request.endPage)
  checkPages(request, isPdf ? pages : null)
}

/** `pages` is the number of the document's pages where it is known. */
function checkPages({ startPage, endPage }: LayoutRequest, pages: number | null): void {
  const max = pages ?? Infinity
  if (startPage !== undefined) checkRange('start_page_id', startPage, { min: 1, max, whole: true })
  if (endPage !== undefined)
    checkRange('end_page_id', endPage, { min: startPage ?? 1, max, whole: true })
}

/** Only the scheme is told: an address may hold a secret. */
function checkAddress(url: string): void {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return
  throw illegal('file', /^[a-z][a-z0-9+.-]{0,30}:/i.exec(url)?.[0] ?? 'url')
}
