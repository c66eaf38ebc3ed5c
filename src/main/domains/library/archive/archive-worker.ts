import { join } from 'node:path'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type { BackupInspection } from '../../../../shared/model/archive.ts'
import type { StorageKind } from '../../../../shared/model/storage.ts'
import { AppError, toFailure } from '../../../errors.ts'
import { type MergeCounts, makeWhole, type Mark } from './archive-merge.ts'
import { compareArchive, type Comparison } from './archive-compare.ts'
import { inspectBackup, restoreBackup } from '../../../library-database/backup-restore.ts'
import { fromFileSystem } from '../../../platform/database/file-errors.ts'
import { fromSqlite } from '../../../platform/database/sqlite-errors.ts'
import { exportArchive, type ArchiveExport, type ArchiveWritten } from './export.ts'
import { databaseName, type Manifest } from './layout.ts'
import { placeArchive, type Placing } from './place-archive.ts'
import { progressIn } from '../../../platform/zip/progress.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { measureStorage, strayFiles, type StorageScan } from './archive-storage.ts'
import { inspectArchive, unpack, type Unpacked, type Unpacking } from './unpack.ts'

/** Requests to the archive worker; `memory` is shared with the caller. */
export type ArchiveRequest = { readonly memory: SharedArrayBuffer } & (
  | { readonly task: 'export'; readonly options: ArchiveExport }
  | { readonly task: 'inspect'; readonly unpacking: Unpacking; readonly database: string }
  | { readonly task: 'unpack'; readonly unpacking: Unpacking }
  | { readonly task: 'place'; readonly placing: Placing }
  | { readonly task: 'inspect-backup'; readonly database: string; readonly backup: string }
  | { readonly task: 'storage'; readonly scan: StorageScan }
  | { readonly task: 'strays'; readonly scan: StorageScan }
  | {
      readonly task: 'restore'
      readonly database: string
      readonly backup: string
      readonly mark: Mark
      /** Name under which the current library is saved as a backup. */
      readonly keepAs: string
    }
)

/** Result of inspecting an archive without importing anything. */
export interface ArchiveFound {
  readonly manifest: Omit<Manifest, 'entries'>
  readonly files: number
  readonly bytes: number
  readonly compared: Comparison
}

/** Response of the worker; a failure is passed as data, with its values. */
export type ArchiveAnswer =
  | { readonly task: 'export'; readonly written: ArchiveWritten }
  | { readonly task: 'inspect'; readonly found: ArchiveFound }
  | { readonly task: 'unpack'; readonly unpacked: Omit<Unpacked, 'manifest'> }
  | { readonly task: 'place'; readonly counts: MergeCounts }
  | { readonly task: 'inspect-backup'; readonly inspection: Omit<BackupInspection, 'backup'> }
  | { readonly task: 'restore' }
  | { readonly task: 'storage'; readonly kinds: readonly StorageKind[] }
  | { readonly task: 'strays'; readonly ids: readonly string[] }
  | { readonly task: 'failed'; readonly failure: Failure }

/** Runs one request of the archive worker. */
export async function answerArchive(request: ArchiveRequest): Promise<ArchiveAnswer> {
  try {
    return await work(request)
  } catch (error) {
    return { task: 'failed', failure: toFailure(asAppError(error), 0) }
  }
}

async function work(request: ArchiveRequest): Promise<ArchiveAnswer> {
  const progress = progressIn(request.memory)
  switch (request.task) {
    case 'export':
      return { task: 'export', written: await exportArchive(request.options, progress) }
    case 'inspect': {
      const { entries, ...manifest } = await inspectArchive(request.unpacking, progress)
      const staged = join(request.unpacking.into, databaseName)
      const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
      const compared = compareArchive(request.database, staged)
      return { task: 'inspect', found: { manifest, files: entries.length, bytes, compared } }
    }
    case 'unpack': {
      const { known } = await unpack(request.unpacking, progress)
      return { task: 'unpack', unpacked: { known } }
    }
    case 'place':
      makeWhole(request.placing.database)
      return { task: 'place', counts: await placeArchive(request.placing, progress) }
    case 'inspect-backup':
      return { task: 'inspect-backup', inspection: inspectBackup(request.backup, request.database) }
    case 'storage':
      return { task: 'storage', kinds: await measureStorage(request.scan) }
    case 'strays':
      return { task: 'strays', ids: await strayFiles(request.scan) }
    case 'restore':
      makeWhole(request.database)
      restoreBackup(request.database, request.backup, request)
      return { task: 'restore' }
  }
}

/** Converts an error: problems of the file have one code per remedy; the page has a message for every reason. */
function asAppError(error: unknown): unknown {
  if (error instanceof ArchiveRefused) {
    const { reason, entry } = error
    const params = { reason, entry, problem: reason }
    const options = { params, cause: error }
    if (reason === 'newer') return new AppError('ARCHIVE_FROM_FUTURE', error.message, options)
    const damaged = ['truncated', 'sum', 'damaged'].includes(reason)
    return new AppError(damaged ? 'ARCHIVE_DAMAGED' : 'ARCHIVE_REFUSED', error.message, options)
  }
  if (error instanceof Error && 'code' in error && error.code === 'CANCELLED')
    return new AppError('CANCELLED', 'Stopped', { retriable: true })
  const known = fromSqlite(fromFileSystem(error))
  if (known instanceof AppError) return known
  // The message helps to find the cause; it contains no text of the library.
  return new AppError('INTERNAL', `The archive failed: ${String(error)}`, { cause: error })
}
