import { readFile } from 'node:fs/promises'
import type { ErrorCode } from '../../../../shared/contract/reply.ts'
import { AppError } from '../../../errors.ts'
import { readChatJson } from './read-json.ts'
import { remade, type RemadeChat, type RemadeMessage } from './reassign-chat-ids.ts'

/**
 * Requests for a JSON file that is read in the worker; `prefix` begins every new ID and identifies the open file.
 */
export type ChatJsonRequest =
  | { readonly chatJson: 'open'; readonly path: string; readonly prefix: string }
  | { readonly chatJson: 'next' | 'close'; readonly prefix: string }

/** Replies: `refused` for a file that cannot be imported, `page` null after the last one. */
export type ChatJsonAnswer =
  | {
      readonly refused: {
        readonly code: ErrorCode
        readonly message: string
        readonly params: AppError['params']
      }
    }
  | { readonly head: Omit<RemadeChat, 'messages'> }
  | { readonly page: readonly RemadeMessage[] | null }

/** Maximum messages of a page, and their length as JSON. A longer message is sent alone. */
const pageMessages = 200
const pageChars = 256 * 1024

/** Reads JSON and retains it until it is closed, so that it can be sent in pages. */
export function createChatJsonWorker(): {
  answer(request: ChatJsonRequest): Promise<ChatJsonAnswer>
} {
  const opened = new Map<string, Iterator<readonly RemadeMessage[], undefined>>()
  return {
    async answer(request) {
      const { prefix } = request
      if (request.chatJson === 'open') {
        try {
          const { messages, ...head } = remade(
            readChatJson(await readFile(request.path, 'utf8')),
            prefix,
          )
          opened.set(prefix, pagesOf(messages))
          return { head }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const { code, message, params } = error
          return { refused: { code, message, params } }
        }
      }
      if (request.chatJson === 'close') {
        opened.delete(prefix)
        return { page: null }
      }
      const pages = opened.get(prefix)
      if (!pages) throw new Error('The JSON is not open')
      return { page: pages.next().value ?? null }
    },
  }
}

function* pagesOf(
  messages: readonly RemadeMessage[],
): Generator<readonly RemadeMessage[], undefined> {
  let page: RemadeMessage[] = []
  let chars = 0
  for (const message of messages) {
    const length = JSON.stringify(message).length
    if (page.length > 0 && (page.length >= pageMessages || chars + length > pageChars)) {
      yield page
      page = []
      chars = 0
    }
    page.push(message)
    chars += length
  }
  if (page.length > 0) yield page
  return undefined
}
