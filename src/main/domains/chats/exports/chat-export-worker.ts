import { createReadStream } from 'node:fs'
import { rm, readFile } from 'node:fs/promises'
import type { AnswerPart } from '../../../../shared/chats/shown-answer.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { removal } from '../../../../system/file-moves.ts'
import {
  createFile,
  type FileWriter,
  writeFileBy,
} from '../../../platform/export-files/file-writer.ts'
import { createZip } from '../../../platform/export-files/zip.ts'
import { beginHtml } from './html.ts'
import { beginJson } from './json.ts'
import { beginMarkdown } from './markdown.ts'
import type {
  ChatFormat,
  ChatHead,
  ChatOptions,
  ChatExportChunk,
  ChatWriter,
} from './chat-export-types.ts'

/** Requests to the export worker for a chat, whose messages are sent in chunks. */
export type ChatExportRequest =
  | {
      readonly chat: 'begin'
      /** Identifies the export in later requests. */
      readonly job: string
      readonly format: ChatFormat
      readonly head: ChatHead
      readonly options: ChatOptions
      /** Path of the new file, which must not exist yet. */
      readonly to: string
    }
  | {
      readonly chat: 'messages'
      readonly job: string
      readonly messages: readonly ChatExportChunk[]
    }
  /** Part of an answer that is longer than a message; that message is the only one in the next batch. */
  | { readonly chat: 'part'; readonly job: string; readonly part: AnswerPart }
  | { readonly chat: 'end' | 'drop'; readonly job: string }
  /** Packs files into an archive. */
  | { readonly chat: 'pack'; readonly files: readonly PackedFile[]; readonly to: string }

/** Bytes of the file after `end` and `pack`; null after all other requests. */
export type ChatExportAnswer = number | null

interface Job {
  /** Parts of the next message. */
  parts: AnswerPart[]
  readonly file: FileWriter
  readonly writer: ChatWriter
  readonly to: string
}

/** Begins to write a chat in one of the formats. */
export const beginChat = (
  format: ChatFormat,
  file: Pick<FileWriter, 'write'>,
  head: ChatHead,
  options: ChatOptions,
): Promise<ChatWriter> => {
  if (format === 'json') return beginJson(file, head)
  return format === 'md' ? beginMarkdown(file, head, options) : beginHtml(file, head, options)
}

/** Returns a message with its complete text and steps. */
function completeMessage(message: ChatMessage, parts: readonly AnswerPart[]): ChatMessage {
  const { shortened, ...rest } = message
  if (!shortened) return message
  const joined = (kind: AnswerPart['kind']): string =>
    parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('')
  return {
    ...rest,
    text: message.text + joined('text'),
    steps: readSteps(joined('steps')) ?? message.steps,
  }
}

/** Returns the steps in the parts of an answer; null if there are none or they are damaged. */
function readSteps(json: string): ChatMessage['steps'] | null {
  try {
    const steps = JSON.parse(json) as unknown
    return Array.isArray(steps) ? (steps as ChatMessage['steps']) : null
  } catch {
    return null
  }
}

/** Writes chats whose messages arrive in chunks; replies to a chunk once it is written. */
export function createChatExportWorker(): {
  answer(request: ChatExportRequest): Promise<ChatExportAnswer>
} {
  const jobs = new Map<string, Job>()
  const drop = async (id: string): Promise<void> => {
    const job = jobs.get(id)
    jobs.delete(id)
    await job?.file.close().catch(() => undefined)
    if (job) await rm(job.to, removal)
  }
  return {
    async answer(request) {
      if (request.chat === 'pack') return packFiles(request.files, request.to)
      if (request.chat === 'begin') {
        const { job, format, head, options, to } = request
        const file = await createFile(to)
        const writer = await beginChat(format, file, head, options)
        jobs.set(job, { file, writer, to, parts: [] })
        return null
      }
      if (request.chat === 'drop') {
        await drop(request.job)
        return null
      }
      const job = jobs.get(request.job)
      if (!job) throw new Error('The export was not started')
      if (request.chat === 'part') {
        job.parts.push(request.part)
        return null
      }
      if (request.chat === 'messages') {
        for (const chunk of request.messages)
          await job.writer.message({ ...chunk, message: completeMessage(chunk.message, job.parts) })
        job.parts = []
        return null
      }
      await job.writer.end()
      jobs.delete(request.job)
      await job.file.close()
      return job.file.size
    },
  }
}

/** A file on disk, and its name in the archive. */
interface PackedFile {
  readonly path: string
  readonly name: string
}

/** Packs files into an archive, texts in chunks, PDFs whole; returns its size in bytes. */
function packFiles(files: readonly PackedFile[], to: string): Promise<number> {
  return writeFileBy(to, async (file) => {
    const zip = createZip(file)
    for (const { path, name } of files) {
      if (name.endsWith('.pdf')) {
        await zip.add(name, await readFile(path), 'stored')
        continue
      }
      const entry = await zip.text(name)
      for await (const chunk of createReadStream(path, 'utf8')) await entry.write(String(chunk))
      await entry.end()
    }
    await zip.finish()
  })
}
