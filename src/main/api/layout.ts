import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { FormFile } from './multipart.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** One block as the reply gives it: no reading of its coordinates yet (service-notes 12). */
export interface LayoutBlock {
  readonly index: number
  /** `text`, `table`, `formula`, `image`, or what else came. */
  readonly label: string
  /** A finer label some hosts add. */
  readonly nativeLabel: string | null
  /** Four numbers as sent, nested forms unpacked; null when the block has no box. */
  readonly bbox: readonly [number, number, number, number] | null
  /** Text, HTML of a table, LaTeX of a formula, address of a picture. */
  readonly content: string
  /** Of the page raster the box belongs to, where told. */
  readonly width: number | null
  readonly height: number | null
}

/** A parsed document (spec 4.18). */
export interface ParsedLayout {
  readonly id: string
  readonly model: string
  readonly markdown: string
  /** One list for each page. */
  readonly pages: readonly (readonly LayoutBlock[])[]
  readonly visualisations: readonly string[]
  readonly pageCount: number | null
  /** Sizes of the page rasters, where told. */
  readonly pageSizes: readonly { readonly width: number; readonly height: number }[]
}

/** What to parse. `pages` was counted locally; null when unknown. */
export type LayoutSource =
  | { readonly url: string }
  | {
      readonly file: FormFile
      /** By the file's content, never by its name. */
      readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
      readonly pages: number | null
    }

/** Document parsing (spec 4.18). */
export interface LayoutApi {
  /** `POST /paas/v4/layout_parsing`. The file goes out as a data URI streamed from disk, never built as one string. Safe to repeat. */
  parse(
    target: ServiceTarget,
    request: {
      readonly source: LayoutSource
      /** PDF only, from 1. */
      readonly startPage?: number
      readonly endPage?: number
      readonly cropImages?: boolean
      readonly visualisation?: boolean
      readonly userId?: string
    },
    options: CallOptions,
  ): Promise<Answered<ParsedLayout>>
}

/** Builds the family over the parts every call is made of. */
export function createLayout(parts: CallParts): LayoutApi {
  return notBuilt(parts)
}
