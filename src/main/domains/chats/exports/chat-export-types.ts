import type { ChatMessage, ChatSettings } from '../../../../shared/model/chat.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'

/** Export formats of a chat. */
export type ChatFormat = 'md' | 'html' | 'json'

/** Properties of a chat that precede its messages. Times are Unix milliseconds. */
export interface ChatHead {
  readonly title: string
  readonly tags: readonly string[]
  readonly settings: ChatSettings
  /** Name of the assistant, as listed; null when it is in no list, and for the agent. */
  readonly who: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly leafId: string | null
  /** Number of messages that follow. */
  readonly messages: number
  readonly appVersion: string
  readonly exportedAt: number
}

/** Options of the export. */
export interface ChatOptions {
  readonly language: ExportLanguage
  /** Includes reasoning and tool calls; JSON always has them. */
  readonly steps: boolean
  /** Only messages: no front matter and no title, for the clipboard. Markdown only. */
  readonly bare?: boolean
  /** IANA time zone of the exported times; the computer's own when absent. */
  readonly timeZone?: string
}

/** A message sent to the worker, without its siblings: those follow from their parents. */
export interface ChatExportChunk {
  readonly message: ChatMessage
  /**
   * SHA-256 of attached files and documents in hexadecimal digits, by media ID and item ID; missing files are left out.
   */
  readonly hashes: Readonly<Record<string, string>>
}

/** Writes messages as they arrive, in order. */
export interface ChatWriter {
  message(chunk: ChatExportChunk): Promise<void>
  /** Writes what follows the last message. */
  end(): Promise<void>
}
