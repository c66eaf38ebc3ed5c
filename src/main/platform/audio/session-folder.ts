import { join } from 'node:path'
import { AppError } from '../../errors.ts'

/** Pattern of meeting IDs before they become part of a path: no dots, no separators. */
export const sessionIdPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Returns the folder that contains every session. */
export const sessionsFolder = (home: string): string => join(home, 'meetings')

/** Returns the folder of a meeting's audio. Throws NOT_FOUND for an invalid ID, so that no ID leads out of the folder. */
export function sessionFolder(home: string, id: string): string {
  if (!sessionIdPattern.test(id)) throw new AppError('NOT_FOUND', 'Meeting not found')
  return join(sessionsFolder(home), id)
}
