import type { BlockChange } from '../../../../shared/contract/documents.ts'
import type { Block, Box, DocumentFacts, PartPlan } from '../../../../shared/model/document.ts'
import type { Highlight } from '../../../../shared/model/highlight.ts'
import type { TextFormat } from '../../../../shared/documents/text-formats.ts'
import type { Failed } from '../../../platform/workers/failed.ts'
import type { ReadBlock } from './reading/page-markdown.ts'
import type { ParsedReply, ReplyRead, ReplyText } from './reading/reply.ts'

/** File of a document, and the password that opens it. */
export interface DocumentFile {
  readonly path: string
  readonly password: string | null
}

/** A file that contains its text, and the format that its name claims. */
export interface TextFile {
  readonly path: string
  readonly format: TextFormat
}

/** Pages of a document that are written into separate files; pages count from 1, both ends included. */
export interface SplitOrder extends DocumentFile {
  readonly first: number
  readonly last: number
  /** Existing folder for the files. */
  readonly folder: string
  /** Prefix of the file names. */
  readonly name: string
  /** Maximum size of a file. */
  readonly maxBytes: number
  /** Pages are rendered as images, whatever they contain. */
  readonly raster: boolean
}

/** Rendering parameters of a page that could not be copied unchanged. */
export interface Drawn {
  readonly dpi: number
  /** Quality of the JPEG, 0 to 100. */
  readonly quality: number
}

/** One of the files that pages were written to. */
export interface DocumentPart {
  readonly first: number
  readonly last: number
  readonly path: string
  readonly bytes: number
  readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
  /** Null when the pages are unchanged; otherwise each is one image of the page. */
  readonly drawn: Drawn | null
}

/**
 * An image in a format that the provider accepts, and how it was converted. A TIFF becomes a PDF: it can have many
 * pages.
 */
export interface ConvertedImage {
  readonly path: string
  readonly bytes: number
  readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
  /** In pixels, upright; of a TIFF those of its first page, as stored. */
  readonly width: number
  readonly height: number
  /** Original format: `webp`, `gif`... */
  readonly from: string
  /** Factor by which width and height were scaled; 1 when unchanged. */
  readonly scale: number
  /** Quality of the JPEG, 0 to 100; null when lossless. */
  readonly quality: number | null
}

/** Highlights that are written into a copy of a PDF. */
export interface AnnotationOrder {
  readonly path: string
  /** Path of the copy, which must not exist yet. */
  readonly to: string
  readonly highlights: readonly Highlight[]
}

/** Requests to the documents worker. */
export type DocumentRequest =
  | ({ readonly type: 'facts' } & DocumentFile)
  | ({ readonly type: 'text-facts' } & TextFile)
  | ({ readonly type: 'text-pages' } & TextFile & PartPlan)
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
  | ({ readonly type: 'annotate' } & AnnotationOrder)
  | TextRequest

/** Text of a response and the blocks of its pages. */
export interface ReturnedText {
  readonly returned: string
  readonly pages: readonly { readonly page: number; readonly blocks: readonly ReadBlock[] }[]
}

/** Requests that open no file: long texts are inspected in a worker, where they block nothing. */
export type TextRequest =
  | ({ readonly type: 'differs' } & ReturnedText)
  | {
      readonly type: 'compare'
      readonly left: readonly Block[]
      readonly right: readonly Block[]
    }
  | ({ readonly type: 'reply' } & ReplyText)

/** Replies of the documents worker. */
export type DocumentAnswer =
  | { readonly type: 'facts'; readonly facts: DocumentFacts }
  | { readonly type: 'parts'; readonly parts: readonly DocumentPart[] }
  | { readonly type: 'converted'; readonly image: ConvertedImage }
  /** A JPEG (`picture`) or a PNG (`crop`). */
  | { readonly type: 'image'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Size of the copy. */
  | { readonly type: 'annotated'; readonly bytes: number }
  | { readonly type: 'differs'; readonly differs: boolean }
  | { readonly type: 'changes'; readonly changes: readonly BlockChange[] }
  | { readonly type: 'reading'; readonly reply: ParsedReply }
  | { readonly type: 'text-pages'; readonly read: ReplyRead }
  /** Failure, as an AppError of the other side. */
  | Failed
