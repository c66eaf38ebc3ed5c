import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import type * as Pdfjs from 'pdfjs-dist'
import { pdfOptions } from '../../../../shared/document/pdf-options.ts'

/** The PDF library as it is loaded. */
export type PdfLibrary = typeof Pdfjs

/** An opened document; close it with `destroy`. */
export type PdfDocument = Pdfjs.PDFDocumentProxy

/** One of its pages. */
export type PdfPage = Pdfjs.PDFPageProxy

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** Loads the library with the first document: it takes half a second that pictures need not wait for. */
export const loadPdfLibrary = (): Promise<PdfLibrary> => import('pdfjs-dist/legacy/build/pdf.mjs')

/** Opens a document from its bytes, without network, code made from text, or fonts of this computer. */
export function openPdf(library: PdfLibrary, bytes: Uint8Array<ArrayBuffer>): Promise<PdfDocument> {
  const options = {
    data: bytes,
    ...pdfOptions(folder, sep),
    // Names of fonts tell which are bold.
    fontExtraProperties: true,
    // A picture of more pixels is left out: unpacked it takes four bytes for each. Letters scanned at 600 dots have 35 million.
    maxImageSize: 36_000_000,
  }
  return library.getDocument(options).promise
}
