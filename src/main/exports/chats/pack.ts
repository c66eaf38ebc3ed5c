import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { writeFileBy } from '../documents/file-writer.ts'
import { createZip } from '../documents/zip.ts'

/** A file on disk, and its name in the archive. */
export interface PackedFile {
  readonly path: string
  readonly name: string
}

/** Packs files into an archive, texts in chunks, PDFs whole; returns its size in bytes. */
export function packFiles(files: readonly PackedFile[], to: string): Promise<number> {
  return writeFileBy(to, async (file) => {
    const zip = createZip(file)
    for (const { path, name } of files) {
      if (name.endsWith('.pdf')) {
        await zip.store(name, await readFile(path))
        continue
      }
      const entry = await zip.text(name)
      for await (const chunk of createReadStream(path, 'utf8')) await entry.write(String(chunk))
      await entry.end()
    }
    await zip.finish()
  })
}
