import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { SavedFile } from '../../../../../shared/model/saved-file.ts'
import type { Ids, Log, WorkerUrl } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { PackFilesRequest } from '../../../../platform/export-files/pack-files.ts'
import { discard } from '../../../../../system/file-moves.ts'
import { notDeviceName } from '../../../../platform/files/display-name.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'
import { fileName } from '../../../../platform/files/display-name.ts'

/** Dependencies of packing. */
interface PacksDeps {
  readonly home: string
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
  readonly workerUrl: WorkerUrl
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
}

/** Packs the files of a response into one archive. */
export interface Packs {
  /** Packs the saved files; housekeeping deletes the archive later. Throws NOT_FOUND if there are none. */
  pack(
    title: string,
    files: readonly SavedFile[],
  ): Promise<{ readonly mediaId: string; readonly name: string }>
  close(): Promise<void>
}

export function createPacks(deps: PacksDeps): Packs {
  const worker = createWorkerClient<PackFilesRequest, number>({
    url: deps.workerUrl('exports'),
    name: 'File packaging',
  })
  const folder = join(deps.home, 'packs')
  return {
    async pack(title, files) {
      const saved = files.filter(({ mediaId }) => mediaId !== null)
      if (saved.length === 0) throw new AppError('NOT_FOUND', 'There are no files yet')
      const names = packNames(saved)
      const pack = await Promise.all(
        saved.map(async ({ mediaId }, i) => ({
          name: names[i] ?? '',
          path: await deps.files.path(mediaId ?? ''),
        })),
      )
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const to = join(folder, `${deps.ids()}.zip`)
      try {
        await worker.call({ pack, to })
        const name = fileName(title, 'zip')
        const body = Readable.toWeb(createReadStream(to)) as ReadableStream<Uint8Array>
        const media = await deps.files.intake(
          body,
          name,
          (await stat(to)).size,
          undefined,
          'foreign',
        )
        return { mediaId: media.id, name }
      } finally {
        await discard(to, deps.log)
      }
    },
    async close() {
      await worker.close()
      await discard(folder, deps.log)
    },
  }
}

/**
 * Names within an archive, one for each file: pages by their number, so that every system sorts them correctly; the rest by name,
 * made unique.
 */
export function packNames(
  files: readonly Pick<SavedFile, 'role' | 'place' | 'name'>[],
): readonly string[] {
  const pages = files.filter(({ role }) => role === 'page').map(({ place }) => place + 1)
  const digits = Math.max(2, String(Math.max(0, ...pages)).length)
  const taken = new Set<string>()
  return files.map(({ role, place, name }) => {
    const plain = name.replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, '_').replace(/^\.+/, '_')
    const safe = notDeviceName(plain.replace(/[. ]+$/, ''))
    const [, stem = safe, ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(safe) ?? []
    const first =
      role === 'page' ? `pages/page-${String(place + 1).padStart(digits, '0')}` : stem || role
    let whole = `${first}${ending}`
    for (let n = 2; taken.has(whole.toLowerCase()); n++) whole = `${first} (${n})${ending}`
    taken.add(whole.toLowerCase())
    return whole
  })
}
