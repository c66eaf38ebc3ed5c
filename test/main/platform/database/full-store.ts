import { AppError } from '../../../../src/main/errors.ts'
import {
  createUnsaved,
  type RetryingWrite,
} from '../../../../src/main/platform/database/unsaved.ts'
import type { UnsavedReplies } from '../../../../src/shared/model/connection.ts'
import { memoryLog } from './fixture.ts'

/** Holds received data until the store accepts it; `told` contains the notifications to the status bar. */
export function unsavedReplies(): {
  readonly keep: RetryingWrite
  readonly reported: (UnsavedReplies | null)[]
} {
  const reported: (UnsavedReplies | null)[] = []
  const { keep } = createUnsaved({ log: memoryLog(), onChange: (now) => void reported.push(now) })
  return { keep, reported }
}

/** Makes a store method fail with a full disk the given number of times; returns the number of attempts so far. */
export function fullFor<T extends object>(store: T, write: keyof T, times: number): () => number {
  const real = store[write]
  if (typeof real !== 'function') throw new Error('That is no write')
  let tries = 0
  const meeting = (...input: unknown[]): unknown => {
    tries += 1
    if (tries <= times) throw new AppError('DISK_FULL', 'The disk is full')
    return Reflect.apply(real, store, input)
  }
  Object.assign(store, { [write]: meeting })
  return () => tries
}
