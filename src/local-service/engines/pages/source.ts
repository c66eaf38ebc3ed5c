import type { Canvas } from '@napi-rs/canvas'
import type { PageContent, Run } from './content.ts'

/** A page that was looked at, not yet read. */
export interface SeenPage {
  /** What the file itself tells. */
  readonly content: PageContent
  /** Its text layer is missing or covers too little: the raster must be read. */
  readonly scanned: boolean
  /** The drawn page, white where it is empty: once drawn, the same again. */
  raster(): Promise<Canvas>
  /** Gives back what was loaded and drawn for this page. */
  close(): Promise<void>
}

/** The pages of a file. */
export interface PageSource {
  readonly pageCount: number
  /** Numbers count from 1. */
  page(number: number): Promise<SeenPage>
  /** Upright text of a page, for comparison with its neighbours; empty where there is none. */
  text(number: number): Promise<{ readonly runs: readonly Run[]; readonly height: number }>
  close(): Promise<void>
}
