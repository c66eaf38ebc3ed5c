import type { FileWriter } from './file-writer.ts'
import type { ExportPage, ExportSource, ExportVersion } from './types.ts'

/**
 * The json of a document, version 1, in this order. Numbers, labels and texts are what the store has: nothing is cleaned, halves of
 * surrogate pairs are written as escapes. Pictures are not in it.
 */
export interface DocumentJson {
  readonly format: 'lectern-document'
  /** Grows when a reader of an older version would misunderstand. */
  readonly version: 1
  /** Version of the app that wrote it. */
  readonly app: string
  readonly title: string
  /** The name the file had. */
  readonly name: string
  readonly mime: string | null
  /** SHA-256 of the file in hexadecimal digits; null when it was gone. */
  readonly sha256: string | null
  /** Pages of the whole document. */
  readonly pageCount: number
  /** How the pages were read, newest first; `createdAt` and `endedAt` are Unix milliseconds. */
  readonly versions: readonly ExportVersion[]
  /**
   * The pages that were exported, ascending, from 1; also those that failed, with `error`. Blocks come in reading order: `box` is left,
   * top, right and bottom as fractions of the page as it is looked at, `raw` the four numbers of the reply, `content` what was
   * returned, `edited` the reader's own text in its place or null.
   */
  readonly pages: readonly ExportPage[]
}

/** What is told of a version and nothing else: whose account it was stays here. */
function versionJson(version: ExportVersion): ExportVersion {
  const { number, options, accountName, engine, state, counts, calls, createdAt, endedAt } = version
  return { number, options, accountName, engine, state, counts, calls, createdAt, endedAt }
}

/** Writes a document whole, a page at a time: what {@link DocumentJson} says. */
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
