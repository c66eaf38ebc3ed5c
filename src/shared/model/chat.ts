import type { Failure } from '../bridge/reply.ts'
import type { AnswerStep } from '../chat/answer.ts'
import type { Shortened } from '../chat/shown-answer.ts'

/** How the retrieval agent is asked (service-notes 6). Numbers that are null are left to the service. */
export interface AgentSettings {
  readonly kind: 'agent'
  /** Knowledge bases it may look into; at least one before it can be asked. */
  readonly knowledgeIds: readonly string[]
  readonly topK: number | null
  readonly topN: number | null
  readonly rerank: boolean
  readonly similarityThreshold: number | null
  /** Neutral id of the model; null: the service's usual one. */
  readonly model: string | null
  readonly temperature: number | null
  readonly maxSteps: number | null
  readonly thinking: boolean
}

/** How an assistant is asked (service-notes 8). */
export interface AssistantSettings {
  readonly kind: 'assistant'
  readonly assistantId: string
  /** `gen-4-assistant` when null. */
  readonly model: string | null
  readonly doSample: boolean | null
  /** Languages by their codes. */
  readonly translate: { readonly from: string; readonly to: string } | null
}

/** Who answers a conversation, and how. */
export type ChatSettings = AgentSettings | AssistantSettings

/**
 * Something that goes with a question. `imported`: a conversation that was read in from a file names it. Whoever wrote that file does not
 * choose what of this library leaves it: such a one is shown, and never sent.
 */
export type ChatAttachment =
  /** A kept picture, sent inside the message. */
  (
    | { readonly kind: 'image'; readonly mediaId: string; readonly name: string }
    /** A document of the Library, sent as the text of its pages; `pages` as people write them, empty means all. */
    | {
        readonly kind: 'document'
        readonly itemId: string
        readonly title: string
        readonly pages: string
      }
    /** A kept file that is uploaded to the service, for assistants. `fileId` is its id there, once it was. */
    | {
        readonly kind: 'file'
        readonly mediaId: string
        readonly name: string
        readonly fileId: string | null
      }
  ) & { readonly imported?: true }

/** What somebody has typed and not sent. */
export interface ChatDraft {
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
}

/** Tokens as the service counted them; null where it did not. */
export interface TokenUse {
  readonly prompt: number | null
  readonly completion: number | null
  readonly total: number | null
  readonly reasoning: number | null
  readonly cached: number | null
}

/**
 * Of a question: `queued` (the answer before it is not over), `waiting` (for the network or a key), `done` (sent). Of an answer: `running`, `done`,
 * `stopped` by the reader, `failed` (refused, or nothing came), `broken` (cut off). What came is kept in every state.
 */
export type MessageState =
  | 'queued'
  | 'waiting'
  | 'running'
  | 'done'
  | 'stopped'
  | 'failed'
  | 'broken'

/** Where a source lies by the service's own ids (service-notes 11), as it was fetched for a message. */
export interface SliceReply {
  readonly requestId: string
  readonly nodeId: string
  readonly at: number
  /** The reply's `data`, as it came. */
  readonly data: unknown
}

/** A message of a conversation's tree. Times are Unix milliseconds. */
export interface ChatMessage {
  readonly id: string
  readonly conversationId: string
  /** The message it follows; null at the beginning. */
  readonly parentId: string | null
  readonly role: 'user' | 'assistant'
  readonly state: MessageState
  /** As written, or as it came: Markdown with the reference marks in it. */
  readonly text: string
  /** Messages from the beginning to it, itself not counted. */
  readonly depth: number
  /** Every message with the same parent and role, itself among them, oldest first. */
  readonly siblings: readonly string[]
  readonly attachments: readonly ChatAttachment[]
  /** Thinking and tool calls of an answer, in their order. */
  readonly steps: readonly AnswerStep[]
  /** Of an answer that is longer than a message: `text` is its beginning, values in `steps` are cut. Absent where all is here. */
  readonly shortened?: Shortened
  readonly slices: readonly SliceReply[]
  /** Carries what comes while it runs; null for questions. */
  readonly streamId: string | null
  /** Place of the next event of a running answer: those before are in `text` and `steps` already. */
  readonly nextEvent: number
  readonly settings: ChatSettings | null
  /** As the reply names it. */
  readonly model: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly finishReason: string | null
  readonly usage: TokenUse | null
  /** Id of the answer at the service. */
  readonly serviceMessageId: string | null
  readonly requestId: string | null
  /** Earlier turns that were told again, where a branch began a session of its own; 0 elsewhere. */
  readonly retold: number
  readonly error: Failure | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** `queued` and `waiting` are those of its newest question; `answering`: an answer runs. */
export type ConversationState = 'idle' | 'answering' | 'queued' | 'waiting'

/** What lists show of a conversation. */
export interface ConversationBrief {
  readonly state: ConversationState
  readonly settings: ChatSettings
  readonly accountId: string
  readonly accountName: string
  /** Messages on all branches. */
  readonly messages: number
  /** Unix ms; null when it is not pinned. */
  readonly pinnedAt: number | null
  readonly folderId: string | null
  readonly tags: readonly string[]
  /** Goes for good when it is left or Lectern ends; in no list and no search. */
  readonly temporary: boolean
}

/** A conversation. */
export interface Conversation extends ConversationBrief {
  readonly id: string
  readonly title: string
  /** Begin of the newest message. */
  readonly excerpt: string
  /** The end of the branch that is shown; null while it is empty. */
  readonly leafId: string | null
  readonly draft: ChatDraft | null
  /** Of all its answers. */
  readonly usage: TokenUse
  readonly createdAt: number
  /** Of its newest message, or of its beginning: what lists are in the order of. */
  readonly lastAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

/** A stretch of the shown branch, in order, and what lies around it. */
export interface MessageWindow {
  readonly messages: readonly ChatMessage[]
  /** Messages of the branch before and after the stretch. */
  readonly before: number
  readonly after: number
}

/** A folder of conversations. */
export interface ChatFolder {
  readonly id: string
  readonly name: string
  readonly conversations: number
}

/** What the conversations that are there can be narrowed by: who answers (`agent` or an assistant's id), those asked most first, and tags by name. */
export interface ChatFacets {
  readonly whos: readonly string[]
  readonly tags: readonly string[]
}

/** A prompt of the library. `{{name}}` in its text is filled in before it is used; `name` is what follows the slash. */
export interface ChatPrompt {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly updatedAt: number
}

/** A message that holds what was searched for. Offsets are UTF-16 units in `snippet`. */
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

/** A question to begin with: what its button says, and what is asked. Plain text is both. */
export type StarterPrompt = string | { readonly title: string; readonly text: string }

/** An assistant as it was listed (service-notes 8); `listedAt` is null for a predefined one that no list has told of yet. */
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
