import type { ChatMessage, ChatSettings } from '../../../shared/model/chat.ts'
import type { ExportLanguage } from '../labels.ts'

/** Formats a conversation can be written in. */
export type ChatFormat = 'md' | 'html' | 'json'

/** What is told of a conversation before its messages. Times are Unix milliseconds. */
export interface ChatHead {
  readonly title: string
  readonly tags: readonly string[]
  readonly settings: ChatSettings
  /** Name of the assistant that answers, as its list told it; null when no list did, and for the agent. */
  readonly who: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly leafId: string | null
  /** Messages that follow. */
  readonly messages: number
  readonly appVersion: string
  readonly exportedAt: number
}

/** How it is written. */
export interface ChatOptions {
  readonly language: ExportLanguage
  /** With thinking and tool calls; json always has them. */
  readonly steps: boolean
  /** Messages alone: no front matter and no title, for the clipboard. Markdown only. */
  readonly bare?: boolean
  /** IANA name of the zone that times are told in; the computer's own when absent. */
  readonly timeZone?: string
}

/** A message on its way to the worker, without its siblings: those tell themselves by their parents. */
export interface ChatExportChunk {
  readonly message: ChatMessage
  /** SHA-256 of attached files and documents in hexadecimal digits, by media id and item id; what is gone is not among them. */
  readonly hashes: Readonly<Record<string, string>>
}

/** Writes messages as they come, in order. */
export interface ChatWriter {
  message(chunk: ChatExportChunk): Promise<void>
  /** What stands behind the last one. */
  end(): Promise<void>
}
