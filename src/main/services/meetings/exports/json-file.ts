import { stat } from 'node:fs/promises'
import type { MeetingJsonHead, MeetingJsonPage } from '../../../../shared/bridge/meeting-json.ts'
import { AppError } from '../../../errors.ts'
import type { JsonAnswer, JsonRequest } from '../../../exports/json-worker.ts'

/** Our json, read and checked beside the main thread. */
export interface JsonFile {
  readonly head: MeetingJsonHead
  /** Rows of all pages. */
  readonly rows: number
  /** The next rows, a bounded number of them, their ids made anew; null after the last. */
  next(): Promise<MeetingJsonPage | null>
  /** Lets go of what the worker holds. */
  close(): Promise<void>
}

/** Largest json that is read, in bytes: a day of talk is some 20 MB. */
const largestJson = 64 * 1024 * 1024

/** Opens our json. Throws FILE_TOO_LARGE, UNSUPPORTED_FORMAT for json of others, DAMAGED_FILE for ours when it does not hold together. */
export async function openJsonFile(
  call: (request: JsonRequest) => Promise<JsonAnswer>,
  path: string,
  prefix: string,
): Promise<JsonFile> {
  const { size } = await stat(path)
  if (size > largestJson)
    throw new AppError('FILE_TOO_LARGE', 'The json is too large', {
      params: { what: 'file', limit: largestJson, value: size },
    })
  const opened = await call({ json: 'open', path, prefix })
  if ('refused' in opened) {
    const { code, message, params } = opened.refused
    throw new AppError(code, message, { ...(params && { params }) })
  }
  if (!('head' in opened)) throw new Error('A json was opened without its head')
  return {
    ...opened,
    async next() {
      const answer = await call({ json: 'next', prefix })
      return 'page' in answer ? answer.page : null
    },
    async close() {
      // A worker that is gone holds nothing.
      await call({ json: 'close', prefix }).catch(() => undefined)
    },
  }
}
