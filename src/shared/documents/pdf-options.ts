/** Options of pdf.js for reading a document outside a browser page. */
interface PdfOptions {
  /** URLs of pdf.js's own folders; each ends in a slash, otherwise pdf.js throws. */
  readonly cMapUrl: string
  readonly standardFontDataUrl: string
  readonly wasmUrl: string
  readonly iccUrl: string
  readonly cMapPacked: true
  readonly isEvalSupported: false
  readonly enableXfa: false
  readonly verbosity: 0
}

/**
 * Returns options without network access, generated code, or anything that a document may execute.
 *
 * pdf.js calls its folders URLs, but reads `address + name` as a file outside a browser: a path with forward slashes,
 * which Windows accepts as well, including drive letters and network shares (`//server/share`).
 * @param folder the folder of pdfjs-dist, in the system's format
 * @param separator that of the system: a backslash elsewhere is part of a name
 */
export function pdfOptions(folder: string, separator: string): PdfOptions {
  const home = folder.split(separator).join('/').replace(/\/$/, '')
  return {
    cMapUrl: `${home}/cmaps/`,
    standardFontDataUrl: `${home}/standard_fonts/`,
    wasmUrl: `${home}/wasm/`,
    iccUrl: `${home}/iccs/`,
    cMapPacked: true,
    isEvalSupported: false,
    enableXfa: false,
    verbosity: 0,
  }
}
