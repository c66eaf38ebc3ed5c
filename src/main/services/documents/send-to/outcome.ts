import type { Run } from '../../../../shared/model/run.ts'
import { recordIn, recordsIn, wordsIn } from './values.ts'
import type { PushPatch, PushRecord } from '../../../store/document-pushes.ts'
import type { Store } from '../../../store/types.ts'

/** Returns the outcome of a push from the end of its run (`documents.upload`). */
export function outcomeOf({ state, error, value }: Run, at: number): PushPatch {
  if (state !== 'done') return { state: 'failed', error, endedAt: at }
  const outcome = recordIn(value)
  const [taken] = recordsIn(outcome['accepted'])
  const remoteId = taken ? wordsIn(taken, 'documentId') : ''
  if (taken && remoteId !== '') return { state: 'working', remoteId, error: null }
  const [refused] = recordsIn(outcome['refused'])
  const reason = refused ? wordsIn(refused, 'reason') : ''
  return {
    state: 'refused',
    endedAt: at,
    error: {
      code: 'REFUSED',
      message: 'The provider rejected the text',
      retriable: true,
      ...(reason !== '' && { service: { message: reason } }),
      at,
    },
  }
}

/**
 * Returns the outcome of a push whose app ended before it recorded its run: the run that sent the same file later than
 * the push began, or that it was never sent.
 */
export function leftBehind(push: PushRecord, { runs }: Pick<Store, 'runs'>, at: number): PushPatch {
  const { accountId, createdAt, mediaId } = push
  const found = runs
    .list({ operation: 'documents.upload', accountId, limit: maxRuns })
    .runs.filter((run) => run.createdAt >= createdAt)
    .find(({ id }) => runs.get(id)?.inputFiles.some((file) => file.mediaId === mediaId))
  if (found) return { runId: found.id }
  return {
    state: 'failed',
    endedAt: at,
    error: { code: 'CANCELLED', message: 'Lectern quit before it was sent', retriable: true, at },
  }
}

/** Number of runs searched for it: it was one of the last before the app ended. */
const maxRuns = 50
