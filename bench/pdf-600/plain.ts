import type { BarePage } from './bare-page.ts'

/** Input of plain drawing: the same pdf.js code, the whole file, and the pages to draw. */
export interface PlainOrder {
  readonly programs: { readonly pdfjs: readonly string[]; readonly worker: string }
  readonly url: string
  readonly pages: readonly number[]
  /** Width of each page image in pixels. */
  readonly width: number
}

/**
 * Draws the same pages with bare pdf.js in the same browser: the whole file in memory, one canvas. Returns milliseconds per page.
 */
export function plainDrawing(page: BarePage, order: PlainOrder): Promise<readonly number[]> {
  return page.evaluate(async ({ programs, url, pages, width }) => {
    type Viewport = { readonly width: number; readonly height: number }
    interface Pdfjs {
      readonly getDocument: (options: object) => {
        readonly promise: Promise<{
          getPage(number: number): Promise<{
            getViewport(options: { scale: number }): Viewport
            render(options: object): { readonly promise: Promise<void> }
          }>
        }>
        destroy(): Promise<void>
      }
      readonly PDFWorker: { create(options: { port: Worker }): object }
    }
    let pdfjs: Pdfjs | null = null
    for (const program of programs.pdfjs) {
      const loaded = (await import(program)) as Partial<Pdfjs>
      if (loaded.getDocument && loaded.PDFWorker) pdfjs = loaded as Pdfjs
    }
    if (!pdfjs) throw new Error('the built page holds no pdf.js')
    const data = new Uint8Array(await (await fetch(url)).arrayBuffer())
    const port = new Worker(programs.worker, { type: 'module' })
    const task = pdfjs.getDocument({
      data,
      worker: pdfjs.PDFWorker.create({ port }),
      disableWorkerRendering: true,
      useWasm: false,
      verbosity: 0,
    })
    const pdf = await task.promise
    const canvas = document.createElement('canvas')
    const times: number[] = []
    for (const number of pages) {
      const start = performance.now()
      const proxy = await pdf.getPage(number)
      const plain = proxy.getViewport({ scale: 1 })
      const viewport = proxy.getViewport({ scale: width / plain.width })
      canvas.width = Math.round(viewport.width)
      canvas.height = Math.round(viewport.height)
      await proxy.render({ canvas, viewport }).promise
      times.push(performance.now() - start)
    }
    await task.destroy()
    port.terminate()
    return times
  }, order)
}
