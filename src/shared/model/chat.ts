import type { Failure } from '../contract/reply.ts'
import type { AnswerStep } from '../chats/answer-step.ts'
import type { Shortened } from '../chats/shown-answer.ts'

/** Retrieval agent settings (service-notes 6). Null numbers use the provider's default. */
export interface AgentSettings {
  readonly kind: 'agent'
  /** Knowledge bases it may search; at least one is required before asking. */
  readonly knowledgeIds: readonly string[]
  readonly topK: number | null
  readonly topN: number | null
  readonly rerank: boolean
  readonly similarityThreshold: number | null
  /** Model ID independent of the provider; null: the provider's default. */
  readonly model: string | null
  readonly temperature: number | null
  readonly maxSteps: number | null
  readonly thinking: boolean
}

/** Assistant settings (service-notes 8). */
export interface AssistantSettings {
  readonly kind: 'assistant'
  readonly assistantId: string
  /** Null: `gen-4-assistant`. */
  readonly model: string | null
  readonly doSample: boolean | null
  /** Language codes. */
  readonly translate: { readonly from: string; readonly to: string } | null
}

/** Who answers a chat, with the settings. */
export type ChatSettings = AgentSettings | AssistantSettings

/**
 * Attachment of a question. `imported`: named by a chat that was imported from a file. The author of that file must not
 * choose what leaves this library: such an attachment is shown, but never sent.
 */
export type ChatAttachment =
  /** Stored image, sent inside the message. */
  (
    | { readonly kind: 'image'; readonly mediaId: string; readonly name: string }
    /** A document of the Library, sent as the text of its pages; `pages` as a text like "1-3, 7"; empty means all. */
    | {
        readonly kind: 'document'
        readonly itemId: string
        readonly title: string
        readonly pages: string
        /** The pages that a question contains if not all of them fitted; set when it is sent. */
        readonly sent?: string | undefined
      }
    /** A meeting of the Library, sent as its transcript with times. */
    | { readonly kind: 'meeting'; readonly itemId: string; readonly name: string }
    /** A saved file that is uploaded to the provider, for assistants. `fileId` is its ID there, after the upload. */
    | {
        readonly kind: 'file'
        readonly mediaId: string
        readonly name: string
        readonly fileId: string | null
      }
  ) & { readonly imported?: true }

/** Unsent input of the user. */
export interface ChatDraft {
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
}

/** Tokens as counted by the provider; null if it did not. */
export interface TokenUse {
  readonly prompt: number | null
  readonly completion: number | null
  readonly total: number | null
  readonly reasoning: number | null
  readonly cached: number | null
}

/**
 * Of a question: `queued` (the previous answer is not finished), `waiting` (for the network or an API key), `done`
 * (sent). Of an answer: `running`, `done`, `stopped` by the user, `failed` (rejected, or nothing was received), `broken`
 * (interrupted). Received content is saved in every state.
 */
export type MessageState =
  | 'queued'
  | 'waiting'
  | 'running'
  | 'done'
  | 'stopped'
  | 'failed'
  | 'broken'

/** Source positions by the provider's own IDs (service-notes 11), as fetched for a message. */
export interface SliceReply {
  readonly requestId: string
  readonly nodeId: string
  readonly at: number
  /** `data` of the response, unchanged. */
  readonly data: unknown
}

/** Message in a chat's tree. Times are Unix milliseconds. */
export interface ChatMessage {
  readonly id: string
  readonly conversationId: string
  /** ID of the parent message; null at the beginning. */
  readonly parentId: string | null
  readonly role: 'user' | 'assistant'
  readonly state: MessageState
  /** As written or received: Markdown including citations. */
  readonly text: string
  /** Number of messages before it on its path. */
  readonly depth: number
  /** All messages with the same parent and role, including itself, oldest first. */
  readonly siblings: readonly string[]
  readonly attachments: readonly ChatAttachment[]
  /** Reasoning and tool calls of an answer, in order. */
  readonly steps: readonly AnswerStep[]
  /** Set for an answer that is longer than a message: `text` is its beginning, and values in `steps` may be cut. */
  readonly shortened?: Shortened
  readonly slices: readonly SliceReply[]
  /** Stream of a running answer; null for questions. */
  readonly streamId: string | null
  /** Index of the next event of a running answer: earlier ones are included in `text` and `steps`. */
  readonly nextEvent: number
  readonly settings: ChatSettings | null
  /** As named in the response. */
  readonly model: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly finishReason: string | null
  readonly usage: TokenUse | null
  /** ID of the answer at the provider. */
  readonly serviceMessageId: string | null
  readonly requestId: string | null
  /** Number of earlier turns that were sent again, if a branch started a new session; otherwise 0. */
  readonly resentTurns: number
  readonly error: Failure | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** `queued` and `waiting` are those of its newest question; `answering`: an answer is running. */
export type ConversationState = 'idle' | 'answering' | 'queued' | 'waiting'

export interface ConversationBrief {
  readonly state: ConversationState
  readonly settings: ChatSettings
  readonly accountId: string
  readonly accountName: string
  /** Number of messages on all branches. */
  readonly messages: number
  /** Unsent question. */
  readonly draft: ChatDraft | null
  readonly starred: boolean
  readonly folderId: string | null
  readonly tags: readonly string[]
  /** Deleted permanently when it is left or Lectern quits; not included in lists and search. */
  readonly temporary: boolean
}

export interface Conversation extends ConversationBrief {
  readonly id: string
  readonly title: string
  /** Beginning of the newest message. */
  readonly excerpt: string
  /** End of the shown branch; null while the chat is empty. */
  readonly leafId: string | null
  /** Total of all its answers. */
  readonly usage: TokenUse
  readonly createdAt: number
  /** Time of its newest message or of its creation; the sort key of lists. */
  readonly lastAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

/** Range of the shown branch, in order, and the number of messages around it. */
export interface MessageWindow {
  readonly messages: readonly ChatMessage[]
  /** Number of messages of the branch before and after the range. */
  readonly before: number
  readonly after: number
}

/** Available filters of chats in addition to those of all items: responders (`agent` or an assistant's ID), most used first. */
export interface ChatFacets {
  readonly whos: readonly string[]
}

/**
 * Prompt of the library. `{{name}}` in its text is filled in before use; `name` is what follows the slash.
 */
export interface ChatPrompt {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly updatedAt: number
}

/** Message that matches a search. Offsets are UTF-16 units in `snippet`. */
export interface MessageHit {
  readonly conversationId: string
  readonly messageId: string
  readonly title: string
  readonly role: 'user' | 'assistant'
  readonly snippet: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** UTF-16 offset of the first match in the message's text. */
  readonly offset: number
  readonly createdAt: number
}

/** Starter question: the text of its button, and the question itself. A plain string is both. */
export type StarterPrompt = string | { readonly title: string; readonly text: string }

/** Assistant as listed (service-notes 8); `listedAt` is null for a predefined one that was never listed. */
export interface ListedAssistant {
  readonly id: string
  readonly name: string
  readonly avatar: string | null
  readonly description: string
  readonly tools: readonly string[]
  readonly tags: readonly string[]
  readonly starterPrompts: readonly StarterPrompt[]
  readonly listedAt: number | null
}
