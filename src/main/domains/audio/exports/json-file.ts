import { stat } from 'node:fs/promises'
import type { MeetingJsonHead, MeetingJsonPage } from '../../../../shared/contract/meeting-json.ts'
import { AppError } from '../../../errors.ts'
import type { JsonAnswer, JsonRequest } from './json-worker.ts'

/** A Lectern JSON file, read and checked off the main thread. */
export interface JsonFile {
  readonly head: MeetingJsonHead
  /** Total number of rows. */
  readonly rows: number
  /** Returns the next rows, a limited number with newly generated IDs; null after the last. */
  next(): Promise<MeetingJsonPage | null>
  /** Releases the worker's resources. */
  close(): Promise<void>
}

/** Maximum size of a JSON file in bytes: a day of speech is some 20 MB. */
const largestJson = 64 * 1024 * 1024

/**
 * Opens a Lectern JSON file. Throws FILE_TOO_LARGE, UNSUPPORTED_FORMAT for other JSON, DAMAGED_FILE for an invalid Lectern file.
 */
export async function openJsonFile(
  call: (request: JsonRequest) => Promise<JsonAnswer>,
  path: string,
  prefix: string,
): Promise<JsonFile> {
  const { size } = await stat(path)
  if (size > largestJson)
    throw new AppError('FILE_TOO_LARGE', 'The JSON is too large', {
      params: { what: 'file', limit: largestJson, value: size },
    })
  const opened = await call({ json: 'open', path, prefix })
  if ('refused' in opened) {
    const { code, message, params } = opened.refused
    throw new AppError(code, message, { ...(params && { params }) })
  }
  if (!('head' in opened)) throw new Error('The JSON was opened without its header')
  return {
    ...opened,
    async next() {
      const answer = await call({ json: 'next', prefix })
      return 'page' in answer ? answer.page : null
    },
    async close() {
      // A worker that has ended holds no resources.
      await call({ json: 'close', prefix }).catch(() => undefined)
    },
  }
}
