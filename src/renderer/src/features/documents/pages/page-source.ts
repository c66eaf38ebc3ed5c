import type { Box } from '../../../../../shared/model/document.ts'

/** Quarter turns of the view, clockwise, in degrees; beside what the file itself turns. */
export type Turn = 0 | 90 | 180 | 270

/** How a page is put on a canvas. Figures are pixels of the device. */
export interface Drawing {
  readonly canvas: HTMLCanvasElement
  readonly page: number
  readonly turn: Turn
  /** Size of the whole page, turned. */
  readonly width: number
  readonly height: number
  /** The part of it that the canvas shows; the whole page when absent. */
  readonly clip?: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
}

/** Where a link of a document leads: a page of it, perhaps a height in it as a fraction, or out into the world. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly page: number; readonly top: number | null }
  | { readonly kind: 'address'; readonly url: string }

/** A link on a page. */
export interface PageLink {
  readonly box: Box
  readonly target: LinkTarget
}

/** What pages are drawn from: a PDF, a picture, or stored pictures of pages. Pages count from 1. */
export interface PageSource {
  /** CSS pixels of one unit of the pages' sizes at 100 %. */
  readonly unit: number
  /** Draws one page; rejects when it cannot, and when the signal says it is not wanted any more. */
  draw(drawing: Drawing, signal: AbortSignal): Promise<void>
  /** Lays the page's own text over it, to be selected; the element's size is that of the page. Absent: there is none. */
  text?(page: number, turn: Turn, element: HTMLElement, signal: AbortSignal): Promise<void>
  /** The text of a page as it is laid over it, lines ended by line feeds; rejects when it cannot be read. Absent: there is none. */
  words?(page: number): Promise<string>
  /** Links of a page; absent: there are none. */
  links?(page: number): Promise<readonly PageLink[]>
  /** A page is not shown any more: what was kept for drawing it again, decoded pictures above all, is freed. */
  release?(page: number): void
  /** Called when nobody looked at anything for a while: frees what can be made again. */
  rest?(): void
}
