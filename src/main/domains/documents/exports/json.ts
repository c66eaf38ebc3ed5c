import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import type { ExportPage, ExportSource, ExportVersion } from './document-export-types.ts'

/**
 * The JSON of a document, version 1, in this order. Numbers, labels and texts are as stored: nothing is sanitized, and lone
 * surrogates are written as escapes. Images are not included.
 */
export interface DocumentJson {
  readonly format: 'lectern-document'
  /** Increased when parsers of an older version would misread the file. */
  readonly version: 1
  /** Version of the app that wrote it. */
  readonly app: string
  readonly title: string
  /** Original file name. */
  readonly name: string
  readonly mime: string | null
  /** SHA-256 of the file in hexadecimal; null if the file was missing. */
  readonly sha256: string | null
  /** Number of pages of the whole document. */
  readonly pageCount: number
  /** Versions of the document, newest first; `createdAt` and `endedAt` are Unix milliseconds. */
  readonly versions: readonly ExportVersion[]
  /**
   * The exported pages in ascending order, from 1; also failed ones, with `error`. Blocks are in reading order: `box` is left,
   * top, right and bottom as fractions of the displayed page, `raw` the four numbers of the response, `content` the returned
   * text, `edited` the user's text that replaces it, or null.
   */
  readonly pages: readonly ExportPage[]
}

/** Returns only the exported fields of a version: of the account only its name. */
function versionJson(version: ExportVersion): ExportVersion {
  const { number, options, accountName, engine, state, counts, calls, createdAt, endedAt } = version
  return { number, options, accountName, engine, state, counts, calls, createdAt, endedAt }
}

/** Writes a whole document as {@link DocumentJson}, one page at a time. */
export async function writeJson(file: FileWriter, source: ExportSource): Promise<void> {
  const { pages, title, name, mime, sha256, pageCount, versions, appVersion } = source
  const head: Omit<DocumentJson, 'pages'> = {
    format: 'lectern-document',
    version: 1,
    app: appVersion,
    title,
    name,
    mime,
    sha256,
    pageCount,
    versions: versions.map(versionJson),
  }
  await file.write(`${JSON.stringify(head, null, 1).slice(0, -2)},\n "pages": [`)
  let between = '\n'
  for await (const page of pages) {
    await file.write(`${between}${JSON.stringify(page)}`)
    between = ',\n'
  }
  await file.write('\n ]\n}\n')
}
