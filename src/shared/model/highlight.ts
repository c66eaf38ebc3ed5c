import type { Box } from './document.ts'

/** Colors of highlights, in the order in which they are offered. */
export const highlightColors = ['yellow', 'green', 'blue', 'red'] as const

export type HighlightColor = (typeof highlightColors)[number]

/** How each color looks on paper, under black text: the page shows it and copies of PDFs contain it, both multiplied. */
export const highlightPaint: Readonly<Record<HighlightColor, string>> = {
  yellow: '#ffe14d',
  green: '#a8e08c',
  blue: '#9fd3ff',
  red: '#ffa8a0',
}

/** A passage or a region that the user marked on a page of a document. */
export interface Highlight {
  readonly id: string
  readonly documentId: string
  /** From 1. */
  readonly page: number
  /** One for each line of the passage. */
  readonly boxes: readonly Box[]
  /** Text of the passage; empty for a region without text. */
  readonly quote: string
  /** Empty when the user wrote none. */
  readonly note: string
  readonly color: HighlightColor
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What the user marked, before it is saved. */
export type NewHighlight = Pick<Highlight, 'page' | 'boxes' | 'quote' | 'note' | 'color'>
