import type { AnswerEvent, AnswerStep } from '../../shared/chat/answer.ts'
import type { AnswerPart, Shortened } from '../../shared/chat/shown-answer.ts'
import type { Failure } from '../../shared/bridge/reply.ts'
import type {
  ChatAttachment,
  ChatDraft,
  ChatFacets,
  ChatFolder,
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
} from '../../shared/model/chat.ts'
import type { EventBatch } from '../../shared/model/run.ts'

/** A conversation before it has messages. */
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

/** A message as it is put into the tree; it becomes the end of the shown branch. */
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
  readonly retold: number
  /** Whose the session of an answer is, or the uploaded files of a question (`accounts.holder`); nobody's when absent. */
  readonly holder?: string | null
  readonly at: number
}

/** What an answer comes to. Fields as in {@link ChatMessage}. */
export interface AnswerEnd {
  readonly state: 'done' | 'stopped' | 'failed' | 'broken'
  readonly text: string
  readonly steps: readonly AnswerStep[]
  /** Where that is not all: the rest was kept in parts before. */
  readonly shortened?: Shortened
  /** Id of the session or conversation at the service that holds this answer. */
  readonly sessionId: string | null
  readonly model: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly finishReason: string | null
  readonly usage: TokenUse | null
  readonly serviceMessageId: string | null
  readonly requestId: string | null
  readonly error: Failure | null
  /** Earlier turns that were told again, where that was found out only after it began. */
  readonly retold?: number
  readonly at: number
}

/** One earlier message, as it is told again. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** What is searched for in all conversations. */
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
 * Conversations and their trees of messages. Nothing is a snapshot: a row changes only by what is named here. Every method throws
 * NOT_FOUND for unknown ids unless it says otherwise, and READ_ONLY or DISK_FULL as all of the store does.
 */
export interface ChatStore {
  list(query: {
    readonly bin: boolean
    readonly folderId?: string | undefined
    readonly tag?: string | undefined
    readonly who?: string | undefined
    readonly cursor?: string | undefined
    readonly limit: number
  }): {
    readonly conversations: readonly Conversation[]
    readonly next: string | null
    /** Of all of them; where the list is narrowed, up to 1,000. */
    readonly total: number
  }
  /** Undefined for ids that are no conversation's. */
  get(id: string): Conversation | undefined
  create(conversation: NewConversation): Conversation
  configure(
    id: string,
    change: { settings: ChatSettings; accountId: string; accountName: string; at: number },
  ): Conversation
  rename(id: string, title: string, at: number): Conversation
  organise(
    ids: readonly string[],
    change: {
      readonly pinned?: boolean | undefined
      readonly folderId?: string | null | undefined
      readonly tags?: readonly string[] | undefined
    },
    at: number,
  ): readonly Conversation[]
  saveDraft(id: string, draft: ChatDraft | null): void
  /** Ids of temporary conversations, which go when Lectern starts. */
  temporary(): readonly string[]
  folders(): readonly ChatFolder[]
  facets(): ChatFacets
  saveFolder(folder: { id: string; name: string; at: number }): ChatFolder
  removeFolder(id: string): void

  window(id: string, around: string | null, limit: number): MessageWindow
  more(messageId: string, side: 'before' | 'after', limit: number): MessageWindow
  /** Undefined for unknown ids. */
  message(id: string): ChatMessage | undefined
  /** Puts it into the tree and at the end of the shown branch; the conversation is changed by it. */
  add(message: NewMessage): ChatMessage
  /** Shows the branch that goes through a message, to the end that was shown of it last. */
  choose(messageId: string): Conversation
  /** A queued or waiting question goes, with answers that failed before anything came; its parent is the end of the branch again. */
  takeBack(messageId: string): ChatMessage
  /** Ids of the answers of a question that failed before anything came, oldest first. */
  attempts(questionId: string): readonly string[]
  /** Such answers go, but for those that something follows, and those in whose session the question may stand. */
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
   * Earlier messages on the way to this one, itself not among them, oldest first, at most `limit` of the newest. Of a text that is longer
   * than its message, at most the last `units`.
   */
  turnsBefore(messageId: string, limit: number, units: number): readonly Turn[]
  /** The session at the service that ends with this very answer; null where there is none. */
  sessionOf(answerId: string): string | null
  /** Whose the session of an answer is, or the uploaded files of a question; null: nobody's who is known. */
  holderOf(messageId: string): string | null
  /** Whether another message follows in the session of this answer: the session can be continued from its end only. */
  sessionGoesOn(answerId: string): boolean

  /** `events` are those of the batch, where they are known already. */
  appendEvents(messageId: string, batch: EventBatch, events?: readonly AnswerEvent[]): void
  events(
    messageId: string,
    from: number,
    limit: number,
  ): { readonly batches: readonly EventBatch[]; readonly next: number | null }
  /** Keeps a part of a running answer that is about to end. The first part of the text or of the steps takes the place of all before. */
  keepPart(messageId: string, part: AnswerPart): void
  /** A stretch of a message's text, about so many UTF-16 units of it; nothing behind its end. */
  textAt(messageId: string, from: number, units: number): string
  /** All parts of an answer, one after the other; none where its message is all there is. */
  parts(messageId: string): Iterable<AnswerPart>
  /** Ends an answer: its events go, what they came to stays, and it can be found. */
  settle(messageId: string, end: AnswerEnd): ChatMessage
  /** Answers that run by their rows, and questions that are queued or wait, oldest first. */
  unfinished(): readonly {
    readonly messageId: string
    readonly conversationId: string
    readonly state: 'running' | 'queued' | 'waiting'
  }[]
  keepSlices(messageId: string, slices: SliceReply): ChatMessage

  /** Places on the shown branch that hold the text, case and width folded as the search does. In a worker. */
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
  /** In a worker. */
  search(query: MessageQuery): Promise<{
    readonly hits: readonly MessageHit[]
    readonly more: boolean
    readonly tookMs: number
  }>

  /** The shown branch from its beginning, a few at a time. */
  branch(id: string): Iterable<ChatMessage>
  /** Every message of every branch, oldest first, a few at a time. */
  all(id: string): Iterable<ChatMessage>
  /**
   * Puts a whole conversation in, ids made anew by the caller; `leafId` says what is shown. In steps: until it resolves nothing of it
   * is to be seen, and when it rejects nothing of it stays.
   */
  takeIn(
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
  /** The item of the Library whose text was added to a base as this document of the service, not in the bin; undefined when none was. */
  pushedFrom(documentId: string): string | undefined
  /** The newest document of the Library of that name, its ending left aside; undefined when there is none. */
  namedDocument(name: string): string | undefined
}
