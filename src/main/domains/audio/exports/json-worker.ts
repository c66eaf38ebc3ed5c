import { readFile } from 'node:fs/promises'
import {
  type MeetingJsonHead,
  type MeetingJsonPage,
  meetingJson,
  type MeetingJson,
} from '../../../../shared/contract/meeting-json.ts'
import type { ErrorCode } from '../../../../shared/contract/reply.ts'
import { AppError } from '../../../errors.ts'
import { headOf, jsonPages } from './json-pages.ts'
import { remade } from './reassign-ids.ts'

/** Requests to parse JSON in the worker; `prefix` begins every new ID and identifies the opened file. */
export type JsonRequest =
  | { readonly json: 'open'; readonly path: string; readonly prefix: string }
  | { readonly json: 'next' | 'close'; readonly prefix: string }

/** Responses: `refused` for a file that is not a Lectern meeting, `page` null after the last one. */
export type JsonAnswer =
  | {
      readonly refused: {
        readonly code: ErrorCode
        readonly message: string
        readonly params: AppError['params']
      }
    }
  | { readonly head: MeetingJsonHead; readonly rows: number }
  | { readonly page: MeetingJsonPage | null }

/** Parses JSON and retains what was opened until it is closed, so that it can be returned in pages. */
export function createJsonWorker(): { answer(request: JsonRequest): Promise<JsonAnswer> } {
  const opened = new Map<string, Iterator<MeetingJsonPage, undefined>>()
  return {
    async answer(request) {
      const { prefix } = request
      if (request.json === 'open') {
        try {
          const json = remade(readMeetingJson(await readFile(request.path, 'utf8')), prefix)
          opened.set(prefix, jsonPages(json))
          return headOf(json)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const { code, message, params } = error
          return { refused: { code, message, params } }
        }
      }
      if (request.json === 'close') {
        opened.delete(prefix)
        return { page: null }
      }
      const pages = opened.get(prefix)
      if (!pages) throw new Error('The JSON is not open')
      return { page: pages.next().value ?? null }
    },
  }
}

/**
 * Parses Lectern's JSON. Throws UNSUPPORTED_FORMAT for other JSON, DAMAGED_FILE for Lectern's if it is inconsistent.
 */
function readMeetingJson(text: string): MeetingJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('DAMAGED_FILE', 'The JSON is invalid or incomplete', {
      params: { kind: 'json' },
    })
  }
  const ours = typeof value === 'object' && value !== null && 'format' in value ? value : null
  if (ours?.format !== 'lectern-meeting')
    throw new AppError('UNSUPPORTED_FORMAT', 'The JSON is not a meeting exported from Lectern', {
      params: { kind: 'json', problem: 'foreign' },
    })
  const read = meetingJson.safeParse(value)
  if (read.success) return read.data
  const reason = read.error.issues[0]?.path.join('.') ?? ''
  throw new AppError('DAMAGED_FILE', `The meeting is inconsistent: ${reason}`, {
    params: { kind: 'json', reason },
  })
}
