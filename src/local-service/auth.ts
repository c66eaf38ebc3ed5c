import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from './errors.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Checks `Authorization: Bearer <key>` (service-notes 1) in constant time. Throws ServiceError with HTTP 401. */
export function authorise(header: string | undefined, key: string): void {
  if (!header) throw new ServiceError('noKey', 'The Authorization header is missing')
  const given = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (given === undefined || !timingSafeEqual(digest(given), digest(key)))
    throw new ServiceError('wrongKey', 'The API key was rejected')
}
