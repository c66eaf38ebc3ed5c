import type { QuestionWithAnswer } from '../../../shared/bridge/chats.ts'
import type { Failure } from '../../../shared/bridge/reply.ts'
import type { ParsedOf, ReplyOf } from '../../../shared/bridge/routes.ts'
import type {
  ChatAttachment,
  ChatMessage,
  ChatSettings,
  Conversation,
} from '../../../shared/model/chat.ts'
import type { Api } from '../../api/types.ts'
import type { StreamHub } from '../../bridge/streams.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { RemoteDeps } from '../../security/remote-fetch.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** What conversations are built from. */
export interface ChatsDeps {
  readonly store: Store
  readonly files: MediaFiles
  readonly api: Pick<Api, 'agentChat' | 'assistants' | 'files' | 'slices'>
  readonly accounts: Pick<Accounts, 'active' | 'target' | 'list'>
  readonly hub: StreamHub
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** How pictures that replies name are fetched: `createRemoteGet(network)`. */
  readonly remote: RemoteDeps
  /** A text without the keys there are: what a reply's pieces make together is masked again before it is kept or told. */
  mask(text: string): string
  /** How many characters at the end of a text may be the beginning of a key: they wait for what follows. */
  openEnd(text: string): number
  /** Pages of a PDF; null when they cannot be told. */
  countPages(path: string): Promise<number | null>
  /** Why an account cannot be reached now; null when it can, or when nobody has tried. */
  unreachable(accountId: string): Failure | null
  /** Runs work later; the function it gives takes it back. */
  after(ms: number, work: () => void): () => void
  /** Deletes items for good: the Library's. */
  purge(itemIds: readonly string[]): Promise<void>
  onConversation(conversation: Conversation): void
  onRemoved(ids: readonly string[]): void
  onMessage(message: ChatMessage): void
  onLibrary(itemIds: readonly string[]): void
  /** Questions that wait for the network or a key. */
  onWaiting(count: number): void
}

/** What leaves and enters conversations (services/chats/exports). */
export interface ChatExports {
  copy(request: ParsedOf<'chats.copy'>): Promise<ReplyOf<'chats.copy'>>
  export(request: ParsedOf<'chats.export'>): Promise<ReplyOf<'chats.export'>>
  import(request: ParsedOf<'chats.import'>): Promise<ReplyOf<'chats.import'>>
  close(): Promise<void>
}

/** A question as it is asked. */
export interface AskRequest {
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
  readonly streamId: string
  /** It waits for the network or a key where there is none, and goes by itself then. */
  readonly waits: boolean
}

/** Asking: what begins, ends and moves messages. The page that asks is attached to the stream it named. */
export interface QuestionActions {
  /** Throws BAD_REQUEST for what cannot be asked, REFUSED in the bin or for a stream id that is taken, NOT_FOUND, FILE_MISSING. */
  ask(id: string, request: AskRequest, connectionId: string): Promise<QuestionWithAnswer>
  edit(messageId: string, request: AskRequest, connectionId: string): Promise<QuestionWithAnswer>
  regenerate(messageId: string, streamId: string, connectionId: string): Promise<QuestionWithAnswer>
  continue(messageId: string, streamId: string, connectionId: string): Promise<QuestionWithAnswer>
  send(messageId: string, streamId: string, connectionId: string): Promise<QuestionWithAnswer>
  /** Resolves when it is over, which takes two seconds at most. */
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
  organise(request: ParsedOf<'chats.organise'>): readonly Conversation[]
  end(id: string): Promise<void>
  get(id: string): Conversation
  message(id: string): ChatMessage
  saveDraft(request: ParsedOf<'chats.draft'>): void
  saveFolder(request: ParsedOf<'chats.saveFolder'>): ReplyOf<'chats.saveFolder'>
  removeFolder(id: string): void
  savePrompt(request: ParsedOf<'chats.savePrompt'>): ReplyOf<'chats.savePrompt'>
  assistants(request: ParsedOf<'chats.assistants'>): Promise<ReplyOf<'chats.assistants'>>
  slices(request: ParsedOf<'chats.slices'>): Promise<ChatMessage>
  locate(request: ParsedOf<'chats.locate'>): ReplyOf<'chats.locate'>
  readonly exports: ChatExports
  /** What is only read: straight from the store. */
  readonly store: Store['chats']

  /** Settles what an earlier run of Lectern left unfinished, and ends the temporary ones. */
  resume(): void
  /** An account has a key, or the network is back: what waits for it goes. */
  accountReady(accountId: string): void
  /** Stops the answers of conversations that are about to go. */
  forget(itemIds: readonly string[]): Promise<void>
  /** Items of the Library changed: conversations among them are told. */
  changed(itemIds: readonly string[]): void
  busy(): boolean
  /** Aborts what runs: those answers end as `broken`. */
  shutdown(): Promise<void>
  /** Stops everything for good, before all is erased. */
  stopAll(): Promise<void>
}

/** Who answers, as far as a session at the service cares. */
export const responderOf = (settings: ChatSettings | null): string | null =>
  settings && (settings.kind === 'agent' ? 'agent' : settings.assistantId)
