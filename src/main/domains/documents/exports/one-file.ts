import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { discard, moveFile } from '../../../../system/file-moves.ts'
import { writeFileBy } from '../../../platform/export-files/file-writer.ts'
import type {
  DocumentFormat,
  DocumentOptions,
  ExportSource,
  ImageLoader,
  WrittenExport,
} from './document-export-types.ts'
import { writeDocument } from './write-export.ts'
import { createZip } from '../../../platform/export-files/zip.ts'

/** Request to write a document as one file. */
export interface OneFileRequest {
  readonly format: DocumentFormat
  readonly source: ExportSource
  readonly options: DocumentOptions
  /** Crops by block ID, placeholder key or URL of a remote image. */
  readonly images: ImageLoader
  /** Path of the new file; it must not exist yet. */
  readonly to: string
  /** Name of the text inside an archive, without extension; valid on every system. */
  readonly name: string
}

/** Result: one file in any format. */
export interface OneFile extends Omit<WrittenExport, 'files'> {
  /** `zip` if images or tables are separate files. */
  readonly ending: DocumentFormat | 'zip'
}

/** Writes a document to one file; a folder of several files is packed into an archive. */
export async function writeOneFile(request: OneFileRequest): Promise<OneFile> {
  const { format, options, to } = request
  const several = format === 'csv' || (format === 'md' && options.images === 'files')
  const place = several ? `${to}.files` : to
  try {
    const written = await writeDocument({ ...request, to: place })
    const { files, ...result } = written
    if (!several) return { ...result, ending: format }
    const [only] = files
    if (only !== undefined && files.length === 1) {
      await moveFile(only, to)
      return { ...result, ending: format === 'csv' ? 'txt' : format }
    }
    return { ...result, bytes: await packed(place, files, to), ending: 'zip' }
  } finally {
    if (several) await discard(place)
  }
}

/** Packs files of a folder into an archive; images are stored, texts deflated. Returns its size in bytes. */
async function packed(folder: string, files: readonly string[], to: string): Promise<number> {
  return writeFileBy(to, async (file) => {
    const zip = createZip(file)
    for (const path of files) {
      const name = relative(folder, path).split(sep).join('/')
      const how = /\.(?:png|jpg)$/.test(name) ? 'stored' : 'deflated'
      await zip.add(name, await readFile(path), how)
    }
    await zip.finish()
  })
}
