import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type {
  PageBlock,
  PageKind,
  ReadPage,
  PageOutcome,
  PageProgress,
  PageRequest,
  PageProblem,
} from '../engines/pages/messages.ts'
import { loadTextReader } from '../engines/pages/ocr/reader.ts'
import { openPdfSource } from '../engines/pages/pdf-source.ts'
import { openImage } from '../engines/pages/image-source.ts'
import { readPage, type Memory } from '../engines/pages/read.ts'
import type { PageSource } from '../engines/pages/source.ts'
import { TextFileProblem, type TextBlock } from '../../system/text-files/blocks.ts'
import { readTextFile } from '../../system/text-files/read-text-file.ts'
import type { OfficeKind } from '../../shared/knowledge/slicing/types.ts'
import type { EngineWorkerData } from '../engines/worker-messages.ts'
import { JobProblem, modelLoader, serveJobs, type JobScope } from '../engines/worker-port.ts'

// With damaged files, pdf.js leaves promise rejections unhandled. The job already has its result, and the next job needs the
// worker.
process.on('unhandledRejection', () => {})

type ReadRequest = Extract<PageRequest, { work: 'read' }>

const open = (
  bytes: Uint8Array<ArrayBuffer>,
  kind: Exclude<PageKind, OfficeKind>,
): Promise<PageSource> => (kind === 'pdf' ? openPdfSource(bytes) : openImage(bytes, kind))

/** Returns the requested page range. Throws `no-such-page`. */
function range(request: ReadRequest, pageCount: number): readonly [from: number, to: number] {
  const { from = 1, to = pageCount } = request
  if (from < 1 || to < from || to > pageCount)
    throw new JobProblem<PageProblem>(
      'no-such-page',
      `Pages ${from} to ${to} were requested, but the document has ${pageCount}`,
    )
  return [from, to]
}

/**
 * Returns the result for a page that fails on its own. Errors of the engine or the caller end the whole document.
 */
function damagedPage(number: number, error: unknown): ReadPage {
  if (error instanceof JobProblem && error.trouble !== 'damaged') throw error
  return { number, width: 0, height: 0, source: 'nothing', blocks: [], damaged: true }
}

/** Reads an office file: its sections are pages without boxes. */
async function readOffice(
  { bytes, work }: PageRequest,
  kind: OfficeKind,
  scope: JobScope<PageProgress>,
): Promise<PageOutcome> {
  const sections = await readTextFile(bytes, kind).catch((error: unknown) => {
    if (!(error instanceof TextFileProblem)) throw error
    throw new JobProblem<PageProblem>(
      error.trouble === 'protected' ? 'encrypted' : 'damaged',
      error.message,
    )
  })
  const pageCount = sections.length
  if (work === 'count') return { pageCount }
  for (const [at, { title, blocks }] of sections.entries()) {
    await scope.step()
    scope.progress({
      page: {
        number: at + 1,
        width: 0,
        height: 0,
        source: 'text layer',
        title,
        blocks: blocks.map(toPageBlock),
      },
    })
  }
  return { pageCount }
}

const toPageBlock = ({ kind, content, continued }: TextBlock): PageBlock => ({
  label: kind === 'table' ? 'table' : 'text',
  nativeLabel: kind === 'title' ? 'paragraph_title' : kind,
  box: [0, 0, 0, 0],
  content,
  ...(continued && { continued }),
})

function createWork({ modelsDir }: EngineWorkerData) {
  const reader = modelLoader(
    () => loadTextReader(join(modelsDir, 'pp-ocrv4')),
    'Text in images can’t be recognized: the models are missing or can’t be loaded. Run `npm run setup` to get them.',
  )

  return async (request: PageRequest, scope: JobScope<PageProgress>): Promise<PageOutcome> => {
    const { bytes, kind } = request
    if (kind !== 'pdf' && kind !== 'png' && kind !== 'jpeg') return readOffice(request, kind, scope)
    const source = await open(bytes, kind)
    try {
      const { pageCount } = source
      if (request.work === 'count') return { pageCount }
      const [from, to] = range(request, pageCount)
      const step = (): Promise<void> => {
        scope.progress('working')
        return scope.step()
      }
      const { crops, visualise } = request
      const memory: Memory = new Map()
      const options = { crops, visualise, reader, step }
      let readable = false
      for (let number = from; number <= to; number++) {
        await step()
        const page = await readPage(source, number, memory, options).catch((error: unknown) =>
          damagedPage(number, error),
        )
        readable ||= !page.damaged
        scope.progress({ page })
      }
      if (!readable)
        throw new JobProblem<PageProblem>('damaged', 'None of the requested pages can be read')
      return { pageCount }
    } finally {
      await source.close()
    }
  }
}

if (parentPort) serveJobs(parentPort, createWork(workerData as EngineWorkerData))
