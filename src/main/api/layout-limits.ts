import { AppError } from '../errors.ts'
import type { LayoutRequest } from './layout.ts'
import { checkRange, checkUserId, illegal, over } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'

/**
 * Rejects violations of the limits in service-notes 12 and 16: bytes by type (FILE_TOO_LARGE), pages of a PDF, an empty file,
 * a page range for an image or beyond the document, a URL that is not http or https.
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

/** `pages` is the page count of the document, if known. */
function checkPages({ startPage, endPage }: LayoutRequest, pages: number | null): void {
  const max = pages ?? Infinity
  if (startPage !== undefined) checkRange('start_page_id', startPage, { min: 1, max, whole: true })
  if (endPage !== undefined)
    checkRange('end_page_id', endPage, { min: startPage ?? 1, max, whole: true })
}

/** Reports only the scheme: a URL may contain a secret. */
function checkAddress(url: string): void {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return
  throw illegal('file', /^[a-z][a-z0-9+.-]{0,30}:/i.exec(url)?.[0] ?? 'url')
}
