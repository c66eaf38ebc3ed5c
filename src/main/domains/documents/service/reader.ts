import type {
  BlockChange,
  BlockHit,
  ReadingPosition,
} from '../../../../shared/contract/documents.ts'
import type { ReplyOf } from '../../../../shared/contract/routes.ts'
import type { Block, VersionCoverage } from '../../../../shared/model/document.ts'
import type { Media } from '../../../../shared/model/library.ts'
import type { DocumentTexts } from '../worker/work.ts'
import { AppError } from '../../../errors.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import type { DocumentsService } from './document-service-types.ts'

/** Read access to documents: search, comparison, raw response, crops. */
export interface DocumentReader {
  place(id: string): ReadingPosition | null
  setPlace(id: string, place: ReadingPosition): void
  /** Continues from a page; `next` is null at the end. */
  find(
    id: string,
    query: string,
    from: number,
  ): { readonly hits: readonly BlockHit[]; readonly next: number | null }
  /** Throws NOT_FOUND. */
  block(id: string, blockId: string): Block
  /** Returns the unmodified Markdown of the response that contained a page. Throws NOT_FOUND when none did. */
  returned(id: string, page: number, versionId?: string): Promise<ReplyOf<'documents.returned'>>
  /** Returns which pages each version has, newest first. */
  coverage(id: string): readonly VersionCoverage[]
  /** Compares a page in two versions, block by block. */
  compare(request: {
    readonly id: string
    readonly page: number
    readonly leftId: string
    readonly rightId: string
  }): Promise<readonly BlockChange[]>
  /** Returns a block as a PNG, in a saved file that housekeeping deletes a day later. */
  crop(id: string, blockId: string): Promise<Media>
}

interface DocumentReaderDeps {
  readonly store: Pick<Store, 'documents'>
  readonly files: Pick<MediaFiles, 'intake'>
  readonly documents: Pick<DocumentsService, 'crop'>
  readonly texts: Pick<DocumentTexts, 'compare' | 'differs'>
}

/** Creates the document reader. */
export function createDocumentReader({
  store,
  files,
  documents,
  texts,
}: DocumentReaderDeps): DocumentReader {
  /** Whether the current text differs from the response; null where pages of the response are not saved or no longer current. */
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
        throw new AppError('NOT_FOUND', 'The document does not have this block')
      return found
    },
    async returned(id, page, versionId) {
      const found = store.documents.returned(id, page, versionId)
      if (!found) throw new AppError('NOT_FOUND', 'No response contains this page')
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
