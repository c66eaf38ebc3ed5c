import type { Box, DocumentFacts } from '../../shared/model/document.ts'
import type { OpenProcess } from '../../system/own-process/program.ts'
import { createAsker } from './asker.ts'
import type { ConvertedPicture, DocumentFile, DocumentPart, SplitOrder } from './messages.ts'

/**
 * What is done with files of documents beside the main thread. All throw AppError: DAMAGED_FILE, EMPTY_FILE, FILE_MISSING,
 * UNSUPPORTED_FORMAT, LIMIT_EXCEEDED; a wrong or missing password is REFUSED with `params.password`, and a file that needs more memory or
 * time than it may take DAMAGED_FILE with `params.problem` `memory` or `time`.
 */
export interface DocumentWorker {
  /** Looks at a PDF, a PNG or a JPEG. A locked PDF without its password has no pages, and `locked` is `user`. */
  facts(path: string, password: string | null): Promise<DocumentFacts>
  /** Writes pages into files, in order; more than one when they do not fit into one. */
  split(order: SplitOrder): Promise<readonly DocumentPart[]>
  /** Writes a picture that the service takes (an upright PNG or JPEG within `maxBytes`) of any picture that can be read. */
  convert(order: {
    readonly path: string
    readonly to: string
    readonly maxBytes: number
  }): Promise<ConvertedPicture>
  /** A page, as it is looked at, as a JPEG of this width in pixels. */
  picture(
    order: DocumentFile & { readonly page: number; readonly width: number },
  ): Promise<Uint8Array<ArrayBuffer>>
  /** A stretch of a page as a PNG; `dpi` is that of a PDF's page, pictures give their own pixels. */
  crop(
    order: DocumentFile & { readonly page: number; readonly box: Box; readonly dpi: number },
  ): Promise<Uint8Array<ArrayBuffer>>
  /** Closes a file that is about to be removed. */
  forget(path: string): Promise<void>
  close(): Promise<void>
}

/** Longest that looking at a file or drawing a page may take, in milliseconds; a file that takes longer is made to. */
const lookMs = 60_000

/** The same for taking a file apart: hundreds of pages that are drawn one by one take minutes. */
const partsMs = 10 * 60_000

/**
 * Makes the client; `url` is the program `workers/documents.ts`. It runs twice, each in a process of its own that its first call
 * begins: who looks at a page does not wait behind a file that is taken apart.
 */
export function createDocumentWork(url: URL, openProcess?: OpenProcess): DocumentWorker {
  const look = createAsker(url, 'Documents', lookMs, openProcess)
  const parts = createAsker(url, 'Document parts', partsMs, openProcess)
  return {
    facts: async (path, password) =>
      (await look.ask({ type: 'facts', path, password }, 'facts')).facts,
    split: async (order) => (await parts.ask({ ...order, type: 'split' }, 'parts')).parts,
    convert: async (order) => (await parts.ask({ ...order, type: 'convert' }, 'converted')).picture,
    picture: async (order) => (await look.ask({ ...order, type: 'picture' }, 'image')).bytes,
    crop: async (order) => (await look.ask({ ...order, type: 'crop' }, 'image')).bytes,
    async forget(path) {
      await Promise.all([look.forget(path), parts.forget(path)])
    },
    async close() {
      await Promise.all([look.close(), parts.close()])
    },
  }
}
