import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { openPdf } from '../src/main/domains/documents/worker/pdf/library.ts'
import { splitPdf } from '../src/main/domains/documents/worker/pdf/split.ts'

/** Parameters of a subject: method, file, and pages per part. */
export interface SplitTask {
  readonly way: 'ours' | 'plain'
  readonly path: string
  readonly folder: string
  readonly pages: number
  readonly pagesOfPart: number
  readonly maxBytes: number
}

/** Measurements of one run. */
export interface SplitFigures {
  /** Time to open the file and write all parts. */
  readonly ms: number
  /** Size of the largest part; `sum` is the size of all parts. */
  readonly largest: number
  readonly sum: number
  readonly parts: number
  /** Number of parts whose pages differ from the original. */
  readonly drawn: number
  /** Peak resident memory of the process, in bytes. */
  readonly peak: number
}

type Written = { readonly bytes: number; readonly drawn: boolean }

/** Splits as the app does: each part is opened again and compared. */
async function ours(task: SplitTask): Promise<Written[]> {
  const { path, folder, maxBytes } = task
  const pdf = await openPdf(path, null)
  const written: Written[] = []
  for (let first = 1; first <= task.pages; first += task.pagesOfPart) {
    const last = Math.min(task.pages, first + task.pagesOfPart - 1)
    const order = {
      path,
      password: null,
      first,
      last,
      folder,
      name: 'ours',
      maxBytes,
      raster: false,
    }
    const parts = await splitPdf(pdf, order)
    written.push(...parts.map(({ bytes, drawn }) => ({ bytes, drawn: drawn !== null })))
  }
  await pdf.close()
  return written
}

/** Splits as the library does: pages are copied with everything they reference. */
async function plain(task: SplitTask): Promise<Written[]> {
  const source = await PDFDocument.load(await readFile(task.path))
  const written: Written[] = []
  for (let first = 1; first <= task.pages; first += task.pagesOfPart) {
    const count = Math.min(task.pagesOfPart, task.pages - first + 1)
    const part = await PDFDocument.create()
    const pages = await part.copyPages(
      source,
      Array.from({ length: count }, (_, i) => first - 1 + i),
    )
    for (const page of pages) part.addPage(page)
    const bytes = await part.save()
    await writeFile(join(task.folder, `plain-${first}.pdf`), bytes)
    written.push({ bytes: bytes.length, drawn: false })
  }
  return written
}

process.once('message', (message) => {
  const task = message as SplitTask
  void (async () => {
    const start = performance.now()
    const written = await (task.way === 'ours' ? ours(task) : plain(task))
    const figures: SplitFigures = {
      ms: performance.now() - start,
      largest: Math.max(...written.map(({ bytes }) => bytes)),
      sum: written.reduce((all, { bytes }) => all + bytes, 0),
      parts: written.length,
      drawn: written.filter(({ drawn }) => drawn).length,
      peak: process.resourceUsage().maxRSS * 1024,
    }
    process.send?.(figures, () => process.exit())
  })()
})
