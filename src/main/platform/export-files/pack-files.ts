import { open } from 'node:fs/promises'
import { createZipWriter } from '../zip/zip-writer.ts'

/** Files to pack into one archive at `to`, which must not exist yet. */
export interface PackFilesRequest {
  readonly pack: readonly { readonly name: string; readonly path: string }[]
  readonly to: string
}

/** Packs files unchanged, one after the other, in any size; returns the size of the archive in bytes. */
export async function packFiles({ pack, to }: PackFilesRequest): Promise<number> {
  const archive = await open(to, 'wx', 0o600)
  try {
    const zip = createZipWriter(archive, { add: () => undefined, begin: () => undefined })
    for (const { name, path } of pack) {
      const file = await open(path, 'r')
      try {
        await zip.file(name, file, (await file.stat()).size)
      } finally {
        await file.close()
      }
    }
    return await zip.finish()
  } finally {
    await archive.close()
  }
}
