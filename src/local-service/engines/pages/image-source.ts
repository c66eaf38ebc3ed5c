import type { PageKind } from './messages.ts'
import { freeCanvas, imageRaster } from './image/raster.ts'
import type { PageSource } from './source.ts'

/** Opens an image as a file with one page. Throws `damaged`. */
export async function openImage(
  bytes: Uint8Array<ArrayBuffer>,
  kind: Exclude<PageKind, 'pdf'>,
): Promise<PageSource> {
  const canvas = await imageRaster(bytes, kind)
  const { width, height } = canvas
  return {
    pageCount: 1,
    page: () =>
      Promise.resolve({
        content: {
          width,
          height,
          runs: [],
          turned: [],
          images: [],
          rules: [],
          inks: [],
          ocr: true,
        },
        scanned: true,
        raster: () => Promise.resolve(canvas),
        close: () => Promise.resolve(),
      }),
    text: () => Promise.resolve({ runs: [], height }),
    close: () => Promise.resolve(freeCanvas(canvas)),
  }
}
