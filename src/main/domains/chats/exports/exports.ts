import { createReadStream } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { chatJsonLimits } from '../../../../shared/chats/chat-json-limits.ts'
import type { ChatMessage, Conversation, ChatAttachment } from '../../../../shared/model/chat.ts'
import { discard } from '../../../../system/file-moves.ts'
import type { Log } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { ChatExportAnswer, ChatExportRequest } from './chat-export-worker.ts'
import type { ChatJsonAnswer, ChatJsonRequest } from './chat-json-worker.ts'
import type { RemadeMessage } from './reassign-chat-ids.ts'
import type { ChatFormat, ChatHead, ChatOptions, ChatExportChunk } from './chat-export-types.ts'
import { printedPage } from '../../../platform/export-files/html-page.ts'
import { contentId } from '../../../platform/files/content-id.ts'
import type { Context } from '../../../context.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import { createWorkerClient } from '../../../platform/workers/client.ts'
import { fileName } from '../../../platform/files/display-name.ts'
import type { ChatExports } from '../service/chat-service-types.ts'

interface ChatExportsDeps extends Pick<
  Context,
  'home' | 'version' | 'workerUrl' | 'clock' | 'ids' | 'emit' | 'printPdf'
> {
  readonly store: Pick<Store, 'chats' | 'media' | 'documents'>
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly log: Pick<Log, 'warn'>
  /** Returns the account with which an imported conversation continues. */
  activeAccount(): { readonly id: string; readonly name: string }
}

/**
 * Creates the exports: messages are sent to a worker in batches; the result is a saved file that housekeeping deletes a
 * day later.
 */
export function createChatExports(deps: ChatExportsDeps): ChatExports {
  const { store, files } = deps
  const worker = createWorkerClient<
    ChatExportRequest | ChatJsonRequest,
    ChatExportAnswer | ChatJsonAnswer
  >({ url: deps.workerUrl('exports'), name: 'Chat exports' })
  const closing = new AbortController()
  const root = join(deps.home, 'exports')

  const need = (id: string): Conversation => {
    const conversation = store.chats.get(id)
    if (!conversation) throw new AppError('NOT_FOUND', 'Chat not found')
    return conversation
  }

  /** Writes one conversation to a file that must not exist yet; returns its size in bytes. */
  async function writeOne(
    conversation: Conversation,
    to: string,
    format: ChatFormat | 'pdf',
    options: ChatOptions,
  ): Promise<number> {
    if (format !== 'pdf') return writeText(conversation, to, format, options)
    const html = `${to}.html`
    await writeText(conversation, html, 'html', options)
    const pdf = await printedPage(deps.printPdf, html)
    await writeFile(to, pdf, { flag: 'wx', mode: 0o600 })
    return pdf.length
  }

  async function writeText(
    conversation: Conversation,
    to: string,
    format: ChatFormat,
    options: ChatOptions,
  ): Promise<number> {
    const job = deps.ids()
    const { id } = conversation
    const messages = (): Iterable<ChatMessage> =>
      format === 'json' ? store.chats.all(id) : store.chats.branch(id)
    try {
      const head = headOf(conversation, format === 'json')
      await worker.call({ chat: 'begin', job, format, head, options, to })
      for (const range of messageRanges(messages(), store)) {
        closing.signal.throwIfAborted()
        const message = range[0]?.message
        if (message) requireWhole(message, format === 'json' || options.steps)
        if (message?.shortened && message.state !== 'running')
          for (const part of store.chats.parts(message.id))
            await worker.call({ chat: 'part', job, part })
        await worker.call({ chat: 'messages', job, messages: range })
      }
      return bytesOf(await worker.call({ chat: 'end', job }))
    } catch (error) {
      await worker.call({ chat: 'drop', job }).catch(() => undefined)
      throw error
    }
  }

  async function packed(
    folder: string,
    first: Conversation,
    written: readonly { readonly path: string; readonly name: string }[],
  ) {
    const to = join(folder, 'packed')
    const bytes = bytesOf(await worker.call({ chat: 'pack', files: written, to }))
    return { path: to, name: nameOf(first.title, 'zip'), bytes }
  }

  /** Runs work in a separate folder, which is always deleted afterwards. */
  async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(root, deps.ids())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      return await work(folder)
    } finally {
      await discard(folder, deps.log)
    }
  }

  function headOf(conversation: Conversation, everything: boolean): ChatHead {
    const { title, tags, settings, createdAt, updatedAt, leafId } = conversation
    const shown = store.chats.window(conversation.id, null, 1)
    const messages = everything ? conversation.messages : shown.before + shown.messages.length
    const listed =
      settings.kind === 'assistant'
        ? store.chats
            .assistants(conversation.accountId)
            .assistants.find(({ id }) => id === settings.assistantId)
        : undefined
    return {
      title,
      tags,
      settings,
      who: listed?.name ?? null,
      createdAt,
      updatedAt,
      leafId,
      messages,
      appVersion: deps.version,
      exportedAt: deps.clock(),
    }
  }

  return {
    async copy({ id, language }) {
      const conversation = need(id)
      return inFolder(async (folder) => {
        const path = join(folder, 'copied')
        await writeOne(conversation, path, 'md', { language, steps: false, bare: true })
        return { markdown: (await readFile(path, 'utf8')).trim() }
      })
    },
    async export({ id, also, format, steps, language }) {
      const wanted = [...new Set([id, ...also])].map(need)
      const [first] = wanted
      if (!first) throw new AppError('NOT_FOUND', 'Chat not found')
      return inFolder(async (folder) => {
        const options = { language, steps }
        const written: { path: string; name: string; bytes: number }[] = []
        const names = uniqueNames(wanted.map(({ title }) => nameOf(title, format)))
        for (const [at, conversation] of wanted.entries()) {
          const path = join(folder, String(at))
          const bytes = await writeOne(conversation, path, format, options)
          written.push({ path, name: names[at] ?? `${at}.${format}`, bytes })
        }
        const [only] = written
        const whole = written.length === 1 && only ? only : await packed(folder, first, written)
        const body = Readable.toWeb(createReadStream(whole.path)) as ReadableStream<Uint8Array>
        const isPage = format === 'html' && whole === only
        const media = await files.intake(
          body,
          whole.name,
          whole.bytes,
          closing.signal,
          isPage ? 'ownPage' : 'received',
        )
        return { mediaId: media.id, name: whole.name }
      })
    },
    async import({ mediaId }) {
      const path = await files.path(mediaId)
      const prefix = deps.ids()
      const ask = async (request: ChatJsonRequest): Promise<ChatJsonAnswer> =>
        (await worker.call(request)) as ChatJsonAnswer
      const conversation = await importJson(ask, { ...deps, path, prefix })
      deps.emit({ type: 'chat.changed', conversation })
      deps.emit({ type: 'library.changed', itemIds: [conversation.id] })
      return conversation
    },
    async close() {
      closing.abort()
      await worker.close()
    },
  }
}

/** Throws REFUSED for a running answer of which only the beginning can be read: the rest follows at its end. */
function requireWhole({ state, text, shortened }: ChatMessage, withSteps: boolean): void {
  if (state !== 'running' || !shortened) return
  if (shortened.text > text.length || (withSteps && shortened.steps))
    throw new AppError('REFUSED', 'A long answer in this chat is still being written', {
      retriable: true,
      params: { problem: 'answering' },
    })
}

function bytesOf(answer: ChatExportAnswer | ChatJsonAnswer): number {
  if (typeof answer !== 'number') throw new AppError('INTERNAL', 'No output was written')
  return answer
}

/** Returns the title as a file name; `conversation` where no part of it is usable. */
const nameOf = (title: string, ending: string): string =>
  fileName(title, ending).replace(/^meeting\.(?=\w+$)/, (name) =>
    title.trim().toLowerCase() === 'meeting' ? name : 'conversation.',
  )

/** Appends a number to duplicate names; file systems may not distinguish case. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let copy = 2; taken.has(free.toLowerCase()); copy += 1)
      free = name.replace(/(\.\w+)$/, ` (${copy})$1`)
    taken.add(free.toLowerCase())
    return free
  })
}

/**
 * Maximum number of messages and characters per batch: the work of one step of the main thread. A longer message is sent
 * alone, and so is one with parts.
 */
const maxMessages = 50
const maxChars = 256 * 1024

/** Yields messages in batches for the worker, each with the hashes of its attachments. */
function* messageRanges(
  messages: Iterable<ChatMessage>,
  store: Pick<Store, 'media' | 'documents'>,
): Generator<readonly ChatExportChunk[]> {
  let range: ChatExportChunk[] = []
  let chars = 0
  for (const message of messages) {
    const length = message.shortened
      ? Infinity
      : message.text.length + message.steps.reduce((sum, step) => sum + charsOf(step), 0)
    if (range.length > 0 && (range.length >= maxMessages || chars + length > maxChars)) {
      yield range
      range = []
      chars = 0
    }
    // Siblings are determined by the parents, and a list of thousands would be copied with each message.
    range.push({ message: { ...message, siblings: [] }, hashes: hashesOf(message, store) })
    chars += length
  }
  if (range.length > 0) yield range
}

/** Approximate number of characters of a step: tool output has any size. */
const charsOf = (step: ChatMessage['steps'][number]): number =>
  step.kind === 'reasoning' || step.kind === 'thought'
    ? step.text.length
    : JSON.stringify(step).length

function hashesOf(
  { attachments }: ChatMessage,
  store: Pick<Store, 'media' | 'documents'>,
): Readonly<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const one of attachments) {
    if (one.kind === 'meeting') continue
    const isDocument = one.kind === 'document'
    const id = isDocument ? one.itemId : one.mediaId
    const mediaId = isDocument ? store.documents.get(id)?.mediaId : id
    const sha256 = mediaId ? store.media.get(mediaId)?.sha256 : undefined
    if (sha256 !== undefined) hashes[id] = sha256
  }
  return hashes
}

/** Dependencies for importing a file. */
interface TakingIn {
  readonly path: string
  /** ID of the conversation, and prefix of the IDs of its messages. */
  readonly prefix: string
  readonly store: Pick<Store, 'chats'>
  activeAccount(): { readonly id: string; readonly name: string }
}

/** Imports a conversation. Throws FILE_TOO_LARGE, UNSUPPORTED_FORMAT and DAMAGED_FILE, and then imports nothing. */
async function importJson(
  ask: (request: ChatJsonRequest) => Promise<ChatJsonAnswer>,
  parts: TakingIn,
): Promise<Conversation> {
  const { path, prefix, store } = parts
  const { size } = await stat(path)
  if (size > chatJsonLimits.bytes)
    throw new AppError('FILE_TOO_LARGE', 'The JSON is too large', {
      params: { what: 'file', limit: chatJsonLimits.bytes, value: size },
    })
  const opened = await ask({ chatJson: 'open', path, prefix })
  if ('refused' in opened) {
    const { code, message, params } = opened.refused
    throw new AppError(code, message, { ...(params && { params }) })
  }
  if (!('head' in opened)) throw new Error('The JSON was opened without its header')
  const { head } = opened
  try {
    const messages = await allMessages(ask, prefix)
    const account = parts.activeAccount()
    return await store.chats.importConversation(
      {
        id: prefix,
        title: unturned(head.title),
        settings: head.settings,
        accountId: account.id,
        accountName: account.name,
        temporary: false,
        folderId: null,
        tags: [...new Set(head.tags.map(unturned))].filter((tag) => tag !== ''),
        at: head.createdAt,
      },
      messages,
      head.leafId,
    )
  } finally {
    // A worker that is gone has no data.
    await ask({ chatJson: 'close', prefix }).catch(() => undefined)
  }
}

/** Returns all messages, page by page. Siblings are determined by their parents. */
async function allMessages(
  ask: (request: ChatJsonRequest) => Promise<ChatJsonAnswer>,
  prefix: string,
): Promise<readonly ChatMessage[]> {
  const all: ChatMessage[] = []
  for (;;) {
    const answer = await ask({ chatJson: 'next', prefix })
    if (!('page' in answer) || answer.page === null) return all
    for (const message of answer.page)
      all.push({ ...message, siblings: [], attachments: message.attachments.map(attachmentOf) })
  }
}

/**
 * Files are identified by their content: a missing file still gets an entry, and opens once it is added. None of them is
 * sent, and no provider ID is trusted: a stranger may have written the file.
 */
function attachmentOf(one: RemadeMessage['attachments'][number]): ChatAttachment {
  if (one.kind === 'document') {
    const { kind, itemId, title, pages } = one
    return { kind, itemId, title: unturned(title), pages, imported: true }
  }
  if (one.kind === 'meeting') return { ...one, name: unturned(one.name), imported: true }
  const mediaId = one.sha256 === null ? 'gone' : contentId(one.sha256)
  const named = { mediaId, name: unturned(one.name), imported: true } as const
  return one.kind === 'image'
    ? { kind: 'image', ...named }
    : { kind: 'file', ...named, fileId: null }
}

/** Removes bidirectional control characters from a name: a stranger's file must not be shown with a false extension. */
const unturned = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
