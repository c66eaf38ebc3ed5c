import { PDFDocument, PDFName, type PDFRef } from '@cantoo/pdf-lib'
import { createCanvas } from '@napi-rs/canvas'
import { fork } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits } from '../src/shared/provider/limits.ts'
import type { SplitFigures, SplitTask } from './pdf-split-subject.ts'
import { against, alone } from './row.ts'
import type { Bench, Row } from './row.ts'

const pages = 400
const pagesOfPart = 24
const fileBytes = 112_000_000
const megabyte = 1_000_000

/** A JPEG of noise, of about the given size. */
async function noise(bytes: number): Promise<{ readonly jpeg: Uint8Array; readonly side: number }> {
  // Noise at this quality takes about two thirds of a byte per pixel.
  const side = Math.round(Math.sqrt(bytes / 0.65))
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  const pixels = context.createImageData(side, side)
  randomFillSync(pixels.data)
  for (let i = 3; i < pixels.data.length; i += 4) pixels.data[i] = 255
  context.putImageData(pixels, 0, 0)
  return { jpeg: await canvas.encode('jpeg', 80), side }
}

/** A scan as many scanners write it: one image per page, and one dictionary that lists all images for every page. */
async function sharedScan(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const { context } = document
  const xObjects: Record<string, PDFRef> = {}
  for (let i = 0; i < pages; i++) {
    const { jpeg, side } = await noise(fileBytes / pages)
    const image = { Type: 'XObject', Subtype: 'Image', Width: side, Height: side }
    const coded = { ColorSpace: 'DeviceRGB', BitsPerComponent: 8, Filter: 'DCTDecode' }
    xObjects[`Im${i}`] = context.register(context.stream(jpeg, { ...image, ...coded }))
  }
  const resources = context.register(context.obj({ XObject: xObjects }))
  for (let i = 0; i < pages; i++) {
    const page = document.addPage([595, 842]).node
    page.set(PDFName.Resources, resources)
    page.set(
      PDFName.Contents,
      context.register(context.flateStream(`q 595 0 0 842 0 0 cm /Im${i} Do Q`)),
    )
  }
  return document.save({ useObjectStreams: false })
}

/** Runs one method in a new process, so that memory starts clean. */
async function inFreshProcess(task: SplitTask): Promise<SplitFigures> {
  const child = fork(fileURLToPath(new URL('./pdf-split-subject.ts', import.meta.url)))
  const exit = once(child, 'exit')
  const answer = once(child, 'message')
  child.send(task)
  const figures = await Promise.race([
    answer.then(([message]) => message as SplitFigures),
    exit.then(([code]) => Promise.reject(new Error(`the subject ended with ${String(code)}`))),
  ])
  await exit
  return figures
}

function rowsOf(bytes: number, ours: SplitFigures, plain: SplitFigures): readonly Row[] {
  const size = `${Math.round(bytes / megabyte)} MB`
  const way = 'pdf-lib copyPages'
  return [
    alone({
      name: `${pages} pages with shared Resources, file`,
      figure: bytes / megabyte,
      unit: 'MB',
    }),
    alone({
      name: `${size} in parts of ${pagesOfPart} pages, count`,
      figure: ours.parts,
      unit: 'parts',
    }),
    alone({ name: 'parts that had to be rendered', figure: ours.drawn, unit: 'parts' }),
    against(
      { name: 'opened, split, each part opened again and compared', figure: ours.ms, unit: 'ms' },
      `${way}, without comparison`,
      plain.ms,
    ),
    against(
      { name: 'largest part', figure: ours.largest / megabyte, unit: 'MB' },
      way,
      plain.largest / megabyte,
    ),
    against(
      { name: 'largest part', figure: ours.largest / megabyte, unit: 'MB' },
      'limit of the provider',
      limits.layout.pdfBytes / megabyte,
    ),
    against(
      { name: 'all parts', figure: ours.sum / megabyte, unit: 'MB' },
      'the file',
      bytes / megabyte,
    ),
    against(
      { name: 'all parts', figure: ours.sum / megabyte, unit: 'MB' },
      way,
      plain.sum / megabyte,
    ),
    against(
      { name: 'peak memory', figure: ours.peak / megabyte, unit: 'MB' },
      way,
      plain.peak / megabyte,
    ),
  ]
}

/**
 * Splits a scan of 112 MB whose pages share one Resources dictionary into parts of 24 pages below 50 MB, compared with plain
 * copying.
 */
export const bench: Bench = {
  name: 'pdf-split',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-pdf-'))
    try {
      const path = join(folder, 'scan.pdf')
      const bytes = await sharedScan()
      writeFileSync(path, bytes)
      const figures = async (way: SplitTask['way']): Promise<SplitFigures> => {
        const parts = join(folder, way)
        mkdirSync(parts)
        const maxBytes = limits.layout.pdfBytes
        const task = { way, path, folder: parts, pages, pagesOfPart, maxBytes }
        const found = await inFreshProcess(task)
        rmSync(parts, { recursive: true })
        return found
      }
      return rowsOf(bytes.length, await figures('ours'), await figures('plain'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
