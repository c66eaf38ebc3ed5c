import { engineNames } from '../../shared/service/engine-names.ts'
import type {
  PageOutcome,
  PageProgress,
  PageRequest,
  PageProblem,
  PageWorkerData,
} from './pages/messages.ts'
import type { OpenProcess } from '../../system/own-process/program.ts'
import { createEngineWorker } from './worker-client.ts'

/** A document as its content says. */
export type PageKind = 'pdf' | 'png' | 'jpeg'

/** One block of a page, in reading order. */
export interface PageBlock {
  /** The four labels of service-notes 12. */
  readonly label: 'text' | 'table' | 'formula' | 'image'
  /** The finer label: `doc_title`, `paragraph_title`, `text`, `list`, `table`, `image`, `header`, `footer`, `number`. */
  readonly nativeLabel: string
  /** Left, top, right, bottom in pixels of the page's raster. */
  readonly box: readonly [number, number, number, number]
  /** Markdown of a text (`## ` before headings, `- ` before items), HTML of a table, nothing for a picture. */
  readonly content: string
  /** PNG of the block, when crops were asked for. */
  readonly crop?: Uint8Array
}

/** One page that was read. */
export interface ReadPage {
  /** From 1. */
  readonly number: number
  /** Of the raster the boxes belong to, in pixels. */
  readonly width: number
  readonly height: number
  /** Where the words came from. */
  readonly source: 'text layer' | 'ocr' | 'nothing'
  /** The page itself is damaged: nothing of it could be read, and its size may be unknown (0). */
  readonly damaged?: true
  readonly blocks: readonly PageBlock[]
  /** JPEG of the page with its blocks drawn, when asked for. */
  readonly visualisation?: Uint8Array
}

/** What to read. */
export interface PageJob {
  /** The whole file; handed over to the worker. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly kind: PageKind
  /** From 1, inclusive; absent: all. */
  readonly from?: number
  readonly to?: number
  readonly crops?: boolean
  readonly visualise?: boolean
  readonly signal: AbortSignal
  /** Called with each page as it is read. */
  onPage?(page: ReadPage): void
}

/** A document that could not be read. */
export class PageFailure extends Error {
  readonly trouble:
    | 'damaged'
    | 'encrypted'
    | 'no-such-page'
    | 'engine-unavailable'
    | 'cancelled'
    | 'failed'

  constructor(trouble: PageFailure['trouble'], message: string) {
    super(message)
    this.name = 'PageFailure'
    this.trouble = trouble
  }
}

/** Words, blocks and boxes of PDF pages and pictures, in its own worker: the PDF's text layer, else OCR. */
export interface PageEngine {
  /** What answers say about who answered, in words for people. */
  readonly name: string
  /** Pages of the whole file. Throws {@link PageFailure}. */
  count(bytes: Uint8Array<ArrayBuffer>, kind: PageKind, signal: AbortSignal): Promise<number>
  /** Reads pages. Throws {@link PageFailure}. */
  read(job: PageJob): Promise<{ readonly pageCount: number; readonly pages: readonly ReadPage[] }>
  stop(): Promise<void>
}

/** What the engine needs from outside. */
export interface PageEngineDeps {
  readonly workerUrl: URL
  readonly modelsDir: string
  /** Milliseconds without any sign of the worker after which it is taken for dead and replaced. */
  readonly stallMs: number
  /** Milliseconds without work after which the worker ends. */
  readonly idleMs: number
  /** Begins a process for the reader alone; it runs in a thread of this one when absent. */
  readonly openProcess?: OpenProcess | undefined
  /** Bytes by which the process may grow while one document is read; absent: {@link defaultGrowth}. */
  readonly maxGrowth?: number
}

/** Models take a quarter, the largest page and its pictures about half of it. */
const defaultGrowth = 1.5e9

/** Of that, what a process of its own may take for any document, and for each of its bytes: a small one has no large pictures. */
const minGrowth = 900_000_000
const growthPerByte = 250

/** JavaScript values of the largest documents take a small part of it. */
export const pageHeapMegabytes = 1024

const tooHeavy = 'Its images need too much memory'

const name = engineNames.pages

/** Makes the engine; the worker starts with the first call and again after a crash. */
export function createPageEngine(deps: PageEngineDeps): PageEngine {
  const data: PageWorkerData = { modelsDir: deps.modelsDir }
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
    fail: (trouble, reason) => new PageFailure(trouble === 'busy' ? 'failed' : trouble, reason),
  })
  return {
    name,
    async count(bytes, kind, signal) {
      // A copy goes to the worker: the caller reads the same bytes afterwards.
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
