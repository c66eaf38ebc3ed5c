import { writeOneFile, type OneFile, type OneFileRequest } from './one-file.ts'
import type { ExportPage, ExportSource } from './document-export-types.ts'

/**
 * Request to the export worker for a document. Its pages are sent in batches, so that a long one is never in memory as a
 * whole.
 */
export type DocumentExportRequest =
  | {
      readonly document: 'begin'
      /** ID of the export in later requests. */
      readonly job: string
      readonly file: Omit<OneFileRequest, 'source' | 'images'> & {
        readonly source: Omit<ExportSource, 'pages'>
      }
    }
  | {
      readonly document: 'pages'
      readonly job: string
      readonly pages: readonly ExportPage[]
      /** Image files by key: block ID, placeholder key or URL of a remote image. They must exist until `end`. */
      readonly images: Readonly<Record<string, string>>
    }
  | { readonly document: 'end' | 'drop'; readonly job: string }

/** The file in response to `end`, null in response to every other request. */
export type DocumentExportAnswer = OneFile | null

interface Job {
  readonly queue: PageQueue
  readonly images: Map<string, string>
  readonly writing: Promise<OneFile>
}

/** Writes documents whose pages arrive in batches; `pages` is answered once they are written. */
export function createDocumentExportWorker(): {
  answer(request: DocumentExportRequest): Promise<DocumentExportAnswer>
} {
  const jobs = new Map<string, Job>()
  const begin = (job: string, file: Extract<DocumentExportRequest, { file: unknown }>['file']) => {
    const queue = createPageQueue()
    const images = new Map<string, string>()
    const writing = writeOneFile({
      ...file,
      source: { ...file.source, pages: queue.pages },
      images: async (key) => {
        const path = images.get(key)
        return path === undefined ? null : { path }
      },
    })
    // Errors are reported by the `pages` and `end` requests.
    writing.catch(() => undefined)
    jobs.set(job, { queue, images, writing })
  }

  return {
    async answer(request) {
      if (request.document === 'begin') {
        begin(request.job, request.file)
        return null
      }
      const job = jobs.get(request.job)
      if (request.document === 'drop') {
        jobs.delete(request.job)
        job?.queue.fail(new Error('The export was canceled'))
        await job?.writing.catch(() => undefined)
        return null
      }
      if (!job) throw new Error('The export was not started')
      const { queue, images, writing } = job
      if (request.document === 'pages') {
        for (const [key, path] of Object.entries(request.images)) images.set(key, path)
        await Promise.race([queue.add(request.pages), writing])
        return null
      }
      jobs.delete(request.job)
      queue.end()
      return writing
    },
  }
}

/** Queue between a producer that adds pages in batches and a consumer that reads them one by one. */
interface PageQueue {
  /** Can be iterated once. */
  readonly pages: AsyncIterable<ExportPage>
  /** Resolves once all of them are consumed and the next is requested. */
  add(pages: readonly ExportPage[]): Promise<void>
  /** Marks the end of the pages. */
  end(): void
  /** Makes the consumer receive this error instead of the next page. */
  fail(error: Error): void
}

/** Creates a queue that buffers only the batch added last. */
function createPageQueue(): PageQueue {
  let held: readonly ExportPage[] = []
  let over: { readonly error: Error | null } | null = null
  let hungry = Promise.withResolvers<void>()
  let fed = Promise.withResolvers<void>()

  async function* take(): AsyncGenerator<ExportPage> {
    for (;;) {
      const batch = held
      held = []
      for (const page of batch) {
        if (over?.error) throw over.error
        yield page
      }
      if (over?.error) throw over.error
      if (over) return
      hungry.resolve()
      await fed.promise
      fed = Promise.withResolvers()
    }
  }
  const finish = (error: Error | null): void => {
    over ??= { error }
    fed.resolve()
  }
  return {
    pages: take(),
    async add(pages) {
      await hungry.promise
      hungry = Promise.withResolvers()
      held = pages
      fed.resolve()
      await hungry.promise
    },
    end: () => finish(null),
    fail: finish,
  }
}
