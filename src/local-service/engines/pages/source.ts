import type { Canvas } from '@napi-rs/canvas'
import type { PageContent, Run } from './content.ts'

/** Page that was inspected but not read yet. */
export interface SeenPage {
  /** Content from the file itself. */
  readonly content: PageContent
  /** Whether the text layer is missing or covers too little, so that OCR is needed. */
  readonly scanned: boolean
  /** Renders the page on white; the result is cached. */
  raster(): Promise<Canvas>
  /** Frees everything that was loaded and rendered for this page. */
  close(): Promise<void>
}

export interface PageSource {
  readonly pageCount: number
  /** Page numbers start at 1. */
  page(number: number): Promise<SeenPage>
  /** Returns the upright text of a page, for comparison with its neighbors; empty if there is none. */
  text(number: number): Promise<{ readonly runs: readonly Run[]; readonly height: number }>
  close(): Promise<void>
}
