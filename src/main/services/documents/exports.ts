import { createReadStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ParsedOf } from '../../../shared/bridge/routes.ts'
import type { Media } from '../../../shared/model/library.ts'
import type { Ids, WorkerUrl } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { DocumentExportRequest, OneFile } from '../../exports/documents/one-file.ts'
import type { ExportPage } from '../../exports/documents/types.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import { createWorkerClient } from '../../workers/client.ts'
import { fileName } from '../meetings/exports/exports.ts'
import type { DocumentsService } from './types.ts'

/** Writes documents into files. */
export interface DocumentExports {
  /** A kept file that housekeeping sweeps a day later; an archive where it is several. Throws NOT_FOUND, CANCELLED. */
  write(request: Omit<ParsedOf<'documents.export'>, 'callId'>, signal?: AbortSignal): Promise<Media>
  close(): Promise<void>
}

/** What exports are built from. */
export interface DocumentExportsDeps {
  readonly home: string
  readonly version: string
  readonly workerUrl: WorkerUrl
  readonly store: Pick<Store, 'documents' | 'media'>
  readonly files: Pick<MediaFiles, 'intake'>
  readonly documents: Pick<DocumentsService, 'crop'>
  readonly ids: Ids
}

/** Pages read at once: the main thread has a breath between. */
const pagesAtOnce = 50

/** Formats that hold pictures. */
const pictured: ReadonlySet<string> = new Set(['md', 'html', 'docx'])

/** Builds exports: pages are gathered in steps, crops are drawn by the worker of documents, a worker of its own writes. */
export function createDocumentExports(deps: DocumentExportsDeps): DocumentExports {
  const { store, files } = deps
  const worker = createWorkerClient<DocumentExportRequest, OneFile>({
    url: deps.workerUrl('exports'),
    name: 'Document exports',
  })
  const closing = new AbortController()
  const root = join(deps.home, 'exports')

  async function pagesOf(id: string, count: number, signal: AbortSignal): Promise<ExportPage[]> {
    const numbers = new Map(store.documents.versions(id).map((one) => [one.id, one.number]))
    const sizes = store.documents.get(id)?.facts?.sizes ?? []
    const pages: ExportPage[] = []
    for (let first = 1; first <= count; first += pagesAtOnce) {
      signal.throwIfAborted()
      const span = { first, last: Math.min(count, first + pagesAtOnce - 1) }
      const blocks = Map.groupBy(store.documents.blocks(id, span), ({ page }) => page)
      for (const { page, state, raster, error, versionId } of store.documents.pages(id, span))
        pages.push({
          page,
          state,
          raster,
          error,
          size: sizes[page - 1] ?? null,
          version: versionId === null ? null : (numbers.get(versionId) ?? null),
          blocks: blocks.get(page) ?? [],
        })
      await new Promise((resolve) => setImmediate(resolve))
    }
    return pages
  }
  /** Cuts out every figure; one that cannot be cut is left out, the text is not. */
  async function cropsOf(
    id: string,
    pages: readonly ExportPage[],
    folder: string,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    const crops: Record<string, string> = {}
    const figures = pages.flatMap(({ blocks }) =>
      blocks.filter(({ kind, box }) => kind === 'figure' && box !== null),
    )
    for (const [at, { id: blockId }] of figures.entries()) {
      signal.throwIfAborted()
      const png = await deps.documents.crop({ id, blockId }).catch(() => null)
      if (!png) continue
      const path = join(folder, `${at}.png`)
      await writeFile(path, png, { mode: 0o600 })
      crops[blockId] = path
    }
    return crops
  }

  return {
    async write({ id, format, language, pictures, spans }, asked) {
      const document = store.documents.get(id)
      if (!document) throw new AppError('NOT_FOUND', 'There is no such document')
      const signal = AbortSignal.any([closing.signal, ...(asked ? [asked] : [])])
      const media = document.mediaId === null ? undefined : store.media.get(document.mediaId)
      const count = document.facts?.pages ?? 0
      const folder = join(root, deps.ids())
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        const pages = await pagesOf(id, count, signal)
        const wanted = pictures !== 'none' && pictured.has(format)
        const to = join(folder, 'written')
        const name = fileName(document.title, 'x').slice(0, -2)
        const { ending, bytes } = await worker.call({
          format,
          document: {
            title: document.title,
            name: document.name,
            mime: document.facts?.mime ?? null,
            sha256: media?.sha256 ?? null,
            pageCount: count,
            versions: document.versions,
            pages,
            appVersion: deps.version,
            language,
          },
          options: { pictures, pageMarks: false, spans },
          pictures: wanted ? await cropsOf(id, pages, folder, signal) : {},
          to,
          name,
        })
        signal.throwIfAborted()
        const body = Readable.toWeb(createReadStream(to)) as ReadableStream<Uint8Array>
        return await files.intake(body, `${name}.${ending}`, bytes, signal)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async close() {
      closing.abort()
      await worker.close()
    },
  }
}
