import { AppError } from '../errors.ts'
import type { CallParts } from './call.ts'

/** Stands for a family until its file is written: every call refuses. */
export function notBuilt<T extends object>(_parts: CallParts): T {
  return new Proxy({} as T, {
    get: () => () => Promise.reject(new AppError('NOT_IMPLEMENTED', 'This is not built yet.')),
  })
}
