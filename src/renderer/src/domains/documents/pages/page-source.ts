import type { Box } from '../../../../../shared/model/document.ts'

/** Quarter turns of the view, clockwise, in degrees; in addition to the rotation in the file. */
export type Turn = 0 | 90 | 180 | 270

/** Parameters for drawing a page on a canvas. Numbers are device pixels. */
export interface Drawing {
  readonly canvas: HTMLCanvasElement
  readonly page: number
  readonly turn: Turn
  /** Size of the whole page, rotated. */
  readonly width: number
  readonly height: number
  /** Part that the canvas shows; the whole page when absent. */
  readonly clip?: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
}

/** Target of a link in a document: a page, optionally with a height as a fraction, or an external URL. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly page: number; readonly top: number | null }
  | { readonly kind: 'address'; readonly url: string }

/** A link on a page. */
export interface PageLink {
  readonly box: Box
  readonly target: LinkTarget
}

/** Source from which pages are drawn: a PDF, an image, or stored images of pages. Pages count from 1. */
export interface PageSource {
  /** CSS pixels per unit of the page sizes at 100%. */
  readonly unit: number
  /** Draws one page; rejects on failure, and when the signal aborts it. */
  draw(drawing: Drawing, signal: AbortSignal): Promise<void>
  /**
   * Creates the selectable text layer of a page; the element has the size of the page. Absent when there is no text.
   */
  text?(page: number, turn: Turn, element: HTMLElement, signal: AbortSignal): Promise<void>
  /**
   * Returns the text of a page as in its text layer, with line feeds between lines; rejects when it cannot be read. Absent
   * when there is none.
   */
  words?(page: number): Promise<string>
  /** Returns the links of a page; absent when there are none. */
  links?(page: number): Promise<readonly PageLink[]>
  /** Frees the cached data of a page that is no longer shown, mainly decoded images. */
  release?(page: number): void
  /** Called after some time without activity: frees everything that can be recreated. */
  rest?(): void
}
