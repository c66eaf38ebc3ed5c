import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ItemKind } from '../../../../../shared/model/library.ts'

/** Whether a file is still being imported. */
export function isMoving({ state }: Pick<Import, 'state'>): boolean {
  return state === 'waiting' || state === 'uploading' || state === 'adding'
}

/** Whether a file became a meeting that could not be transcribed. */
export function isUntranscribed({
  state,
  untranscribed,
}: Pick<Import, 'state' | 'untranscribed'>): boolean {
  return state === 'done' && untranscribed !== null
}

/** Returns the number of running, imported, untranscribed and failed files, for the panel's summary line. */
export function importCounts(imports: readonly Import[]) {
  const moving = imports.filter(isMoving).length
  const failed = imports.filter(({ state }) => state === 'failed').length
  const untranscribed = imports.filter(isUntranscribed).length
  return { moving, failed, untranscribed, added: imports.length - moving - failed - untranscribed }
}

/** Returns the files that were refused, for one notice; none if it is a single one, which has a row of its own. */
export function refusedTogether(imports: readonly Import[]): readonly Import[] {
  const refused = imports.filter(({ state, failure }) => state === 'failed' && failure)
  return refused.length > 1 ? refused : []
}

/** A file being imported. */
export interface Import {
  readonly id: number
  readonly name: string
  readonly bytes: number
  readonly state: 'waiting' | 'uploading' | 'adding' | 'done' | 'known' | 'failed'
  /** 0 to 1. */
  readonly progress: number
  readonly failure: Failure | null
  readonly itemId: string | null
  readonly kind: ItemKind | null
  /** Why its audio could not be imported or transcribed. */
  readonly untranscribed: Failure | null
}
