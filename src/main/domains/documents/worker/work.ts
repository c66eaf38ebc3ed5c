import { stat } from 'node:fs/promises'
import type { Box, DocumentFacts, Block, PartPlan } from '../../../../shared/model/document.ts'
import type { OpenProcess } from '../../../../system/own-process/program.ts'
import { AppError } from '../../../errors.ts'
import type {
  AnnotationOrder,
  ConvertedImage,
  DocumentFile,
  DocumentPart,
  DocumentRequest,
  SplitOrder,
  DocumentAnswer,
  ReturnedText,
  TextFile,
} from './messages.ts'
import { errorOf } from '../../../platform/workers/failed.ts'
import { createWorkerClient, heapLimits } from '../../../platform/workers/client.ts'
import type { BlockChange } from '../../../../shared/contract/documents.ts'
import { compareBlocks } from './reading/compare.ts'
import { returnedDiffers } from './reading/merge.ts'
import { readReplyText, type ParsedReply, type ReplyRead, type ReplyText } from './reading/reply.ts'

/**
 * Work on files of documents outside the main thread. All methods throw AppError: DAMAGED_FILE, EMPTY_FILE,
 * FILE_MISSING, UNSUPPORTED_FORMAT, LIMIT_EXCEEDED; a wrong or missing password is REFUSED with `params.password`, and a
 * file that exceeds its memory or time limit is DAMAGED_FILE with `params.problem` `memory` or `time`. After one page of
 * a file exceeded a limit, no page of it is drawn again.
 */
export interface DocumentWorker {
  /** Inspects a PDF, PNG or JPEG. A locked PDF without its password has no pages, and `locked` is `user`. */
  facts(path: string, password: string | null): Promise<DocumentFacts>
  /** Inspects a file that contains its text. */
  textFacts(file: TextFile): Promise<DocumentFacts>
  /** Reads pages of a file that contains its text. */
  textPages(order: TextFile & PartPlan): Promise<ReplyRead>
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
  /**
   * Writes a copy of a PDF with highlights as annotations, and returns its size in bytes. An encrypted file is REFUSED.
   */
  annotate(order: AnnotationOrder): Promise<number>
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
    textFacts: async (file) =>
      (await inspector.ask({ ...file, type: 'text-facts' }, 'facts')).facts,
    textPages: async (order) =>
      (await parts.ask({ ...order, type: 'text-pages' }, 'text-pages')).read,
    facts: async (path, password) =>
      (await inspector.ask({ type: 'facts', path, password }, 'facts')).facts,
    split: async (order) => (await parts.ask({ ...order, type: 'split' }, 'parts')).parts,
    convert: async (order) => (await parts.ask({ ...order, type: 'convert' }, 'converted')).image,
    pageImage: (order) => image({ ...order, type: 'picture' }),
    crop: (order) => image({ ...order, type: 'crop' }),
    annotate: async (order) => (await parts.ask({ ...order, type: 'annotate' }, 'annotated')).bytes,
    async close() {
      await Promise.all([inspector.close(), parts.close()])
    },
  }
}

/** Client of the documents worker, which is stopped while idle. */
interface DocumentWorkerClient {
  ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>>
  close(): Promise<void>
}

/**
 * Milliseconds after which an idle worker is stopped: an open document and two libraries take some hundred megabytes.
 */
const idleMs = 60_000

/** Maximum number of tries of a request when another request ends the worker. */
const maxTries = 4

/** Maximum memory of a worker in bytes: twice the largest file that is split, since changing it copies it. */
const maxMemory = 1_600_000_000

/**
 * Bytes by which the process of a worker may grow for one file: a fixed amount, plus an amount for each of its bytes.
 * Page images expand to hundreds of times their size in the file; inspecting a file unpacks only its texts. A kilobyte
 * that expands to gigabytes is stopped long before.
 */
const growth = {
  facts: { baseBytes: 350_000_000, perByte: 100 },
  other: { baseBytes: 900_000_000, perByte: 250 },
} as const

/**
 * Creates the client. The first call starts the worker, in its own process if `openProcess` is given (for work on
 * files). `timeoutMs` is the time limit for one reply.
 */
function createDocumentWorkerClient(
  url: URL,
  name: string,
  timeoutMs: number,
  openProcess?: OpenProcess,
): DocumentWorkerClient {
  const worker = createWorkerClient<DocumentRequest, DocumentAnswer>({
    url,
    name,
    timeoutMs,
    maxMemory,
    heapMegabytes: heapLimits.document,
    openProcess,
    idleMs,
  })

  async function ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>> {
    const answer = await answerTo(request, await growthFor(request))
    if (answer.type === 'failed') throw errorOf(answer)
    if (!isOf(answer, type)) throw new Error(`${name}: unexpected response of type ${answer.type}`)
    return answer
  }

  /** Repeats the request with the next worker if another file's request ended the worker. */
  async function answerTo(
    request: DocumentRequest,
    bytes: number,
    tries = maxTries,
  ): Promise<DocumentAnswer> {
    try {
      return await worker.call(request, bytes)
    } catch (error) {
      const isForOther = error instanceof AppError && error.code === 'CANCELLED'
      if (isForOther && tries > 1) return answerTo(request, bytes, tries - 1)
      throw toDamagedFile(error)
    }
  }

  return { ask, close: () => worker.close() }
}

async function growthFor(request: DocumentRequest): Promise<number> {
  if (!('path' in request)) return maxMemory
  const { baseBytes, perByte } = request.type === 'facts' ? growth.facts : growth.other
  // The worker reports a missing file.
  const bytes = await stat(request.path).then(
    ({ size }) => size,
    () => 0,
  )
  return Math.min(maxMemory, baseBytes + perByte * bytes)
}

/**
 * No regular file expands to gigabytes or takes minutes to inspect: the file is damaged, and a retry would not help.
 */
function toDamagedFile(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const limit = Number(error.params?.['limit'] ?? 0)
  if (error.code === 'LIMIT_EXCEEDED' && error.params?.['what'] === 'memory')
    return new AppError('DAMAGED_FILE', error.message, {
      params: { problem: 'memory', limit: Math.round(limit / 1_000_000) },
    })
  if (error.code === 'TIMEOUT')
    return new AppError('DAMAGED_FILE', error.message, {
      params: { problem: 'time', limit: Math.round(limit / 1000) },
    })
  return error
}

const isOf = <Type extends DocumentAnswer['type']>(
  answer: DocumentAnswer,
  type: Type,
): answer is Extract<DocumentAnswer, { type: Type }> => answer.type === type

/**
 * Work on texts of documents; long texts are processed outside the main thread. Throws AppError: TIMEOUT,
 * ENGINE_UNAVAILABLE.
 */
export interface DocumentTexts {
  /** Whether the text of a response differs from its blocks: see {@link returnedDiffers}. */
  differs(text: ReturnedText): Promise<boolean>
  /** Compares blocks: see {@link compareBlocks}. */
  compare(left: readonly Block[], right: readonly Block[]): Promise<readonly BlockChange[]>
  /**
   * Parses the text of a response: see {@link readReplyText}. Throws MALFORMED_REPLY when parsing takes more time or
   * memory than any valid response.
   */
  readReply(text: ReplyText): Promise<ParsedReply>
  close(): Promise<void>
}

/** Maximum milliseconds for processing texts. */
const maxMs = 60_000

/**
 * Limits of texts that take the main thread a few milliseconds at most: calling another thread costs as much.
 */
const shortChars = 20_000
const shortPairs = 400
/** Limit of a response, which is parsed, read and placed. */
const shortReplyChars = 30_000

/**
 * Creates the client; `url` is the program `workers/documents.ts`, of which a separate instance processes texts: they
 * never wait behind a page that is being drawn.
 */
export function createDocumentTexts(url: URL): DocumentTexts {
  const texts = createDocumentWorkerClient(url, 'Document texts', maxMs)
  return {
    async differs(text) {
      if (text.returned.length <= shortChars) return returnedDiffers({ ...text, surplus: [] })
      return (await texts.ask({ ...text, type: 'differs' }, 'differs')).differs
    },
    async compare(left, right) {
      const few = left.length * right.length <= shortPairs
      if (few && charsOf(left) + charsOf(right) <= shortChars) return compareBlocks(left, right)
      return (await texts.ask({ type: 'compare', left, right }, 'changes')).changes
    },
    async readReply(text) {
      if (text.body.length <= shortReplyChars) return readReplyText(text)
      try {
        return (await texts.ask({ ...text, type: 'reply' }, 'reading')).reply
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (isDamaged(error))
          throw new AppError('MALFORMED_REPLY', error.message, { params: { reason: 'too-much' } })
        // The worker ended because of another request, or cannot be started: a response that was paid for is read anyway.
        return readReplyText(text)
      }
    },
    close: () => texts.close(),
  }
}

const isDamaged = ({ code }: AppError): boolean => code === 'DAMAGED_FILE'

const charsOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { content }) => sum + content.length, 0)
