import type { BlockChange, BlockHit, ReadingPlace } from '../../../shared/bridge/documents.ts'
import type { Block } from '../../../shared/model/document.ts'
import type { Media } from '../../../shared/model/library.ts'
import { compareBlocks } from '../../documents/reading/compare.ts'
import { AppError } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import type { DocumentsService } from './types.ts'

/** What is read of documents: found, compared, shown as it came, cut out. */
export interface DocumentReader {
  place(id: string): ReadingPlace | null
  setPlace(id: string, place: ReadingPlace): void
  /** Goes on from a page; `next` is null at the end. */
  find(
    id: string,
    query: string,
    from: number,
  ): { readonly hits: readonly BlockHit[]; readonly next: number | null }
  /** Throws NOT_FOUND. */
  block(blockId: string): Block
  /** The Markdown of the reply that held a page, as it came. Throws NOT_FOUND when none did. */
  returned(
    id: string,
    page: number,
    versionId?: string,
  ): { readonly markdown: string; readonly first: number; readonly last: number }
  /** A page in two versions, block by block. */
  compare(request: {
    readonly id: string
    readonly page: number
    readonly leftId: string
    readonly rightId: string
  }): readonly BlockChange[]
  /** A block as a PNG; a kept file that housekeeping sweeps a day later. */
  crop(id: string, blockId: string): Promise<Media>
}

/** What reading needs. */
export interface DocumentReaderDeps {
  readonly store: Pick<Store, 'documents'>
  readonly files: Pick<MediaFiles, 'intake'>
  readonly documents: Pick<DocumentsService, 'crop'>
}

/** Builds the reading of documents. */
export function createDocumentReader({
  store,
  files,
  documents,
}: DocumentReaderDeps): DocumentReader {
  return {
    place: (id) => store.documents.place(id),
    setPlace: (id, place) => store.documents.setPlace(id, place),
    find: (id, query, from) => store.documents.find(id, query, { from }),
    block(blockId) {
      const found = store.documents.block(blockId)
      if (!found) throw new AppError('NOT_FOUND', 'There is no such block')
      return found
    },
    returned(id, page, versionId) {
      const found = store.documents.returned(id, page, versionId)
      if (!found) throw new AppError('NOT_FOUND', 'No reply holds this page')
      const { markdown, first, last } = found
      return { markdown, first, last }
    },
    compare({ id, page, leftId, rightId }) {
      const of = (versionId: string) =>
        store.documents.blocks(id, { first: page, last: page, versionId })
      return compareBlocks(of(leftId), of(rightId))
    },
    async crop(id, blockId) {
      const png = await documents.crop({ id, blockId })
      return files.intake(new Blob([new Uint8Array(png)]).stream(), 'block.png', png.length)
    },
  }
}
