import { BitmapDecoder } from './bitmap-decoder.ts'

/** Program of pdf.js that reads files; once loaded, it listens to the page. */
export { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.min.mjs'

// pdf.js looks up the name for each image, and none is decoded before this.
Object.defineProperty(globalThis, 'ImageDecoder', {
  value: BitmapDecoder,
  configurable: true,
  writable: true,
})
