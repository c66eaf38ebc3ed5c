/** An image to decode for pdf.js; the requested size in pixels when it is too large to be drawn. */
interface EncodedImage {
  readonly data: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly desiredWidth?: number
  readonly desiredHeight?: number
}

/**
 * Replaces `ImageDecoder` where pdf.js decodes, and returns bitmaps. Video frames of the browser's own decoder are
 * decoded again whenever they are drawn, and each copy stays in a browser cache that grows to half a gigabyte; a bitmap
 * is drawn directly, and freed when it is closed. Rejects when the image cannot be decoded: pdf.js then decodes it
 * itself.
 */
class BitmapDecoder {
  #picture: EncodedImage | null

  constructor(image: EncodedImage) {
    this.#picture = image
  }

  /** Types that pdf.js decodes with it. */
  static isTypeSupported(type: string): Promise<boolean> {
    return Promise.resolve(type === 'image/jpeg' || type === 'image/bmp')
  }

  async decode(): Promise<{ readonly image: ImageBitmap }> {
    if (!this.#picture) throw new Error('the decoder was closed')
    const { data, type, desiredWidth, desiredHeight } = this.#picture
    const blob = new Blob([data], { type })
    const smaller = desiredWidth !== undefined && desiredHeight !== undefined
    const image = await (smaller
      ? createImageBitmap(blob, {
          resizeWidth: desiredWidth,
          resizeHeight: desiredHeight,
          resizeQuality: 'medium',
        })
      : createImageBitmap(blob))
    return { image }
  }

  close(): void {
    this.#picture = null
  }
}

/** Program of pdf.js that reads files; once loaded, it listens to the page. */
export { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.min.mjs'

// pdf.js looks up the name for each image, and none is decoded before this.
Object.defineProperty(globalThis, 'ImageDecoder', {
  value: BitmapDecoder,
  configurable: true,
  writable: true,
})
