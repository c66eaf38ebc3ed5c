import { plainText } from '../../../platform/export-files/nodes.ts'
import { readBlocks } from './content/exported-pages.ts'
import { factLines, missingLine } from './export-facts.ts'
import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import type { ExportPage, ExportSource } from './document-export-types.ts'

/**
 * Writes plain text for searching: every page of the document ends with a form feed, even if it is not exported, so the n-th
 * part is page n. Facts about the document follow the last one.
 */
export async function writeText(file: FileWriter, source: ExportSource): Promise<void> {
  let at = 1
  for await (const page of source.pages) {
    for (; at < page.page; at += 1) await file.write('\f')
    const missing = missingLine(page, source)
    const text = pageText(page)
    await file.write([...(missing ? [`[${missing}]`] : []), text].filter(Boolean).join('\n\n'))
    await file.write('\n\f')
    at = page.page + 1
  }
  for (; at <= source.pageCount; at += 1) await file.write('\f')
  await file.write(`${source.title}\n${factLines(source).join('\n')}\n`)
}

/** Returns the text of a page, with an empty line between blocks. */
function pageText(page: ExportPage): string {
  return readBlocks(page)
    .map(({ nodes }) => plainText(nodes).replaceAll('\f', ' '))
    .filter((text) => text !== '')
    .join('\n\n')
}
