import { imageAddresses } from '../../documents/reading/image-links.ts'
import { AppError } from '../../errors.ts'
import type { DocumentsStore } from '../../store/documents-types.ts'
import type { DocumentsService } from './types.ts'

/** Pages that are given at a time: each may have dozens of blocks. */
const mostPages = 50

/** Pages with their blocks, and the kept pictures that they name. */
export function pagesWithImages(
  store: Pick<DocumentsStore, 'pages' | 'blocks' | 'remotePictures'>,
  id: string,
  query: {
    readonly first: number
    readonly last: number
    readonly versionId?: string | undefined
  },
): ReturnType<DocumentsService['pages']> {
  const count = query.last - query.first + 1
  if (count > mostPages)
    throw new AppError('LIMIT_EXCEEDED', 'These are too many pages at a time', {
      params: { what: 'pages', limit: mostPages, value: count },
    })
  const pages = store.pages(id, query)
  const blocks = store.blocks(id, query)
  const layouts = pages.flatMap(({ layoutPicture }) => layoutPicture ?? [])
  const named = new Set(imageAddresses(blocks, layouts))
  if (named.size === 0) return { pages, blocks, pictures: {} }
  const kept = store
    .remotePictures(id)
    .flatMap(({ address, mediaId }) =>
      mediaId !== null && named.has(address) ? [[address, mediaId] as const] : [],
    )
  return { pages, blocks, pictures: Object.fromEntries(kept) }
}
