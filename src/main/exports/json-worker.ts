import { readFile } from 'node:fs/promises'
import type { MeetingJsonHead, MeetingJsonPage } from '../../shared/bridge/meeting-json.ts'
import { AppError } from '../errors.ts'
import type { ErrorCode } from '../../shared/bridge/reply.ts'
import { headOf, jsonPages } from './json-pages.ts'
import { readMeetingJson } from './read-json.ts'
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
