import type { ActivityCall } from '../../../../../shared/model/activity.ts'
import type { Log } from '../../../../deps.ts'
import type { NewActivityCall } from '../../../../library-database/types.ts'
import type { Store } from '../../../../library-database/store.ts'

export interface RecorderDeps {
  readonly store: Store
  readonly log: Log
  onAdded(call: ActivityCall): void
}

/** Writes each request to Activity. Never throws: a full disk must not fail the recorded request. */
export function createRecorder({ store, log, onAdded }: RecorderDeps) {
  return (call: NewActivityCall): void => {
    try {
      if (store.writable) onAdded(store.activity.add(call))
    } catch (error) {
      log.warn('failed to record a request', { operation: call.operation, error })
    }
  }
}
