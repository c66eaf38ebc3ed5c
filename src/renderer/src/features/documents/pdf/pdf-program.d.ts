declare module 'pdfjs-dist/build/pdf.worker.min.mjs' {
  /** Answers the page's half of pdf.js; begins by itself in a worker. */
  export const WorkerMessageHandler: object
}
