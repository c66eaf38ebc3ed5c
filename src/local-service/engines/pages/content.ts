import type { Box } from './geometry.ts'

/** A piece of text as the file or the OCR gives it: part of one line. */
export interface Run {
  readonly text: string
  readonly box: Box
  /** Of the font, in pixels. */
  readonly size: number
  readonly bold: boolean
  /** White space stands before it in the file. */
  readonly spaceBefore: boolean
}

/** A straight line that was drawn, horizontal or vertical, as a box of no thickness. */
export interface Rule {
  readonly direction: 'across' | 'down'
  readonly box: Box
}

/** What lies on a page, before anybody knows what it means. */
export interface PageContent {
  readonly width: number
  readonly height: number
  readonly runs: readonly Run[]
  /** Text that does not stand upright: stamps at the edge, labels of axes. */
  readonly turned: readonly Run[]
  readonly images: readonly Box[]
  readonly rules: readonly Rule[]
  /** Boxes of curves and slanted lines: only drawings have them. */
  readonly inks: readonly Box[]
  /** Read by OCR: sizes are those of boxes, and nothing is known of weights. */
  readonly ocr: boolean
}
