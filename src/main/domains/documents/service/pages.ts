import { imageAddresses } from '../worker/reading/image-links.ts'
import { AppError } from '../../../errors.ts'
import type { DocumentsStore } from '../store/documents-types.ts'
import type { DocumentsService } from './document-service-types.ts'

/** Maximum number of pages returned at a time: each may have dozens of blocks. */
const maxPages = 50

/** Returns pages with their blocks, and the saved images they reference. */
export function pagesWithImages(
  store: Pick<DocumentsStore, 'pages' | 'blocks' | 'remoteImages'>,
  id: string,
  query: {
    readonly first: number
    readonly last: number
    readonly versionId?: string | undefined
  },
): ReturnType<DocumentsService['pages']> {
  const count = query.last - query.first + 1
  if (count > maxPages)
    throw new AppError('LIMIT_EXCEEDED', 'Too many pages in one request', {
      params: { what: 'pages', limit: maxPages, value: count },
    })
  const pages = store.pages(id, query)
  const blocks = store.blocks(id, query)
  const layouts = pages.flatMap(({ layoutPicture }) => layoutPicture ?? [])
  const named = new Set(imageAddresses(blocks, layouts))
  if (named.size === 0) return { pages, blocks, images: {} }
  const savedImages = store
    .remoteImages(id)
    .flatMap(({ address, mediaId }) =>
      mediaId !== null && named.has(address) ? [[address, mediaId] as const] : [],
    )
  return { pages, blocks, images: Object.fromEntries(savedImages) }
}
