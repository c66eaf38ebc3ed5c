/** What pdf.js is asked for wherever a document is read without a page around it. */
export interface PdfOptions {
  /** Addresses of pdf.js's own folders; each ends in a slash, or pdf.js throws. */
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
 * Options without network, code made from text, or anything that a document may run.
 *
 * pdf.js calls its folders addresses, but reads `address + name` as a file where there is no page: a path with forward slashes,
 * which Windows takes as well, drive letters and network shares (`//server/share`) included.
 * @param folder the folder of pdfjs-dist, as the system writes it
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
