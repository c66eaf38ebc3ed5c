import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import type * as Pdfjs from 'pdfjs-dist'
import { pdfOptions } from '../../../../shared/documents/pdf-options.ts'

export type PdfLibrary = typeof Pdfjs

/** Open document; close it with `destroy`. */
export type PdfDocument = Pdfjs.PDFDocumentProxy

export type PdfPage = Pdfjs.PDFPageProxy

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** Loads the library on first use: it takes half a second, which images need not wait for. */
export const loadPdfLibrary = (): Promise<PdfLibrary> => import('pdfjs-dist/legacy/build/pdf.mjs')

/** Opens a document from its bytes, without network access, generated code, or system fonts. */
export function openPdf(library: PdfLibrary, bytes: Uint8Array<ArrayBuffer>): Promise<PdfDocument> {
  const options = {
    data: bytes,
    ...pdfOptions(folder, sep),
    // Font names show which fonts are bold.
    fontExtraProperties: true,
    // Images with more pixels are skipped: unpacked, each pixel takes four bytes. A letter-size page scanned at 600
    // dpi has 35 million.
    maxImageSize: 36_000_000,
  }
  return library.getDocument(options).promise
}
