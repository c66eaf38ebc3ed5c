import { createReadStream } from 'node:fs'
import { writeFileBy } from '../documents/file-writer.ts'
import { createZip } from '../documents/zip.ts'

/** A text on the disk, and what it is called inside the archive. */
export interface PackedFile {
  readonly path: string
  readonly name: string
}

/** Packs texts into an archive, read piece by piece; gives its bytes. */
export function packFiles(files: readonly PackedFile[], to: string): Promise<number> {
  return writeFileBy(to, async (file) => {
    const zip = createZip(file)
    for (const { path, name } of files) {
      const entry = await zip.text(name)
      for await (const piece of createReadStream(path, 'utf8')) await entry.write(String(piece))
      await entry.end()
    }
    await zip.finish()
  })
}
