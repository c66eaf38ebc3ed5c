import type { BlockChange } from '../../shared/bridge/documents.ts'
import type { Block, Box, DocumentFacts } from '../../shared/model/document.ts'
import type { Failed } from '../audio/failed.ts'
import type { ReadBlock } from './reading/page-markdown.ts'
import type { ParsedReply, ReplyText } from './reading/reply.ts'

/** A file of a document, and what opens it. */
export interface DocumentFile {
  readonly path: string
  readonly password: string | null
}

/** Pages of a document that are written into files of their own; pages count from 1, both ends included. */
export interface SplitOrder extends DocumentFile {
  readonly first: number
  readonly last: number
  /** Where the files go; it is there. */
  readonly folder: string
  /** Begins the names of the files. */
  readonly name: string
  /** No file is larger. */
  readonly maxBytes: number
  /** Pages are drawn, whatever they hold. */
  readonly raster: boolean
}

/** How a page was drawn that could not be given as it is. */
export interface Drawn {
  readonly dpi: number
  /** Of the JPEG, 0 to 100. */
  readonly quality: number
}

/** One of the files that pages were written to. */
export interface DocumentPart {
  readonly first: number
  readonly last: number
  readonly path: string
  readonly bytes: number
  readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
  /** Null when the pages are what they were; else each is one picture of itself. */
  readonly drawn: Drawn | null
}

/** A picture in a form that the service takes, and what was done to get it there. A TIFF becomes a PDF: it can have many pages. */
export interface ConvertedImage {
  readonly path: string
  readonly bytes: number
  readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
  /** In pixels, upright; of a TIFF those of its first page, as stored. */
  readonly width: number
  readonly height: number
  /** What it was: `webp`, `gif`... */
  readonly from: string
  /** Share of its width and height that is left; 1 when all of it is. */
  readonly scale: number
  /** Of the JPEG, 0 to 100; null when nothing was lost. */
  readonly quality: number | null
}

/** Requests to the documents worker. */
export type DocumentRequest =
  | ({ readonly type: 'facts' } & DocumentFile)
  | ({ readonly type: 'split' } & SplitOrder)
  | {
      readonly type: 'convert'
      readonly path: string
      readonly to: string
      readonly maxBytes: number
    }
  | ({ readonly type: 'picture'; readonly page: number; readonly width: number } & DocumentFile)
  | ({
      readonly type: 'crop'
      readonly page: number
      readonly box: Box
      readonly dpi: number
    } & DocumentFile)
  /** Closes the file if it is still open: it is about to go. */
  | { readonly type: 'close'; readonly path: string }
  | TextRequest

/** A reply's text and the blocks of the pages that it holds. */
export interface ReturnedText {
  readonly returned: string
  readonly pages: readonly { readonly page: number; readonly blocks: readonly ReadBlock[] }[]
}

/** Requests that open no file: long texts are looked at where it holds up nobody. */
export type TextRequest =
  | ({ readonly type: 'differs' } & ReturnedText)
  | {
      readonly type: 'compare'
      readonly left: readonly Block[]
      readonly right: readonly Block[]
    }
  | ({ readonly type: 'reply' } & ReplyText)

/** Answers of the documents worker. */
export type DocumentAnswer =
  | { readonly type: 'facts'; readonly facts: DocumentFacts }
  | { readonly type: 'parts'; readonly parts: readonly DocumentPart[] }
  | { readonly type: 'converted'; readonly image: ConvertedImage }
  /** A JPEG (`picture`) or a PNG (`crop`). */
  | { readonly type: 'image'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'none' }
  | { readonly type: 'differs'; readonly differs: boolean }
  | { readonly type: 'changes'; readonly changes: readonly BlockChange[] }
  | { readonly type: 'reading'; readonly reply: ParsedReply }
  /** What went wrong, as an AppError of the other side. */
  | Failed
