import { BitmapDecoder } from './bitmap-decoder.ts'

/** The program of pdf.js that reads files; loaded, it listens to the page. */
export { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.min.mjs'

// pdf.js looks the name up for each picture, and no picture comes before this.
Object.defineProperty(globalThis, 'ImageDecoder', {
  value: BitmapDecoder,
  configurable: true,
  writable: true,
})
