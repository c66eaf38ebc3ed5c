import type { QuestionWithAnswer } from '../../../../shared/contract/chats.ts'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type { ParsedOf, ReplyOf } from '../../../../shared/contract/routes.ts'
import type {
  ChatAttachment,
  ChatMessage,
  ChatSettings,
  Conversation,
} from '../../../../shared/model/chat.ts'
import type { Api } from '../../../provider-client/api.ts'
import type { Context } from '../../../context.ts'
import type { RemoteDeps } from '../../../platform/security/remote-fetch.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Accounts } from '../../settings/index.ts'

export interface ChatsDeps extends Pick<
  Context,
  | 'store'
  | 'files'
  | 'hub'
  | 'clock'
  | 'ids'
  | 'log'
  | 'emit'
  | 'mask'
  | 'openEnd'
  | 'countPages'
  | 'after'
  | 'workQueue'
> {
  readonly api: Pick<Api, 'agentChat' | 'assistants' | 'files' | 'slices'>
  readonly accounts: Pick<Accounts, 'active' | 'target' | 'list'>
  /** Fetches images that answers reference: `createRemoteGet(network)`. */
  readonly remote: RemoteDeps
  /** Returns why an account cannot be reached now; null when it can, or when that is unknown. */
  unreachable(accountId: string): Failure | null
  /** Deletes items permanently (the Library's function). */
  purge(itemIds: readonly string[]): Promise<void>
  /** Called with the number of questions that wait for the network or a key. */
  onWaiting(count: number): void
}

/** Export and import of conversations (services/chats/exports). */
export interface ChatExports {
  copy(request: ParsedOf<'chats.copy'>): Promise<ReplyOf<'chats.copy'>>
  export(request: ParsedOf<'chats.export'>): Promise<ReplyOf<'chats.export'>>
  import(request: { readonly mediaId: string }): Promise<Conversation>
  close(): Promise<void>
}

/** A question to send. */
export interface AskRequest {
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
  readonly streamId: string
  /** Whether the question waits while the network or a key is missing, and is then sent automatically. */
  readonly waits: boolean
}

/** Starts, ends and moves messages. The requesting page is attached to the stream it named. */
export interface QuestionActions {
  /** Throws BAD_REQUEST for an invalid question, REFUSED in Trash or for a stream ID in use, NOT_FOUND, FILE_MISSING. */
  ask(id: string, request: AskRequest, connectionId: string): Promise<QuestionWithAnswer>
  edit(messageId: string, request: AskRequest, connectionId: string): Promise<QuestionWithAnswer>
  regenerate(messageId: string, streamId: string, connectionId: string): Promise<QuestionWithAnswer>
  continue(messageId: string, streamId: string, connectionId: string): Promise<QuestionWithAnswer>
  send(messageId: string, streamId: string, connectionId: string): Promise<QuestionWithAnswer>
  /** Resolves when the answer has ended, within two seconds at most. */
  stop(messageId: string): Promise<ChatMessage>
  unqueue(messageId: string): Promise<Conversation>
  choose(messageId: string): Conversation
}

/** Conversations with the retrieval agent and the assistants. */
export interface Chats extends QuestionActions {
  /** See the route `chats.askElsewhere`. */
  askElsewhere(messageId: string, accountId: string): Promise<Conversation>
  create(request: ParsedOf<'chats.create'>): Conversation
  configure(request: ParsedOf<'chats.configure'>): Conversation
  end(id: string): Promise<void>
  get(id: string): Conversation
  message(id: string): ChatMessage
  saveDraft(request: ParsedOf<'chats.draft'>): void
  savePrompt(request: ParsedOf<'chats.savePrompt'>): ReplyOf<'chats.savePrompt'>
  assistants(request: ParsedOf<'chats.assistants'>): Promise<ReplyOf<'chats.assistants'>>
  slices(request: ParsedOf<'chats.slices'>): Promise<ChatMessage>
  locate(request: ParsedOf<'chats.locate'>): ReplyOf<'chats.locate'>
  readonly exports: ChatExports
  /** Direct read access to the store. */
  readonly store: Store['chats']

  /** Repairs what an earlier run of Lectern left unfinished, and ends the temporary conversations. */
  resume(): void
  /** Called when an account has a key or the network is back: sends what waits for it. */
  accountReady(accountId: string): void
  /** Stops the answers of conversations that are about to be deleted. */
  forget(itemIds: readonly string[]): Promise<void>
  /** Called when items of the Library changed: emits the conversations among them. */
  changed(itemIds: readonly string[]): void
  busy(): boolean
  /** Aborts running answers: they end as `broken`. */
  shutdown(): Promise<void>
  /** Stops everything permanently, before all data is erased. */
  stopAll(): Promise<void>
}

/** Returns who answers, as far as a session at the provider depends on it. */
export const responderOf = (settings: ChatSettings | null): string | null =>
  settings && (settings.kind === 'agent' ? 'agent' : settings.assistantId)
