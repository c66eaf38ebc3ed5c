import type { Box, DocumentFacts } from '../../../shared/model/document.ts'

/** A file a part was written to. Pages are those of the document, from 1, both ends included. */
export interface PartFile {
  readonly first: number
  readonly last: number
  readonly path: string
  readonly bytes: number
  /** What it is: a part of a PDF is a PDF, a page that was drawn may be a picture. */
  readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
}

/** What is done with files of documents beside the main thread. All throw AppError; a wrong or missing password is REFUSED with `params.password`. */
export interface DocumentWork {
  /** Looks at a file. A locked one without its password has the facts that can be told: `locked: 'user'`, no pages. */
  facts(path: string, password: string | null): Promise<DocumentFacts>
  /** Writes pages of a document into files in `folder`, none above `maxBytes`: more than one when they do not fit into one. */
  split(request: {
    readonly path: string
    readonly password: string | null
    readonly first: number
    readonly last: number
    readonly folder: string
    /** Begins the names of the files. */
    readonly name: string
    readonly maxBytes: number
    /** One page as a picture of itself, whatever it holds. */
    readonly raster: boolean
  }): Promise<readonly PartFile[]>
  /** Writes a picture that the service takes (PNG or JPEG within `maxBytes`) of one that it does not. */
  convert(request: {
    readonly path: string
    readonly to: string
    readonly maxBytes: number
  }): Promise<Pick<PartFile, 'bytes' | 'mime' | 'path'>>
  /** A page as a JPEG of this width. */
  picture(request: {
    readonly path: string
    readonly password: string | null
    readonly page: number
    readonly width: number
  }): Promise<Uint8Array>
  /** A stretch of a page as a PNG. */
  crop(request: {
    readonly path: string
    readonly password: string | null
    readonly page: number
    readonly box: Box
    readonly dpi: number
  }): Promise<Uint8Array>
  close(): Promise<void>
}
