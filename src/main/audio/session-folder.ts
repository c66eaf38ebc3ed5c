import { join } from 'node:path'
import { AppError } from '../errors.ts'

/** What a meeting's id may look like before it becomes part of a path: no dots, no separators. */
export const sessionIdPattern = /^[A-Za-z0-9_-]{1,64}$/

/** The folder that holds every session. */
export const sessionsFolder = (home: string): string => join(home, 'meetings')

/** Where a meeting's sound lies. Throws NOT_FOUND for what cannot be an id, so that no id leads out of the folder. */
export function sessionFolder(home: string, id: string): string {
  if (!sessionIdPattern.test(id)) throw new AppError('NOT_FOUND', 'There is no such meeting')
  return join(sessionsFolder(home), id)
}
