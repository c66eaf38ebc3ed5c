import type { PDFPageProxy } from 'pdfjs-dist'
import { readLinks } from './links.ts'
import type { OpenPdf } from './open-pdf.ts'
import type { Drawing, PageSource, Turn } from '../pages/page-source.ts'

/** A point is 1/72 of an inch, a CSS pixel 1/96. */
const pixelsOfPoint = 96 / 72

/**
 * Creates the source of an open PDF's pages. Annotations are drawn as in the file; forms are images that cannot be
 * filled in.
 */
export function pdfSource({ pdf, pdfjs }: OpenPdf): PageSource {
  const drawn = new Map<number, PDFPageProxy>()

  async function draw(drawing: Drawing, signal: AbortSignal): Promise<void> {
    const page = await pdf.getPage(drawing.page)
    signal.throwIfAborted()
    const plain = page.getViewport({ scale: 1, rotation: rotationOf(page, drawing.turn) })
    const viewport = plain.clone({ scale: drawing.width / plain.width })
    const { canvas, clip } = drawing
    canvas.width = clip?.width ?? drawing.width
    canvas.height = clip?.height ?? drawing.height
    const task = page.render({
      canvas,
      viewport,
      annotationMode: pdfjs.AnnotationMode.ENABLE,
      ...(clip && { transform: [1, 0, 0, 1, -clip.x, -clip.y] }),
    })
    const cancel = (): void => task.cancel()
    signal.addEventListener('abort', cancel)
    drawn.set(drawing.page, page)
    try {
      await task.promise
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async function text(
    number: number,
    turn: Turn,
    element: HTMLElement,
    signal: AbortSignal,
  ): Promise<void> {
    const page = await pdf.getPage(number)
    signal.throwIfAborted()
    const layer = new pdfjs.TextLayer({
      textContentSource: page.streamTextContent(),
      container: element,
      viewport: page.getViewport({ scale: pixelsOfPoint, rotation: rotationOf(page, turn) }),
    })
    const cancel = (): void => layer.cancel()
    signal.addEventListener('abort', cancel)
    try {
      await layer.render()
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Returns the text as in the text layer: its items one after the other, with line ends. */
  async function words(number: number): Promise<string> {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    if (!drawn.has(number)) page.cleanup()
    return items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
      .join('')
  }

  return {
    unit: pixelsOfPoint,
    draw,
    text,
    words,
    links: (page) => readLinks(pdf, page),
    release(page) {
      // False while the page is still being drawn: it is tried again when everything is idle.
      if (drawn.get(page)?.cleanup() === true) drawn.delete(page)
    },
    rest() {
      for (const page of drawn.values()) page.cleanup()
      drawn.clear()
      void pdf.cleanup(true).catch(() => {})
    },
  }
}

function rotationOf(page: PDFPageProxy, turn: Turn): number {
  return (page.rotate + turn) % 360
}
