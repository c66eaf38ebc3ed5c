import type { Box } from './geometry.ts'

/** Text run from the file or from OCR: part of a line. */
export interface Run {
  readonly text: string
  readonly box: Box
  /** Font size in pixels. */
  readonly size: number
  readonly bold: boolean
  /** Whether the file has white space before it. */
  readonly spaceBefore: boolean
}

/** Straight horizontal or vertical line, as a box of zero thickness. */
export interface Rule {
  readonly direction: 'across' | 'down'
  readonly box: Box
}

/** Raw content of a page before layout analysis. */
export interface PageContent {
  readonly width: number
  readonly height: number
  readonly runs: readonly Run[]
  /** Rotated text: stamps at the edge, axis labels. */
  readonly turned: readonly Run[]
  readonly images: readonly Box[]
  readonly rules: readonly Rule[]
  /** Boxes of curves and slanted lines, which only drawings have. */
  readonly inks: readonly Box[]
  /** Whether it was read by OCR: font sizes are box sizes, and font weights are unknown. */
  readonly ocr: boolean
}
