import { createCanvas } from '@napi-rs/canvas'
import { PDFDict, PDFDocument, PDFName, type PDFObject, type PDFRef } from '@cantoo/pdf-lib'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removal } from '../../../../../../src/system/file-moves.ts'
import { onDrawnPage } from '../../../../../../src/main/domains/documents/worker/pdf/canvas.ts'
import { pageOf, readPdf } from '../../../../../../src/main/domains/documents/worker/pdf/library.ts'

/** Creates a folder for the test; `remove` deletes it with its content. */
export function tempFolder(): {
  readonly path: string
  file(name: string, bytes: Uint8Array): string
  remove(): void
} {
  const path = mkdtempSync(join(tmpdir(), 'lectern-documents-'))
  return {
    path,
    file(name, bytes) {
      const to = join(path, name)
      writeFileSync(to, bytes)
      return to
    },
    remove: () => rmSync(path, removal),
  }
}

/** Returns an incompressible JPEG; the same seed gives the same image. */
export async function noisyJpeg(side: number, seed: number): Promise<Uint8Array> {
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  const pixels = context.createImageData(side, side)
  let state = seed * 2_654_435_761 + 1
  for (let i = 0; i < pixels.data.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    pixels.data[i] = i % 4 === 3 ? 255 : state >>> 24
  }
  context.putImageData(pixels, 0, 0)
  return canvas.encode('jpeg', 80)
}

/** Builds a PDF object by object. */
export interface Builder {
  readonly document: PDFDocument
  /** Registers a dictionary or array. */
  add(value: unknown): PDFRef
  stream(content: string | Uint8Array, dict?: Record<string, unknown>): PDFRef
  jpeg(bytes: Uint8Array, side: number): PDFRef
  font(): PDFRef
  /** Adds a page with these entries; its `Contents` are created from `content`. */
  page(content: string | readonly PDFRef[], entries?: Record<string, unknown>): PDFDict
  /** Sets entries of the page tree root, which all pages inherit. */
  inherit(entries: Record<string, unknown>): void
  bytes(options?: { readonly objectStreams?: boolean }): Promise<Uint8Array>
}

type Literal = Parameters<PDFDocument['context']['obj']>[0]

/** Begins a PDF. */
export async function buildPdf(): Promise<Builder> {
  const document = await PDFDocument.create()
  const { context } = document
  const obj = (value: unknown): PDFObject => context.obj(value as Literal)
  const add = (value: unknown): PDFRef => context.register(obj(value))
  const stream = (content: string | Uint8Array, dict: Record<string, unknown> = {}): PDFRef =>
    context.register(context.flateStream(content, dict as Record<string, PDFObject>))
  const root = document.catalog.Pages()
  return {
    document,
    add,
    stream,
    jpeg: (bytes, side) =>
      context.register(
        context.stream(bytes, {
          Type: 'XObject',
          Subtype: 'Image',
          Width: side,
          Height: side,
          ColorSpace: 'DeviceRGB',
          BitsPerComponent: 8,
          Filter: 'DCTDecode',
        }),
      ),
    font: () => add({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }),
    page(content, entries = {}) {
      const page = document.addPage([300, 400]).node
      page.delete(PDFName.Resources)
      page.set(
        PDFName.Contents,
        typeof content === 'string' ? stream(content) : context.obj([...content]),
      )
      for (const [key, value] of Object.entries(entries)) page.set(PDFName.of(key), obj(value))
      return page
    },
    inherit(entries) {
      for (const [key, value] of Object.entries(entries)) root.set(PDFName.of(key), obj(value))
    },
    bytes: ({ objectStreams = true } = {}) =>
      document.save({ useObjectStreams: objectStreams, addDefaultPage: false }),
  }
}

/** Creates pages with one shared Resources dictionary, each with its own image and a line of text. */
export async function sharedPdf(pages: number, side = 160): Promise<Builder> {
  const pdf = await buildPdf()
  const images: Record<string, PDFRef> = {}
  for (let i = 0; i < pages; i++) images[`Im${i}`] = pdf.jpeg(await noisyJpeg(side, i), side)
  const resources = pdf.add({ XObject: images, Font: { F1: pdf.font() } })
  for (let i = 0; i < pages; i++)
    pdf.page(`q 200 0 0 200 50 50 cm /Im${i} Do Q ${line(`Page ${i + 1} of them`)}`)
  pdf.inherit({ Resources: resources })
  return pdf
}

/** Returns a line of text in font F1. */
export const line = (text: string, x = 40, y = 350): string =>
  `BT /F1 14 Tf ${x} ${y} Td (${text}) Tj ET\n`

/** A page as a PDF reader displays it: its text, its size and its pixels. */
export interface Seen {
  readonly text: string
  readonly width: number
  readonly height: number
  readonly pixels: Buffer
}

/** Reads pages of a file. */
export async function seen(
  path: string,
  pages: readonly number[],
  password: string | null = null,
): Promise<Seen[]> {
  const pdf = await readPdf(path, password)
  try {
    const found: Seen[] = []
    for (const number of pages) {
      const page = await pageOf(pdf.document, number)
      const { width, height } = page.getViewport({ scale: 1 })
      const { items } = await page.getTextContent()
      const text = items.map((item) => ('str' in item ? item.str : '')).join('|')
      const pixels = await onDrawnPage(page, 1, null, async (canvas) =>
        Buffer.from(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data),
      )
      found.push({ text, width, height, pixels })
    }
    return found
  } finally {
    await pdf.close()
  }
}

/** Returns the keys of a category of a page's Resources in a written file. */
export async function namesIn(
  bytes: Uint8Array,
  page: number,
  category: string,
): Promise<string[]> {
  const document = await PDFDocument.load(bytes)
  const resources = document.getPage(page - 1).node.Resources()
  const held = resources?.lookup(PDFName.of(category))
  return held instanceof PDFDict ? held.keys().map((key) => key.toString().slice(1)) : []
}
