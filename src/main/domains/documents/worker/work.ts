import type { Box, DocumentFacts } from '../../../../shared/model/document.ts'
import type { OpenProcess } from '../../../../system/own-process/program.ts'
import { AppError } from '../../../errors.ts'
import { createDocumentWorkerClient } from './document-worker-client.ts'
import type {
  ConvertedImage,
  DocumentFile,
  DocumentPart,
  DocumentRequest,
  SplitOrder,
} from './messages.ts'

/**
 * Work on files of documents outside the main thread. All methods throw AppError: DAMAGED_FILE, EMPTY_FILE,
 * FILE_MISSING, UNSUPPORTED_FORMAT, LIMIT_EXCEEDED; a wrong or missing password is REFUSED with `params.password`, and a
 * file that exceeds its memory or time limit is DAMAGED_FILE with `params.problem` `memory` or `time`. After one page of
 * a file exceeded a limit, no page of it is drawn again.
 */
export interface DocumentWorker {
  /** Inspects a PDF, PNG or JPEG. A locked PDF without its password has no pages, and `locked` is `user`. */
  facts(path: string, password: string | null): Promise<DocumentFacts>
  /** Writes pages into files, in order; more than one when they do not fit into one. */
  split(order: SplitOrder): Promise<readonly DocumentPart[]>
  /**
   * Converts any readable image to one that the provider accepts (an upright PNG or JPEG within `maxBytes`).
   */
  convert(order: {
    readonly path: string
    readonly to: string
    readonly maxBytes: number
  }): Promise<ConvertedImage>
  /** Returns a page as displayed, as a JPEG of this width in pixels. */
  pageImage(
    order: DocumentFile & { readonly page: number; readonly width: number },
  ): Promise<Uint8Array<ArrayBuffer>>
  /** Returns part of a page as a PNG; `dpi` applies to pages of a PDF, images use their own pixels. */
  crop(
    order: DocumentFile & { readonly page: number; readonly box: Box; readonly dpi: number },
  ): Promise<Uint8Array<ArrayBuffer>>
  /** Closes a file that is about to be deleted. */
  forget(path: string): Promise<void>
  close(): Promise<void>
}

/**
 * Maximum milliseconds for inspecting a file or drawing a page, and for splitting a file: drawing hundreds of pages one
 * by one takes minutes. A file that takes longer is malicious.
 */
const maxDurations = { inspectMs: 60_000, partsMs: 10 * 60_000 } as const
/** Maximum number of remembered files. */
const maxHeavy = 1000

/**
 * Creates the client; `url` is the program `workers/documents.ts`. Two instances run, each in its own process that its
 * first call starts: viewing a page does not wait behind a file that is being split.
 */
export function createDocumentWork(
  url: URL,
  openProcess?: OpenProcess,
  { inspectMs, partsMs }: { readonly inspectMs: number; readonly partsMs: number } = maxDurations,
): DocumentWorker {
  const inspector = createDocumentWorkerClient(url, 'Documents', inspectMs, openProcess)
  const parts = createDocumentWorkerClient(url, 'Document parts', partsMs, openProcess)
  /**
   * Files of which a page exceeded a limit: their other pages would, too, and are not drawn until Lectern is restarted.
   */
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
