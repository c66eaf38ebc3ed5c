/** URLs of the resources that pdf.js loads while it draws, all of them our own. */
interface PdfAssets {
  readonly cMapUrl: string
  readonly standardFontDataUrl: string
  readonly wasmUrl: string
}

/** Returns the URLs of the page's copies of pdf.js resources: next to the page, whichever host serves it. */
export function pdfAssets(page: string = document.baseURI): PdfAssets {
  const folder = (name: string): string => new URL(`pdfjs/${name}/`, page).href
  return {
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
  }
}
