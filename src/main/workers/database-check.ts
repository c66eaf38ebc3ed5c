import { checkpointLog, checkDatabase, settleCopy } from '../store/check.ts'
import { rebuildDatabase, type Rebuild, type Rebuilt } from '../store/rebuild.ts'
import { serve } from './serve.ts'

/** What this worker does: look through a database, bring its log in, finish a copy, or build a sound database from a damaged one and a backup. */
export type DatabaseCheckRequest =
  | { readonly task: 'check'; readonly path: string }
  | { readonly task: 'bring-in'; readonly path: string }
  | { readonly task: 'settle'; readonly path: string }
  | { readonly task: 'rebuild'; readonly rebuild: Rebuild }

/** `trouble` is null for a sound database, else SQLite's first complaint. */
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
