import { AppError } from '../../../src/main/errors.ts'
import { createUnsaved, type RetryingWrite } from '../../../src/main/services/storage/unsaved.ts'
import type { UnsavedReplies } from '../../../src/shared/model/connection.ts'
import { memoryLog } from '../store/fixture.ts'

/** Keeps what was received until the store takes it; `told` is what the status bar is told. */
export function unsavedReplies(): {
  readonly keep: RetryingWrite
  readonly reported: (UnsavedReplies | null)[]
} {
  const reported: (UnsavedReplies | null)[] = []
  const { keep } = createUnsaved({ log: memoryLog(), onChange: (now) => void reported.push(now) })
  return { keep, reported }
}

/** Makes a write of a store meet a full disk so many times; gives the number of tries so far. */
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
