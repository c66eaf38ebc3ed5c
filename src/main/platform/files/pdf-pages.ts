import { open } from 'node:fs/promises'

/** Maximum time for counting, in milliseconds: a file that is not really a PDF is not worth more. */
const patienceMs = 10_000

/**
 * Returns the number of pages of a PDF, reading only the few parts of the file that determine it. Null if they cannot be
 * counted: damaged, locked by a password, or timed out. Loads pdf.js on the first call.
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
