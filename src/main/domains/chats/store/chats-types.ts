import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { AnswerStep } from '../../../../shared/chats/answer-step.ts'
import type { AnswerPart, Shortened } from '../../../../shared/chats/shown-answer.ts'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  ChatAttachment,
  ChatDraft,
  ChatFacets,
  ChatMessage,
  ChatPrompt,
  ChatSettings,
  Conversation,
  ListedAssistant,
  MessageHit,
  MessageState,
  MessageWindow,
  SliceReply,
  TokenUse,
} from '../../../../shared/model/chat.ts'
import type { EventBatch } from '../../../../shared/model/run.ts'

/** Chat before it has messages. */
export interface NewConversation {
  readonly id: string
  readonly title: string
  readonly settings: ChatSettings
  readonly accountId: string
  readonly accountName: string
  readonly temporary: boolean
  readonly folderId: string | null
  readonly at: number
}

/** Message to add to the tree, where it becomes the end of the shown branch. */
export interface NewMessage {
  readonly id: string
  readonly conversationId: string
  readonly parentId: string | null
  readonly role: 'user' | 'assistant'
  readonly state: MessageState
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
  readonly streamId: string | null
  readonly settings: ChatSettings | null
  readonly resentTurns: number
  /** Owner of an answer's session or of a question's uploaded files (`accounts.holder`); absent: none. */
  readonly holder?: string | null
  readonly at: number
}

/** Result of an answer. Fields as in {@link ChatMessage}. */
export interface AnswerEnd {
  readonly state: 'done' | 'stopped' | 'failed' | 'broken'
  readonly text: string
  readonly steps: readonly AnswerStep[]
  /** Set when text and steps are incomplete: the rest has been saved in parts. */
  readonly shortened?: Shortened
  /** Media that the complete steps name; by default those that `steps` name. */
  readonly drawings?: readonly string[]
  /** ID of the session or conversation at the provider that contains this answer. */
  readonly sessionId: string | null
  readonly model: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly finishReason: string | null
  readonly usage: TokenUse | null
  readonly serviceMessageId: string | null
  readonly requestId: string | null
  readonly error: Failure | null
  /** Number of earlier turns that were sent again, if known only after the start. */
  readonly resentTurns?: number
  readonly at: number
}

/** Earlier message that is sent again. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Search query for all chats. */
export interface MessageQuery {
  readonly query: string
  readonly who?: string | undefined
  readonly role?: 'user' | 'assistant' | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly ranked: boolean
  readonly limit: number
}

/**
 * Chats and their message trees. Returned objects are not snapshots: a row changes only through these methods. Every
 * method throws NOT_FOUND for unknown IDs unless stated otherwise, and READ_ONLY or DISK_FULL like the whole store.
 */
export interface ChatStore {
  list(query: {
    readonly bin: boolean
    readonly starred?: true | undefined
    /** Null: in no folder. */
    readonly folderId?: string | null | undefined
    readonly tag?: string | undefined
    readonly who?: string | undefined
    readonly cursor?: string | undefined
    readonly limit: number
  }): {
    readonly conversations: readonly Conversation[]
    readonly next: string | null
    /** Total number; up to 1,000 if the list is filtered. */
    readonly total: number
  }
  /** Undefined for IDs that are not of a chat. */
  get(id: string): Conversation | undefined
  create(conversation: NewConversation): Conversation
  configure(
    id: string,
    change: { settings: ChatSettings; accountId: string; accountName: string; at: number },
  ): Conversation
  rename(id: string, title: string, at: number): Conversation
  saveDraft(id: string, draft: ChatDraft | null): void
  /** Returns IDs of temporary chats, which are deleted when Lectern starts. */
  temporary(): readonly string[]
  facets(): ChatFacets

  window(id: string, around: string | null, limit: number): MessageWindow
  more(messageId: string, side: 'before' | 'after', limit: number): MessageWindow
  /** Undefined for unknown ids. */
  message(id: string): ChatMessage | undefined
  /** Adds a message to the tree and to the end of the shown branch; updates the chat. */
  add(message: NewMessage): ChatMessage
  /** Shows the branch of a message, to its most recently shown end. */
  choose(messageId: string): Conversation
  /**
   * Removes a queued or waiting question, with answers that failed before anything was received; its parent becomes the
   * end of the branch again.
   */
  takeBack(messageId: string): ChatMessage
  /** Returns IDs of the answers to a question that failed before anything was received, oldest first. */
  attempts(questionId: string): readonly string[]
  /**
   * Removes such answers, except those with a following message and those whose session may contain the question.
   */
  dropAttempts(questionId: string): void
  setState(
    messageId: string,
    change: {
      state: MessageState
      error?: Failure | null | undefined
      attachments?: readonly ChatAttachment[] | undefined
      streamId?: string | undefined
      holder?: string | undefined
    },
  ): ChatMessage
  /**
   * Returns the messages on the path before this one, oldest first; at most the newest `limit`. Of a text that is longer than
   * its message, at most the last `units` UTF-16 units are returned.
   */
  turnsBefore(messageId: string, limit: number, units: number): readonly Turn[]
  /** Returns the session at the provider that ends with exactly this answer; null if there is none. */
  sessionOf(answerId: string): string | null
  /** Returns the owner of an answer's session or of a question's uploaded files; null if it is unknown. */
  holderOf(messageId: string): string | null
  /**
   * Whether another message follows in the session of this answer: a session can only be continued from its end.
   */
  sessionContinues(answerId: string): boolean

  /** `events` are those of the batch, if they are already parsed. */
  appendEvents(messageId: string, batch: EventBatch, events?: readonly AnswerEvent[]): void
  events(
    messageId: string,
    from: number,
    limit: number,
  ): { readonly batches: readonly EventBatch[]; readonly next: number | null }
  /**
   * Saves a part of a running answer that is about to end. The first part of the text or of the steps replaces all earlier ones.
   * Throws REFUSED if the answer has ended.
   */
  savePart(messageId: string, part: AnswerPart): void
  /** Returns a range of a message's text, up to `units` UTF-16 units; '' after its end. */
  textAt(messageId: string, from: number, units: number): string
  /** Yields all parts of an answer in order; none if its message is complete. */
  parts(messageId: string): Iterable<AnswerPart>
  /** Ends an answer: deletes its events, stores its result, and makes it searchable. */
  settle(messageId: string, end: AnswerEnd): ChatMessage
  /** Returns running answers according to their rows, and queued or waiting questions, oldest first. */
  unfinished(): readonly {
    readonly messageId: string
    readonly conversationId: string
    readonly state: 'running' | 'queued' | 'waiting'
  }[]
  keepSlices(messageId: string, slices: SliceReply): ChatMessage

  /** Finds matches on the shown branch, with case and width folded as in search. Runs in a worker. */
  find(
    id: string,
    query: string,
  ): Promise<{
    readonly places: readonly {
      readonly messageId: string
      readonly offset: number
      readonly length: number
    }[]
    readonly more: boolean
  }>
  /** Runs in a worker. */
  search(query: MessageQuery): Promise<{
    readonly hits: readonly MessageHit[]
    readonly more: boolean
    readonly tookMs: number
  }>

  /** Iterates over the shown branch from its beginning, reading a few messages at a time. */
  branch(id: string): Iterable<ChatMessage>
  /** Iterates over every message of every branch, oldest first, reading a few at a time. */
  all(id: string): Iterable<ChatMessage>
  /**
   * Imports a whole chat with new IDs assigned by the caller; `leafId` is the end of the shown branch. Works in steps:
   * nothing is visible until it resolves, and nothing remains if it rejects.
   */
  importConversation(
    conversation: NewConversation & { readonly tags: readonly string[] },
    messages: readonly ChatMessage[],
    leafId: string | null,
  ): Promise<Conversation>

  prompts(): readonly ChatPrompt[]
  savePrompt(prompt: { id: string; name: string; text: string; at: number }): ChatPrompt
  removePrompt(id: string): void
  keepAssistants(accountId: string, assistants: readonly ListedAssistant[], at: number): void
  assistants(accountId: string): {
    readonly assistants: readonly ListedAssistant[]
    readonly at: number | null
  }
  /**
   * Returns the Library item whose text was added to a knowledge base as this provider document, unless it is in the
   * Trash; undefined if there is none.
   */
  pushedFrom(documentId: string): string | undefined
  /** Returns the newest Library document with that name, ignoring the extension; undefined if there is none. */
  namedDocument(name: string): string | undefined
}
