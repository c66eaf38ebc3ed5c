import type { Box, DocumentFacts } from '../../shared/model/document.ts'
import type { OpenProcess } from '../../system/own-process/program.ts'
import { AppError } from '../errors.ts'
import { createDocumentWorkerClient } from './document-worker-client.ts'
import type {
  ConvertedImage,
  DocumentFile,
  DocumentPart,
  DocumentRequest,
  SplitOrder,
} from './messages.ts'

/**
 * What is done with files of documents beside the main thread. All throw AppError: DAMAGED_FILE, EMPTY_FILE, FILE_MISSING,
 * UNSUPPORTED_FORMAT, LIMIT_EXCEEDED; a wrong or missing password is REFUSED with `params.password`, and a file that needs more memory or
 * time than it may take DAMAGED_FILE with `params.problem` `memory` or `time`. Of a file of which one page took that, no page is drawn again.
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
  }): Promise<ConvertedImage>
  /** A page, as it is looked at, as a JPEG of this width in pixels. */
  pageImage(
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

/**
 * Longest that looking at a file or drawing a page may take, and that taking a file apart may, in milliseconds: hundreds of pages that are
 * drawn one by one take minutes. A file that takes longer is made to.
 */
const maxDurations = { inspectMs: 60_000, partsMs: 10 * 60_000 } as const
/** Files that are remembered. */
const maxHeavy = 1000

/**
 * Makes the client; `url` is the program `workers/documents.ts`. It runs twice, each in a process of its own that its first call
 * begins: who looks at a page does not wait behind a file that is taken apart.
 */
export function createDocumentWork(
  url: URL,
  openProcess?: OpenProcess,
  { inspectMs, partsMs }: { readonly inspectMs: number; readonly partsMs: number } = maxDurations,
): DocumentWorker {
  const inspector = createDocumentWorkerClient(url, 'Documents', inspectMs, openProcess)
  const parts = createDocumentWorkerClient(url, 'Document parts', partsMs, openProcess)
  /** Files of which a page took too much: their other pages would, too, and are not drawn in this run of Lectern. */
  const heavy = new Map<string, AppError>()
  const image = async (
    request: Extract<DocumentRequest, { type: 'picture' | 'crop' }>,
  ): Promise<Uint8Array<ArrayBuffer>> => {
    const known = heavy.get(request.path)
    if (known) throw known
    try {
      return (await inspector.ask(request, 'image')).bytes
    } catch (error) {
      if (
        error instanceof AppError &&
        /^(?:time|memory)$/.test(String(error.params?.['problem']))
      ) {
        const [oldest] = heavy.keys()
        if (heavy.size >= maxHeavy && oldest !== undefined) heavy.delete(oldest)
        heavy.set(request.path, error)
      }
      throw error
    }
  }
  return {
    facts: async (path, password) =>
      (await inspector.ask({ type: 'facts', path, password }, 'facts')).facts,
    split: async (order) => (await parts.ask({ ...order, type: 'split' }, 'parts')).parts,
    convert: async (order) => (await parts.ask({ ...order, type: 'convert' }, 'converted')).image,
    pageImage: (order) => image({ ...order, type: 'picture' }),
    crop: (order) => image({ ...order, type: 'crop' }),
    async forget(path) {
      heavy.delete(path)
      await Promise.all([inspector.forget(path), parts.forget(path)])
    },
    async close() {
      await Promise.all([inspector.close(), parts.close()])
    },
  }
}
