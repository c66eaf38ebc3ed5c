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

/** Groups files refused for the same reason, in order of the first one; a single file is not a group. */
export function refusedTogether(imports: readonly Import[]): readonly (readonly Import[])[] {
  const byCode = new Map<string, Import[]>()
  for (const one of imports) {
    if (one.state !== 'failed' || !one.failure) continue
    byCode.set(one.failure.code, [...(byCode.get(one.failure.code) ?? []), one])
  }
  return Array.from(byCode.values()).filter(({ length }) => length > 1)
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
