import { checkpointLog, checkDatabase, settleCopy } from '../platform/database/check.ts'
import { rebuildDatabase, type Rebuild, type Rebuilt } from '../library-database/rebuild.ts'
import { serve } from '../platform/workers/serve-worker.ts'

/** Requests to this worker: check a database, merge its WAL, finish a copy, or rebuild a damaged database with a backup. */
export type DatabaseCheckRequest =
  | { readonly task: 'check'; readonly path: string }
  | { readonly task: 'bring-in'; readonly path: string }
  | { readonly task: 'settle'; readonly path: string }
  | { readonly task: 'rebuild'; readonly rebuild: Rebuild }

/** `trouble` is null for a valid database, otherwise SQLite's first error. */
export type DatabaseCheckAnswer =
  | { readonly task: 'check'; readonly trouble: string | null }
  | { readonly task: 'rebuild'; readonly rebuilt: Rebuilt }

serve<DatabaseCheckRequest, DatabaseCheckAnswer>((request) => {
  switch (request.task) {
    case 'check':
      return { task: 'check', trouble: checkDatabase(request.path) }
    case 'bring-in':
      checkpointLog(request.path)
      return { task: 'check', trouble: null }
    case 'settle':
      return { task: 'check', trouble: settleCopy(request.path) }
    case 'rebuild':
      return { task: 'rebuild', rebuilt: rebuildDatabase(request.rebuild) }
  }
})
