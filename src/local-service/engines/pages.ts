import { engineNames } from '../../shared/provider/engine-names.ts'
import type {
  PageOutcome,
  PageProgress,
  PageRequest,
  PageProblem,
  PageKind,
  ReadPage,
} from './pages/messages.ts'
import type { OpenProcess } from '../../system/own-process/program.ts'
import { createEngineWorker, type EngineDeps } from './worker-client.ts'
import { EngineFailure, type EngineWorkerData } from './worker-messages.ts'

interface PageJob {
  /** The whole file; transferred to the worker. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly kind: PageKind
  /** Inclusive, starting at 1; absent: all pages. */
  readonly from?: number
  readonly to?: number
  readonly crops?: boolean
  readonly visualise?: boolean
  readonly signal: AbortSignal
  /** Called for each page after it was read. */
  onPage?(page: ReadPage): void
}

/** Failure to read a document. */
export class PageFailure extends EngineFailure<PageProblem> {}

/**
 * Engine that extracts text, blocks and boxes from PDF pages and images in its own worker: from the PDF text layer,
 * otherwise by OCR.
 */
export interface PageEngine {
  /** Engine name in responses, for people. */
  readonly name: string
  /** Returns the number of pages of the whole file. Throws {@link PageFailure}. */
  count(bytes: Uint8Array<ArrayBuffer>, kind: PageKind, signal: AbortSignal): Promise<number>
  /** Reads pages. Throws {@link PageFailure}. */
  read(job: PageJob): Promise<{ readonly pageCount: number; readonly pages: readonly ReadPage[] }>
  stop(): Promise<void>
}

export interface PageEngineDeps extends EngineDeps {
  /** Starts a separate process for the page worker; absent: it runs in a thread of this process. */
  readonly openProcess?: OpenProcess | undefined
  /**
   * Maximum memory growth of the process in bytes while one document is read; defaults to {@link defaultGrowth}.
   */
  readonly maxGrowth?: number
}

/** The models take a quarter of it; the largest page and its images take about half. */
const defaultGrowth = 1.5e9

/**
 * Share of a separate process: a fixed amount per document plus an amount per byte, because a small document has no
 * large images.
 */
const minGrowth = 900_000_000
const growthPerByte = 250

/** JavaScript values of the largest documents need only a small part of it. */
export const pageHeapMegabytes = 1024

const tooHeavy = 'The images need too much memory'

const name = engineNames.pages

/** Creates the engine; the worker starts with the first call and restarts after a crash. */
export function createPageEngine(deps: PageEngineDeps): PageEngine {
  const data: EngineWorkerData = { modelsDir: deps.modelsDir }
  const growthLimit = deps.maxGrowth ?? defaultGrowth
  const growthFor = ({ length }: Uint8Array): number =>
    Math.min(growthLimit, minGrowth + growthPerByte * length)
  const worker = createEngineWorker<PageRequest, PageProgress, PageOutcome, PageProblem>({
    ...deps,
    data,
    jobs: 'documents',
    memory: {
      maxGrowth: growthLimit,
      heapMegabytes: pageHeapMegabytes,
      trouble: 'damaged',
      reason: tooHeavy,
    },
    fail: (trouble, reason) => new PageFailure(trouble, reason),
  })
  return {
    name,
    async count(bytes, kind, signal) {
      // The worker gets a copy, because the caller still needs the bytes.
      const maxGrowth = growthFor(bytes)
      return (await worker.run({ work: 'count', bytes, kind }, { signal, maxGrowth })).pageCount
    },
    async read({ bytes, kind, from, to, crops = false, visualise = false, signal, onPage }) {
      const pages: ReadPage[] = []
      const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      const request: PageRequest = { work: 'read', bytes, kind, crops, visualise, ...range }
      const onProgress = (progress: PageProgress): void => {
        if (progress === 'working') return
        pages.push(progress.page)
        onPage?.(progress.page)
      }
      const transfer = [bytes.buffer]
      const how = { signal, transfer, onProgress, maxGrowth: growthFor(bytes) }
      const { pageCount } = await worker.run(request, how)
      return { pageCount, pages }
    },
    stop: () => worker.stop(),
  }
}
