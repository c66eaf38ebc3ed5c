import type { PDFDataRangeTransport } from 'pdfjs-dist'
import type { ReadRange } from './read-blocks.ts'

/** Milliseconds before a range is requested again. */
const pauses = [150, 600] as const

/**
 * Feeds pdf.js with only the ranges of a file that it requests. Needed because pdf.js requests ranges only over http(s)
 * and would read a whole file from `app://`. After three failed tries of a range the file counts as lost: pdf.js itself
 * would wait endlessly, so `onLost` is called, once.
 */
export function fileRanges(
  Transport: typeof PDFDataRangeTransport,
  bytes: number,
  read: ReadRange,
  onLost: () => void,
): PDFDataRangeTransport {
  const stop = new AbortController()
  class FileRanges extends Transport {
    override requestDataRange(begin: number, end: number): void {
      void readChunk(begin, end).then((chunk) => {
        if (stop.signal.aborted) return
        if (chunk) {
          this.onDataRange(begin, chunk)
          return
        }
        stop.abort()
        onLost()
      })
    }
    override abort(): void {
      stop.abort()
    }
  }
  async function readChunk(begin: number, end: number): Promise<Uint8Array | null> {
    for (const pause of [0, ...pauses]) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      if (stop.signal.aborted) return null
      const chunk = await read(begin, end, stop.signal)
      if (chunk) return chunk
    }
    return null
  }
  return new FileRanges(bytes, null)
}
