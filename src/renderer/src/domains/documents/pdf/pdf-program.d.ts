declare module 'pdfjs-dist/build/pdf.worker.min.mjs' {
  /** The worker side of pdf.js; starts automatically in a worker. */
  export const WorkerMessageHandler: object
}
