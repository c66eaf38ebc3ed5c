import type { ActivityCall } from '../../../shared/model/activity.ts'
import type { Log } from '../../deps.ts'
import type { NewActivityCall, Store } from '../../store/types.ts'

/** What the recorder needs. */
export interface RecorderDeps {
  readonly store: Store
  readonly log: Log
  onAdded(call: ActivityCall): void
  /** Told of every call, also of those that could not be written down. */
  observe(call: NewActivityCall): void
}

/** Writes each call to Activity. Never throws: a full disk must not fail the call that is recorded. */
export function createRecorder({ store, log, onAdded, observe }: RecorderDeps) {
  return (call: NewActivityCall): void => {
    try {
      if (store.writable) onAdded(store.activity.add(call))
    } catch (error) {
      log.warn('a call was not recorded', { operation: call.operation, error })
    }
    observe(call)
  }
}
