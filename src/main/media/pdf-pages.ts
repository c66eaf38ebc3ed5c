import { open } from 'node:fs/promises'

/** Longest that counting may take, in milliseconds: a file that is no PDF inside is not worth more. */
const patienceMs = 10_000

/**
 * Pages of a PDF, read from the few parts of the file that tell them, never the whole. Null when they cannot be told: damaged,
 * locked by a password, or not told in time. Loads pdf.js at the first call.
 */
export async function countPdfPages(path: string): Promise<number | null> {
  const handle = await open(path, 'r').catch(() => null)
  if (!handle) return null
  try {
    const { size } = await handle.stat()
    const { getDocument, PDFDataRangeTransport, VerbosityLevel } =
      await import('pdfjs-dist/legacy/build/pdf.mjs')
    const range = new PDFDataRangeTransport(size, null)
    range.requestDataRange = (begin: number, end: number) => {
      const bytes = new Uint8Array(end - begin)
      handle.read(bytes, 0, bytes.length, begin).then(
        ({ bytesRead }) => range.onDataRange(begin, bytes.subarray(0, bytesRead)),
        () => range.abort(),
      )
    }
    const loading = getDocument({
      range,
      verbosity: VerbosityLevel.ERRORS,
      disableAutoFetch: true,
      disableStream: true,
      disableFontFace: true,
    })
    const late = new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), patienceMs).unref()
    })
    const counted = loading.promise.then(
      (document) => document.numPages,
      () => null,
    )
    const pages = await Promise.race([counted, late])
    await loading.destroy()
    return pages
  } catch {
    return null
  } finally {
    await handle.close()
  }
}
