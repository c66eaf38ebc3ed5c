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
import type { DocumentWorker } from '../worker/work.ts'
import { placedImages } from '../exports/content/placeholders.ts'
import type {
  DocumentExportAnswer,
  DocumentExportRequest,
} from '../exports/document-export-worker.ts'
import {
  plainOptions,
  type DocumentFormat,
  type DocumentOptions,
  type ExportPage,
  type ExportVersion,
} from '../exports/document-export-types.ts'
import { highlightPages, withHighlights } from '../exports/highlight-pages.ts'
import { documentLabels } from '../exports/labels.ts'
import { printedPage } from '../../../platform/export-files/html-page.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import { createWorkerClient } from '../../../platform/workers/client.ts'
import { fileName } from '../../../platform/files/display-name.ts'
import { requestedPages } from './planning.ts'
import type { DocumentsService } from './document-service-types.ts'
import type { Context } from '../../../context.ts'

/** Writes documents to files: each is a saved file that housekeeping deletes a day later. */
export interface DocumentExports {
  /**
   * Writes the text of a document; an archive if there are several files. Throws NOT_FOUND, CANCELLED, and REFUSED as the
   * route says.
   */
  write(request: Omit<ParsedOf<'documents.export'>, 'callId'>, signal?: AbortSignal): Promise<Media>
  /**
   * Writes the highlights of a document, or a copy of its PDF with them. Throws NOT_FOUND, CANCELLED, FILE_MISSING, and
   * REFUSED as the route says.
   */
  writeHighlights(
    request: Omit<ParsedOf<'highlights.export'>, 'callId'>,
    signal?: AbortSignal,
  ): Promise<Media>
  close(): Promise<void>
}

interface DocumentExportsDeps extends Pick<
  Context,
  'home' | 'version' | 'workerUrl' | 'ids' | 'printPdf'
> {
  readonly store: Pick<Store, 'documents' | 'highlights' | 'media'>
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly documents: Pick<DocumentsService, 'crop'>
  readonly work: Pick<DocumentWorker, 'annotate'>
  readonly log: Pick<Log, 'warn'>
}

/** Formats that contain images. */
const pictured: ReadonlySet<string> = new Set(['md', 'html', 'pdf', 'docx'])

/** A document of the store. */
type ExportedDocument = NonNullable<ReturnType<Store['documents']['get']>>

/** A running export, with a folder of its own. */
interface ExportJob {
  readonly id: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** File of a document’s pages. */
interface PagesFile {
  readonly document: ExportedDocument
  /** `pdf` is the printed page of `html`. */
  readonly format: DocumentFormat | 'pdf'
  readonly language: ExportLanguage
  /** Name without extension. */
  readonly name: string
  readonly options: DocumentOptions
  readonly versions: readonly ExportVersion[]
}

/** Pages with the files of their images. */
interface PagesBatch {
  readonly pages: readonly ExportPage[]
  readonly images: Readonly<Record<string, string>>
}

/** Creates the exports: pages are sent to a worker in batches, after the document worker has drawn their images. */
export function createDocumentExports(deps: DocumentExportsDeps): DocumentExports {
  const { store, files } = deps
  const worker = createWorkerClient<DocumentExportRequest, DocumentExportAnswer>({
    url: deps.workerUrl('exports'),
    name: 'Document exports',
  })
  const closing = new AbortController()
  const root = join(deps.home, 'exports')

  const need = (id: string): ExportedDocument => {
    const document = store.documents.get(id)
    if (!document) throw new AppError('NOT_FOUND', 'Document not found')
    return document
  }
  /** Runs an export in a folder, which is deleted afterward. */
  const inFolder = async (
    callerSignal: AbortSignal | undefined,
    write: (job: ExportJob) => Promise<Media>,
  ): Promise<Media> => {
    const signal = AbortSignal.any([closing.signal, ...(callerSignal ? [callerSignal] : [])])
    const id = deps.ids()
    const folder = join(root, id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      return await write({ id, folder, signal })
    } finally {
      await discard(folder, deps.log)
    }
  }
  const save = (
    path: string,
    {
      name,
      ending,
      bytes,
    }: { readonly name: string; readonly ending: string; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<Media> => {
    signal.throwIfAborted()
    const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
    const origin = ending === 'html' ? 'ownPage' : 'received'
    return files.intake(body, `${name}.${ending}`, bytes, signal, origin)
  }
  const writePages = async (
    { id: job, folder, signal }: ExportJob,
    { document, format, language, name, options, versions }: PagesFile,
    batches: AsyncIterable<PagesBatch> | Iterable<PagesBatch>,
  ): Promise<Media> => {
    const media = document.mediaId === null ? undefined : store.media.get(document.mediaId)
    const to = join(folder, 'written')
    try {
      await worker.call({
        document: 'begin',
        job,
        file: {
          format: format === 'pdf' ? 'html' : format,
          source: {
            title: document.title,
            name: document.name,
            mime: document.facts?.mime ?? null,
            sha256: media?.sha256 ?? null,
            pageCount: document.facts?.pages ?? 0,
            versions,
            appVersion: deps.version,
            language,
          },
          options,
          to,
          name,
        },
      })
      for await (const { pages, images } of batches) {
        signal.throwIfAborted()
        await worker.call({ document: 'pages', job, pages, images })
      }
      signal.throwIfAborted()
      const written = await worker.call({ document: 'end', job })
      if (!written) throw new AppError('INTERNAL', 'No output was written')
      if (format === 'pdf') {
        const printed = join(folder, 'printed')
        const pdf = await printedPage(deps.printPdf, to)
        await writeFile(printed, pdf, { flag: 'wx', mode: 0o600 })
        return await save(printed, { name, ending: 'pdf', bytes: pdf.length }, signal)
      }
      return await save(to, { name, ...written }, signal)
    } catch (error) {
      await worker.call({ document: 'drop', job }).catch(() => undefined)
      throw error
    }
  }
  const nameOf = (title: string): string => fileName(title, 'x').slice(0, -2)

  return {
    async write(
      {
        id,
        format,
        language,
        images,
        spans,
        pages,
        pageMarks,
        details,
        highlights,
        ...cropOptions
      },
      callerSignal,
    ) {
      const document = need(id)
      if (!document.versions.some(({ counts }) => counts.returned > 0))
        throw new AppError('REFUSED', 'No page of the document has text', {
          params: { problem: 'notParsed' },
        })
      const ranges = requestedPages(pages, document.facts?.pages ?? 0)
      return inFolder(callerSignal, (job) => {
        const imagesOf = createExportImages(deps, { id, folder: job.folder, cropOptions })
        const wanted = images !== 'none' && pictured.has(format)
        const listed = highlights && pictured.has(format) ? store.highlights.ofDocument(id) : []
        const byPage = Map.groupBy(listed, ({ page }) => page)
        async function* batches(): AsyncGenerator<PagesBatch> {
          for (const batch of exportPages(store, id, ranges)) {
            job.signal.throwIfAborted()
            yield {
              pages: batch.map((page) =>
                withHighlights(page, byPage.get(page.page) ?? [], language),
              ),
              images: wanted ? await imagesOf(batch, job.signal) : {},
            }
          }
        }
        return writePages(
          job,
          {
            document,
            format,
            language,
            name: nameOf(document.title),
            options: { images, pageMarks, details, spans },
            versions: document.versions,
          },
          batches(),
        )
      })
    },
    async writeHighlights({ documentId, format, language }, callerSignal) {
      const document = need(documentId)
      const highlights = store.highlights.ofDocument(documentId)
      if (highlights.length === 0)
        throw new AppError('REFUSED', 'The document has no highlights', {
          params: { problem: 'noHighlights' },
        })
      const name = nameOf(`${document.title} – ${documentLabels[language].highlights}`)
      if (format !== 'pdf') {
        const options = { ...plainOptions, images: 'none' } as const
        const pages = highlightPages(highlights, language)
        const file = { document, format, language, name, options, versions: [] }
        return inFolder(callerSignal, (job) => writePages(job, file, [{ pages, images: {} }]))
      }
      if (document.facts?.mime !== 'application/pdf')
        throw new AppError('REFUSED', 'The document is no PDF', { params: { problem: 'notPdf' } })
      if (document.facts.locked !== 'no')
        throw new AppError('REFUSED', 'The PDF is encrypted', {
          params: { problem: 'encryptedPdf' },
        })
      if (document.mediaId === null)
        throw new AppError('FILE_MISSING', 'The original file no longer exists')
      const path = await files.path(document.mediaId)
      return inFolder(callerSignal, async ({ folder, signal }) => {
        const to = join(folder, 'written')
        const bytes = await deps.work.annotate({ path, to, highlights })
        return save(to, { name, ending: 'pdf', bytes }, signal)
      })
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
