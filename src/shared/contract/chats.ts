import { z } from 'zod'
import type {
  ChatFacets,
  ChatMessage,
  ChatPrompt,
  Conversation,
  ListedAssistant,
  MessageHit,
  MessageWindow,
} from '../model/chat.ts'
import { chatSettings } from './chat-settings.ts'
import { questionChars } from '../chats/question.ts'
import { listFilter } from './library.ts'
import type { Failure } from './reply.ts'
import type { EventBatch } from '../model/run.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)
const pages = z.string().trim().max(1000).default('')
const text = z.string().max(questionChars)

const name = z.string().max(300)
const attachment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('image'), mediaId: id, name }),
  z.strictObject({
    kind: z.literal('document'),
    itemId: id,
    title: name,
    pages,
    sent: z.string().max(1000).optional(),
  }),
  z.strictObject({ kind: z.literal('meeting'), itemId: id, name }),
  z.strictObject({
    kind: z.literal('file'),
    mediaId: id,
    name,
    fileId: z.string().max(256).nullable(),
  }),
])
const attachments = z.array(attachment).max(20).default([])
const draft = z.strictObject({ text, attachments })

/** Language of the few words that exports add. */
const language = z.enum(['en', 'zh']).default('en')

/** Question with its new answer; the answer is null while the question is queued or waiting. */
export interface QuestionWithAnswer {
  readonly conversation: Conversation
  readonly question: ChatMessage
  readonly answer: ChatMessage | null
}

/** Stream ID of the answer, assigned by the caller. */
const streamId = z.string().regex(callerIdPattern)

/** Routes of chats with the retrieval agent and assistants. */
export const chats = {
  /**
   * Lists chats by their newest message, newest first, starred ones before all others; temporary chats are not listed.
   */
  list: route<{
    readonly conversations: readonly Conversation[]
    readonly next: string | null
    /** Total number; up to 1,000 if the list is filtered. */
    readonly total: number
  }>()(
    z.strictObject({
      bin: z.boolean().default(false),
      ...listFilter,
      /** `agent`, or the ID of an assistant. */
      who: z.string().min(1).max(128).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ),
  get: route<Conversation>()(z.strictObject({ id })),
  create: route<Conversation>()(
    z.strictObject({
      settings: chatSettings,
      temporary: z.boolean().default(false),
      folderId: id.optional(),
      /** Defaults to the active account. */
      accountId: id.optional(),
    }),
  ),
  configure: route<Conversation>()(
    z.strictObject({ id, settings: chatSettings, accountId: id.optional() }),
  ),
  /** Deletes a chat that is left permanently: a temporary one, or one without messages, draft, title, star and tags. */
  end: route<Record<string, never>>()(z.strictObject({ id })),
  /** Excludes chats in the Trash and temporary chats. */
  facets: route<ChatFacets>()(z.strictObject({})),
  /** Unsent input; null: none. */
  draft: route<Record<string, never>>()(z.strictObject({ id, draft: draft.nullable() })),

  /**
   * Part of the shown branch: its end, its beginning, or the messages around a given one (whose branch is then shown).
   */
  window: route<MessageWindow>()(
    z.strictObject({
      id,
      around: id.optional(),
      /** Starts at the beginning if no message is given. */
      begin: z.boolean().default(false),
      limit: z.number().int().min(1).max(200).default(40),
    }),
  ),
  /** Messages of the shown branch before or after a given one. */
  more: route<MessageWindow>()(
    z.strictObject({
      messageId: id,
      side: z.enum(['before', 'after']),
      limit: z.number().int().min(1).max(200).default(40),
    }),
  ),
  message: route<ChatMessage>()(z.strictObject({ id })),
  /** Returns a range of an answer's text that its message does not contain, from a position in UTF-16 units; '' after its end. */
  text: route<{ readonly text: string }>()(
    z.strictObject({ messageId: id, from: z.number().int().min(0) }),
  ),
  /** Events of a running answer from an index; `next` as in `runs.events`. */
  events: route<{ readonly batches: readonly EventBatch[]; readonly next: number | null }>()(
    z.strictObject({
      messageId: id,
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(5000).default(5000),
    }),
  ),

  /**
   * Asks a question at the end of the shown branch. While an answer is running, the question is queued; with `waits`, it
   * waits for the network.
   */
  ask: route<QuestionWithAnswer>()(
    z.strictObject({ id, text, attachments, streamId, waits: z.boolean().default(false) }),
  ),
  /** Edits a question: creates a sibling with its own answer. */
  edit: route<QuestionWithAnswer>()(
    z.strictObject({
      messageId: id,
      text,
      attachments,
      streamId,
      waits: z.boolean().default(false),
    }),
  ),
  /** Regenerates an answer: creates a sibling of it. */
  regenerate: route<QuestionWithAnswer>()(z.strictObject({ messageId: id, streamId })),
  /** Continues a stopped or interrupted answer with a follow-up question and answer. */
  continue: route<QuestionWithAnswer>()(z.strictObject({ messageId: id, streamId })),
  /** Stops an answer; the received part is saved. */
  stop: route<ChatMessage>()(z.strictObject({ messageId: id })),
  /** Shows the branch of a message. */
  choose: route<Conversation>()(z.strictObject({ messageId: id })),
  /** Removes an unsent question and moves its text to the draft. */
  unqueue: route<Conversation>()(z.strictObject({ messageId: id })),
  /**
   * Moves an unsent question to the draft of a new chat of another account, where the user chooses who answers.
   */
  askElsewhere: route<Conversation>()(z.strictObject({ messageId: id, accountId: id })),
  /** Sends a waiting question. */
  send: route<QuestionWithAnswer>()(z.strictObject({ messageId: id, streamId })),

  /** Returns all matches of a text on the shown branch, in order; `offset` is in the message's text. */
  find: route<{
    readonly places: readonly {
      readonly messageId: string
      readonly offset: number
      readonly length: number
    }[]
    /** Whether there are more than were returned. */
    readonly more: boolean
  }>()(z.strictObject({ id, query: z.string().min(1).max(500) })),
  /** Searches messages of all chats; newest first unless ranked. */
  search: route<{
    readonly hits: readonly MessageHit[]
    readonly more: boolean
    readonly tookMs: number
  }>()(
    z.strictObject({
      query: z.string().max(500),
      who: z.string().min(1).max(128).optional(),
      role: z.enum(['user', 'assistant']).optional(),
      /** Unix ms, `from` inclusive, `to` exclusive. */
      from: z.number().int().optional(),
      to: z.number().int().optional(),
      ranked: z.boolean().default(false),
      limit: z.number().int().min(1).max(100).default(20),
    }),
  ),
  /** Returns the shown branch as Markdown, for copying. */
  copy: route<{ readonly markdown: string }>()(z.strictObject({ id, language })),
  /**
   * Writes a chat to a stored file, to be saved as `name`. JSON contains every branch, other formats the shown one. With
   * `also`, it is an archive with one file per chat.
   */
  export: route<{ readonly mediaId: string; readonly name: string }>()(
    z.strictObject({
      id,
      also: z.array(id).max(199).default([]),
      /** `pdf` if the host supports it: otherwise NOT_IMPLEMENTED, and the page prints. */
      format: z.enum(['md', 'html', 'json', 'pdf']),
      /** Includes reasoning and tool calls. */
      steps: z.boolean().default(true),
      language,
    }),
  ),

  prompts: route<readonly ChatPrompt[]>()(z.strictObject({})),
  savePrompt: route<ChatPrompt>()(
    z.strictObject({
      id: id.optional(),
      name: z.string().trim().min(1).max(64),
      text: z.string().min(1).max(questionChars),
    }),
  ),
  removePrompt: route<Record<string, never>>()(z.strictObject({ id })),

  /**
   * Returns the saved list of an account's assistants; `refresh` requests it now. The predefined ones are always included.
   * The on-device assistants are described in `language`.
   */
  assistants: route<{
    readonly assistants: readonly ListedAssistant[]
    readonly at: number | null
    readonly failure: Failure | null
  }>()(
    z.strictObject({
      accountId: id.optional(),
      refresh: z.boolean().default(false),
      language: z.enum(['en', 'zh-CN']).default('en'),
    }),
  ),
  /** Fetches source positions by two provider IDs (service-notes 11) and saves them with a message. */
  slices: route<ChatMessage>()(
    z.strictObject({
      messageId: id,
      requestId: z.string().trim().min(1).max(256),
      nodeId: z.string().trim().min(1).max(256),
    }),
  ),
  /** Finds the Library document for a provider document: the one it was added from, otherwise by name. */
  locate: route<{ readonly itemId: string | null; readonly by: 'push' | 'name' | null }>()(
    z.strictObject({
      documentId: z.string().max(256).default(''),
      name: z.string().max(500).default(''),
    }),
  ),
}
