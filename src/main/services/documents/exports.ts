import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ParsedOf } from '../../../shared/bridge/routes.ts'
import type { Media } from '../../../shared/model/library.ts'
import type { Ids, Log, WorkerUrl } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type {
  DocumentExportAnswer,
  DocumentExportRequest,
} from '../../exports/documents/document-export-worker.ts'
import { discard } from '../../../system/file-moves.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import { createWorkerClient } from '../../workers/client.ts'
import { fileName } from '../meetings/exports/exports.ts'
import { exportPages } from './export-pages.ts'
import { createExportImages } from './export-images.ts'
import { requestedPages } from './planning.ts'
import type { DocumentsService } from './types.ts'

/** Writes documents to files. */
export interface DocumentExports {
  /** Writes a saved file that housekeeping deletes a day later; an archive if there are several. Throws NOT_FOUND, CANCELLED. */
  write(request: Omit<ParsedOf<'documents.export'>, 'callId'>, signal?: AbortSignal): Promise<Media>
  close(): Promise<void>
}

export interface DocumentExportsDeps {
  readonly home: string
  readonly version: string
  readonly workerUrl: WorkerUrl
  readonly store: Pick<Store, 'documents' | 'media'>
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly documents: Pick<DocumentsService, 'crop'>
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
}

/** Formats that contain images. */
const pictured: ReadonlySet<string> = new Set(['md', 'html', 'docx'])

/** Creates the exports: pages are sent to a worker in batches, after the document worker has drawn their images. */
export function createDocumentExports(deps: DocumentExportsDeps): DocumentExports {
  const { store, files } = deps
  const worker = createWorkerClient<DocumentExportRequest, DocumentExportAnswer>({
    url: deps.workerUrl('exports'),
    name: 'Document exports',
  })
  const closing = new AbortController()
  const root = join(deps.home, 'exports')

  return {
    async write(
      { id, format, language, images, spans, pages, pageMarks, ...cropOptions },
      callerSignal,
    ) {
      const document = store.documents.get(id)
      if (!document) throw new AppError('NOT_FOUND', 'Document not found')
      const signal = AbortSignal.any([closing.signal, ...(callerSignal ? [callerSignal] : [])])
      const media = document.mediaId === null ? undefined : store.media.get(document.mediaId)
      const count = document.facts?.pages ?? 0
      const ranges = requestedPages(pages, count)
      const job = deps.ids()
      const folder = join(root, job)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        const wanted = images !== 'none' && pictured.has(format)
        const imagesOf = createExportImages(deps, { id, folder, cropOptions })
        const to = join(folder, 'written')
        const name = fileName(document.title, 'x').slice(0, -2)
        await worker.call({
          document: 'begin',
          job,
          file: {
            format,
            source: {
              title: document.title,
              name: document.name,
              mime: document.facts?.mime ?? null,
              sha256: media?.sha256 ?? null,
              pageCount: count,
              versions: document.versions,
              appVersion: deps.version,
              language,
            },
            options: { images, pageMarks, spans },
            to,
            name,
          },
        })
        for (const batch of exportPages(store, id, ranges)) {
          signal.throwIfAborted()
          const cut = wanted ? await imagesOf(batch, signal) : {}
          await worker.call({ document: 'pages', job, pages: batch, images: cut })
        }
        signal.throwIfAborted()
        const written = await worker.call({ document: 'end', job })
        if (!written) throw new AppError('INTERNAL', 'No output was written')
        signal.throwIfAborted()
        const { ending, bytes } = written
        const body = Readable.toWeb(createReadStream(to)) as ReadableStream<Uint8Array>
        return await files.intake(
          body,
          `${name}.${ending}`,
          bytes,
          signal,
          ending === 'html' ? 'ownPage' : 'received',
        )
      } catch (error) {
        await worker.call({ document: 'drop', job }).catch(() => undefined)
        throw error
      } finally {
        await discard(folder, deps.log)
      }
    },
    async close() {
      closing.abort()
      await worker.close()
    },
  }
}
