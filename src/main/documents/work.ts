import type { Box, DocumentFacts } from '../../shared/model/document.ts'
import { errorOf } from '../sound/failed.ts'
import { createWorkerClient } from '../workers/client.ts'
import type {
  ConvertedPicture,
  DocumentAnswer,
  DocumentFile,
  DocumentPart,
  DocumentRequest,
  SplitOrder,
} from './messages.ts'

/**
 * What is done with files of documents beside the main thread. All throw AppError: DAMAGED_FILE, EMPTY_FILE, FILE_MISSING,
 * UNSUPPORTED_FORMAT, LIMIT_EXCEEDED, TIMEOUT; a wrong or missing password is REFUSED with `params.password`.
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

/** Longest that one answer may take, in milliseconds: hundreds of pages that are drawn one by one take minutes. */
const timeoutMs = 10 * 60_000

/** The program holds an opened document and two libraries, some hundred megabytes: it ends when nobody asked for this long. */
const idleMs = 60_000

/** Makes the client; `url` is the program `workers/documents.ts`, which starts with the first call. */
export function createDocumentWork(url: URL): DocumentWorker {
  const worker = createWorkerClient<DocumentRequest, DocumentAnswer>({
    url,
    name: 'Documents',
    timeoutMs,
  })
  let waiting = 0
  let running = false
  let rest: NodeJS.Timeout | undefined

  async function ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>> {
    clearTimeout(rest)
    waiting += 1
    running = true
    try {
      const answer = await worker.call(request)
      if (answer.type === 'failed') throw errorOf(answer)
      if (!isOf(answer, type)) throw new Error(`Documents answered ${answer.type}`)
      return answer
    } finally {
      waiting -= 1
      if (waiting === 0) rest = setTimeout(end, idleMs).unref()
    }
  }

  function end(): void {
    running = false
    void worker.stop()
  }

  return {
    facts: async (path, password) => (await ask({ type: 'facts', path, password }, 'facts')).facts,
    split: async (order) => (await ask({ ...order, type: 'split' }, 'parts')).parts,
    convert: async (order) => (await ask({ ...order, type: 'convert' }, 'converted')).picture,
    picture: async (order) => (await ask({ ...order, type: 'picture' }, 'image')).bytes,
    crop: async (order) => (await ask({ ...order, type: 'crop' }, 'image')).bytes,
    async forget(path) {
      if (running) await ask({ type: 'close', path }, 'none')
    },
    async close() {
      clearTimeout(rest)
      await worker.close()
    },
  }
}

const isOf = <Type extends DocumentAnswer['type']>(
  answer: DocumentAnswer,
  type: Type,
): answer is Extract<DocumentAnswer, { type: Type }> => answer.type === type
