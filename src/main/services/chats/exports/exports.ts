import { createReadStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ChatMessage, Conversation } from '../../../../shared/model/chat.ts'
import type { Clock, Ids, Log, WorkerUrl } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type {
  ChatExportAnswer,
  ChatExportRequest,
} from '../../../exports/chats/chat-export-worker.ts'
import type { ChatJsonAnswer, ChatJsonRequest } from '../../../exports/chats/chat-json-worker.ts'
import type { ChatFormat, ChatHead, ChatOptions } from '../../../exports/chats/types.ts'
import { discard } from '../../../../system/file-moves.ts'
import type { MediaFiles } from '../../../media/files.ts'
import type { Store } from '../../../store/types.ts'
import { createWorkerClient } from '../../../workers/client.ts'
import { fileName } from '../../meetings/exports/exports.ts'
import type { ChatExports } from '../types.ts'
import { importJson } from './import.ts'
import { stretches } from './message-ranges.ts'

/** What exports of conversations are built from. */
export interface ChatExportsDeps {
  readonly home: string
  readonly version: string
  readonly workerUrl: WorkerUrl
  readonly store: Pick<Store, 'chats' | 'media' | 'documents'>
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
  /** The account that an imported conversation goes on with. */
  activeAccount(): { readonly id: string; readonly name: string }
  /** A conversation was taken in. */
  onConversation(conversation: Conversation): void
  onLibrary(itemIds: readonly string[]): void
  /** Prints a page of ours into a PDF; absent where the host cannot. */
  readonly printPdf?: ((htmlPath: string) => Promise<Uint8Array>) | undefined
}

/** Builds exports: messages go to a worker in stretches, what comes of it is a kept file that housekeeping sweeps a day later. */
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
    if (!conversation) throw new AppError('NOT_FOUND', 'There is no such conversation')
    return conversation
  }

  /** Writes one conversation into a file that must not be there yet; gives its bytes. */
  async function writeOne(
    conversation: Conversation,
    to: string,
    format: ChatFormat | 'pdf',
    options: ChatOptions,
  ): Promise<number> {
    if (format !== 'pdf') return writeText(conversation, to, format, options)
    const { printPdf } = deps
    if (!printPdf) throw new AppError('NOT_IMPLEMENTED', 'This host prints in the browser')
    const html = `${to}.html`
    await writeText(conversation, html, 'html', options)
    const pdf = await printPdf(html)
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
      for (const stretch of stretches(messages(), store)) {
        closing.signal.throwIfAborted()
        const message = stretch[0]?.message
        if (message?.shortened)
          for (const part of store.chats.parts(message.id))
            await worker.call({ chat: 'part', job, part })
        await worker.call({ chat: 'messages', job, messages: stretch })
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

  /** Works in a folder of its own, which goes whatever happens. */
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
      if (!first) throw new AppError('NOT_FOUND', 'There is no such conversation')
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
      deps.onConversation(conversation)
      deps.onLibrary([conversation.id])
      return { conversations: [conversation] }
    },
    async close() {
      closing.abort()
      await worker.close()
    },
  }
}

function bytesOf(answer: ChatExportAnswer | ChatJsonAnswer): number {
  if (typeof answer !== 'number') throw new AppError('INTERNAL', 'Nothing was written')
  return answer
}

/** The title as a file name; `conversation` where nothing of it can be one. */
const nameOf = (title: string, ending: string): string =>
  fileName(title, ending).replace(/^meeting\.(?=\w+$)/, (name) =>
    title.trim().toLowerCase() === 'meeting' ? name : 'conversation.',
  )

/** Names that are there already get a number; systems do not tell large from small letters. */
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
