import { createReadStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { PartPlan, Block, Box } from '../../../../shared/model/document.ts'
import type { Media } from '../../../../shared/model/library.ts'
import { discard } from '../../../../system/file-moves.ts'
import type { Log } from '../../../deps.ts'
import { imageAddresses } from '../worker/reading/image-links.ts'
import { AppError } from '../../../errors.ts'
import { placedImages } from '../exports/content/placeholders.ts'
import type {
  DocumentExportAnswer,
  DocumentExportRequest,
} from '../exports/document-export-worker.ts'
import type { ExportPage } from '../exports/document-export-types.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import { createWorkerClient } from '../../../platform/workers/client.ts'
import { fileName } from '../../../platform/files/display-name.ts'
import { requestedPages } from './planning.ts'
import type { DocumentsService } from './document-service-types.ts'
import type { Context } from '../../../context.ts'

/** Writes documents to files. */
export interface DocumentExports {
  /** Writes a saved file that housekeeping deletes a day later; an archive if there are several. Throws NOT_FOUND, CANCELLED. */
  write(request: Omit<ParsedOf<'documents.export'>, 'callId'>, signal?: AbortSignal): Promise<Media>
  close(): Promise<void>
}

interface DocumentExportsDeps extends Pick<Context, 'home' | 'version' | 'workerUrl' | 'ids'> {
  readonly store: Pick<Store, 'documents' | 'media'>
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly documents: Pick<DocumentsService, 'crop'>
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

/** Number of pages read, drawn and sent to the writer at once: limits the memory for a long document. */
const pagesAtOnce = 20

/** Yields the current pages of these ranges, in batches. */
function* exportPages(
  store: Pick<Store, 'documents'>,
  id: string,
  ranges: readonly PartPlan[],
): Generator<readonly ExportPage[]> {
  const documents = store.documents
  const numbers = new Map(documents.versions(id).map((one) => [one.id, one.number]))
  const sizes = documents.get(id)?.facts?.sizes ?? []
  for (const range of ranges)
    for (let first = range.first; first <= range.last; first += pagesAtOnce) {
      const span = { first, last: Math.min(range.last, first + pagesAtOnce - 1) }
      const blocks = Map.groupBy(documents.blocks(id, span), ({ page }) => page)
      yield documents.pages(id, span).map(({ page, state, raster, error, versionId }) => ({
        page,
        state,
        raster,
        error,
        size: sizes[page - 1] ?? null,
        version: versionId === null ? null : (numbers.get(versionId) ?? null),
        blocks: blocks.get(page) ?? [],
      }))
    }
}

interface ExportImagesDeps {
  readonly store: Pick<Store, 'documents'>
  readonly files: Pick<MediaFiles, 'path'>
  readonly documents: Pick<DocumentsService, 'crop'>
}

/** Parameters for cropping images out of their pages. */
interface CropOptions {
  readonly dpi: number
  /** Margin beyond the edges, as a fraction of the page. */
  readonly margin: number
}

/** Returns the files of the images of some pages by their keys. */
type ExportImages = (
  pages: readonly ExportPage[],
  signal: AbortSignal,
) => Promise<Record<string, string>>

/**
 * Crops the figures and the images of other blocks out of their pages; uses remote images only if they are saved. An
 * image that is not available is omitted, its text is not. Crops are files in `folder`, which must exist.
 */
function createExportImages(
  deps: ExportImagesDeps,
  {
    id,
    folder,
    cropOptions,
  }: { readonly id: string; readonly folder: string; readonly cropOptions: CropOptions },
): ExportImages {
  const savedImages = new Map(
    deps.store.documents.remoteImages(id).map(({ address, mediaId }) => [address, mediaId]),
  )
  let crops = 0

  const cut = async (blockId: string, box?: Box): Promise<string | null> => {
    const png = await deps.documents.crop({ id, blockId, ...cropOptions, box }).catch(() => null)
    if (!png) return null
    crops += 1
    const path = join(folder, `${crops}.png`)
    await writeFile(path, png, { mode: 0o600 })
    return path
  }
  const remote = async (address: string): Promise<string | null> => {
    const mediaId = savedImages.get(address) ?? null
    return mediaId === null ? null : deps.files.path(mediaId).catch(() => null)
  }
  return async (pages, signal) => {
    const files: Record<string, string> = {}
    const put = (key: string, path: string | null): void => {
      if (path !== null) files[key] = path
    }
    for (const { blocks } of pages) {
      const figures = blocks.filter(({ kind }) => kind === 'figure')
      const scale = scaleOf(blocks)
      for (const block of blocks) {
        signal.throwIfAborted()
        const text = block.edited ?? block.content
        const addresses = imageAddresses([{ kind: block.kind, content: text }])
        if (block.kind === 'figure')
          put(block.id, (block.box && (await cut(block.id))) ?? (await remote(addresses[0] ?? '')))
        else for (const address of addresses) put(address, await remote(address))
        for (const { key, numbers } of placedImages(text, block, figures)) {
          const box = boxOf(numbers, scale)
          if (box && !Object.hasOwn(files, key)) put(key, await cut(block.id, box))
        }
      }
    }
    return files
  }
}

/** Derives the page fraction per unit of the response from its blocks; null where none shows it. */
function scaleOf(blocks: readonly Block[]): readonly [x: number, y: number] | null {
  const sizes = blocks.flatMap(({ box, raw }) =>
    box && raw && raw[2] > 0 && raw[3] > 0 && box[2] < 1 && box[3] < 1 ? [{ box, raw }] : [],
  )
  // The block farthest from the origin is the most exact.
  const [last] = sizes.toSorted((a, b) => b.raw[2] * b.raw[3] - a.raw[2] * a.raw[3])
  return last ? [last.box[2] / last.raw[2], last.box[3] / last.raw[3]] : null
}

function boxOf(
  numbers: readonly number[],
  scale: readonly [x: number, y: number] | null,
): Box | null {
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers
  const fractions = numbers.every((number) => number >= 0 && number <= 1)
  const [x, y] = fractions ? [1, 1] : (scale ?? [0, 0])
  const within = (number: number): number => Math.min(1, Math.max(0, number))
  const box: Box = [within(left * x), within(top * y), within(right * x), within(bottom * y)]
  return box[2] > box[0] && box[3] > box[1] ? box : null
}
