import type { BlockChange, BlockHit, ReadingPosition } from '../../../shared/bridge/documents.ts'
import type { ReplyOf } from '../../../shared/bridge/routes.ts'
import type { Block, VersionCoverage } from '../../../shared/model/document.ts'
import type { Media } from '../../../shared/model/library.ts'
import type { DocumentTexts } from '../../documents/text-work.ts'
import { AppError } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import type { DocumentsService } from './types.ts'

/** What is read of documents: found, compared, shown as it came, cut out. */
export interface DocumentReader {
  place(id: string): ReadingPosition | null
  setPlace(id: string, place: ReadingPosition): void
  /** Goes on from a page; `next` is null at the end. */
  find(
    id: string,
    query: string,
    from: number,
  ): { readonly hits: readonly BlockHit[]; readonly next: number | null }
  /** Throws NOT_FOUND. */
  block(id: string, blockId: string): Block
  /** The Markdown of the reply that held a page, as it came. Throws NOT_FOUND when none did. */
  returned(id: string, page: number, versionId?: string): Promise<ReplyOf<'documents.returned'>>
  /** Which pages each version has, newest first. */
  coverage(id: string): readonly VersionCoverage[]
  /** A page in two versions, block by block. */
  compare(request: {
    readonly id: string
    readonly page: number
    readonly leftId: string
    readonly rightId: string
  }): Promise<readonly BlockChange[]>
  /** A block as a PNG; a kept file that housekeeping sweeps a day later. */
  crop(id: string, blockId: string): Promise<Media>
}

/** What reading needs. */
export interface DocumentReaderDeps {
  readonly store: Pick<Store, 'documents'>
  readonly files: Pick<MediaFiles, 'intake'>
  readonly documents: Pick<DocumentsService, 'crop'>
  readonly texts: Pick<DocumentTexts, 'compare' | 'differs'>
}

/** Builds the reading of documents. */
export function createDocumentReader({
  store,
  files,
  documents,
  texts,
}: DocumentReaderDeps): DocumentReader {
  /** Null where pages of the reply are not kept, or stand no more. */
  const differs = async (partId: string, returned: string): Promise<boolean | null> => {
    const part = store.documents.part(partId)
    if (!part || part.surplus.length > 0) return null
    const { documentId: id, versionId, first, last } = part
    const span = { first, last, versionId }
    const blocks = Map.groupBy(store.documents.blocks(id, span), ({ page }) => page)
    const pages = store.documents
      .pages(id, span)
      .filter((one) => one.partId === partId && one.state === 'returned')
      .map(({ page }) => ({ page, blocks: blocks.get(page) ?? [] }))
    return texts.differs({ returned, pages })
  }

  return {
    place: (id) => store.documents.place(id),
    setPlace: (id, place) => store.documents.setPlace(id, place),
    find: (id, query, from) => store.documents.find(id, query, { from }),
    block(id, blockId) {
      const found = store.documents.block(blockId)
      if (!found || store.documents.version(found.versionId)?.documentId !== id)
        throw new AppError('NOT_FOUND', 'The document has no such block')
      return found
    },
    async returned(id, page, versionId) {
      const found = store.documents.returned(id, page, versionId)
      if (!found) throw new AppError('NOT_FOUND', 'No reply holds this page')
      const { partId, markdown, first, last } = found
      return { markdown, first, last, differs: await differs(partId, markdown) }
    },
    coverage: (id) => store.documents.coverage(id),
    async compare({ id, page, leftId, rightId }) {
      const of = (versionId: string) =>
        store.documents.blocks(id, { first: page, last: page, versionId })
      return texts.compare(of(leftId), of(rightId))
    },
    async crop(id, blockId) {
      const png = await documents.crop({ id, blockId })
      return files.intake(new Blob([new Uint8Array(png)]).stream(), 'block.png', png.length)
    },
  }
}
