import { z } from 'zod'
import type {
  ChatFacets,
  ChatFolder,
  ChatMessage,
  ChatPrompt,
  Conversation,
  ListedAssistant,
  MessageHit,
  MessageWindow,
} from '../model/chat.ts'
import { questionChars } from '../chat/question.ts'
import type { Failure } from './reply.ts'
import type { EventBatch } from '../model/run.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)
const pages = z.string().trim().max(1000).default('')
const text = z.string().max(questionChars)
const count = z.number().int().min(1).max(10_000).nullable()

/** Who answers a conversation, and how. */
export const chatSettings = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('agent'),
    knowledgeIds: z.array(z.string().min(1).max(256)).max(100).readonly(),
    topK: count,
    topN: count,
    rerank: z.boolean(),
    similarityThreshold: z.number().min(-1).max(1).nullable(),
    model: z.string().min(1).max(128).nullable(),
    temperature: z.number().min(0).max(2).nullable(),
    maxSteps: count,
    thinking: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('assistant'),
    assistantId: z.string().min(1).max(128),
    model: z.string().min(1).max(128).nullable(),
    doSample: z.boolean().nullable(),
    translate: z
      .strictObject({ from: z.string().min(1).max(64), to: z.string().min(1).max(64) })
      .nullable(),
  }),
])

const name = z.string().max(300)
const attachment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('image'), mediaId: id, name }),
  z.strictObject({ kind: z.literal('document'), itemId: id, title: name, pages }),
  z.strictObject({
    kind: z.literal('file'),
    mediaId: id,
    name,
    fileId: z.string().max(256).nullable(),
  }),
])
const attachments = z.array(attachment).max(20).default([])
const draft = z.strictObject({ text, attachments })

/** The language of the few words that exports add. */
const language = z.enum(['en', 'zh']).default('en')

/** A question and the answer that begins with it; the answer is null while the question is queued or waits. */
export interface Question {
  readonly conversation: Conversation
  readonly question: ChatMessage
  readonly answer: ChatMessage | null
}

/** The caller's name for the stream of the answer. */
const streamId = z.string().regex(callerIdPattern)

/** Routes of conversations with the retrieval agent and the assistants. */
export const chats = {
  /** By their newest message, newest first, pinned ones before all others; temporary ones are in no list. */
  list: route<{
    readonly conversations: readonly Conversation[]
    readonly next: string | null
    /** Of all of them; where the list is narrowed, up to 1,000. */
    readonly total: number
  }>()(
    z.strictObject({
      bin: z.boolean().default(false),
      folderId: id.optional(),
      tag: z.string().min(1).max(64).optional(),
      /** `agent`, or the id of an assistant. */
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
      /** The active account when absent. */
      accountId: id.optional(),
    }),
  ),
  configure: route<Conversation>()(
    z.strictObject({ id, settings: chatSettings, accountId: id.optional() }),
  ),
  /** Renames go by `library.rename`, the bin by `library.remove` and `library.restore`. */
  organise: route<readonly Conversation[]>()(
    z.strictObject({
      ids: z.array(id).min(1).max(500),
      pinned: z.boolean().optional(),
      /** Null: in no folder. */
      folderId: id.nullable().optional(),
      tags: z.array(z.string().trim().min(1).max(64)).max(20).optional(),
    }),
  ),
  /** Ends a temporary conversation for good. */
  end: route<Record<string, never>>()(z.strictObject({ id })),
  folders: route<readonly ChatFolder[]>()(z.strictObject({})),
  saveFolder: route<ChatFolder>()(
    z.strictObject({ id: id.optional(), name: z.string().trim().min(1).max(100) }),
  ),
  /** Its conversations stay, in no folder. */
  removeFolder: route<Record<string, never>>()(z.strictObject({ id })),
  /** Of conversations that are in neither the bin nor temporary. */
  facets: route<ChatFacets>()(z.strictObject({})),
  /** What was typed and not sent; null: nothing. */
  draft: route<Record<string, never>>()(z.strictObject({ id, draft: draft.nullable() })),

  /** Part of the shown branch: its end, its beginning, or what lies around a message (whose branch is then the shown one). */
  window: route<MessageWindow>()(
    z.strictObject({
      id,
      around: id.optional(),
      /** Its beginning, where nothing is named to lie around. */
      begin: z.boolean().default(false),
      limit: z.number().int().min(1).max(200).default(40),
    }),
  ),
  /** The messages of the shown branch before or after one. */
  more: route<MessageWindow>()(
    z.strictObject({
      messageId: id,
      side: z.enum(['before', 'after']),
      limit: z.number().int().min(1).max(200).default(40),
    }),
  ),
  message: route<ChatMessage>()(z.strictObject({ id })),
  /** A stretch of an answer that is longer than a message, from a place on (UTF-16 units); '' behind its end. */
  text: route<{ readonly text: string }>()(
    z.strictObject({ messageId: id, from: z.number().int().min(0) }),
  ),
  /** Events of a running answer, from a place on; `next` as in `runs.events`. */
  events: route<{ readonly batches: readonly EventBatch[]; readonly next: number | null }>()(
    z.strictObject({
      messageId: id,
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(5000).default(5000),
    }),
  ),

  /** Asks at the end of the shown branch. While an answer runs the question is queued; with `waits` it waits for the network. */
  ask: route<Question>()(
    z.strictObject({ id, text, attachments, streamId, waits: z.boolean().default(false) }),
  ),
  /** Asks a question anew in other words: a sibling of it, with an answer of its own. */
  edit: route<Question>()(
    z.strictObject({
      messageId: id,
      text,
      attachments,
      streamId,
      waits: z.boolean().default(false),
    }),
  ),
  /** Asks again what an answer answers: a sibling of it. */
  regenerate: route<Question>()(z.strictObject({ messageId: id, streamId })),
  /** Asks for the rest of an answer that was stopped or cut off: a question and answer that follow it. */
  continue: route<Question>()(z.strictObject({ messageId: id, streamId })),
  /** Stops an answer; what came is kept. */
  stop: route<ChatMessage>()(z.strictObject({ messageId: id })),
  /** Shows the branch that goes through a message. */
  choose: route<Conversation>()(z.strictObject({ messageId: id })),
  /** Takes a question back that was not sent yet, into the draft. */
  unqueue: route<Conversation>()(z.strictObject({ messageId: id })),
  /** Takes a question that was not sent yet into the draft of a new conversation of another account, where the user chooses who answers. */
  askElsewhere: route<Conversation>()(z.strictObject({ messageId: id, accountId: id })),
  /** Sends a question that waits. */
  send: route<Question>()(z.strictObject({ messageId: id, streamId })),

  /** Every place on the shown branch that holds a text, in order; `offset` in the message's text. */
  find: route<{
    readonly places: readonly {
      readonly messageId: string
      readonly offset: number
      readonly length: number
    }[]
    /** More than could be told. */
    readonly more: boolean
  }>()(z.strictObject({ id, query: z.string().min(1).max(500) })),
  /** Messages of all conversations; newest first unless ranked. */
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
  /** The shown branch as Markdown, for copying. */
  copy: route<{ readonly markdown: string }>()(z.strictObject({ id, language })),
  /**
   * Writes a conversation into a kept file, to be saved under `name`. json has every branch, the others the shown one. With `also` it is
   * an archive with a file for each of them.
   */
  export: route<{ readonly mediaId: string; readonly name: string }>()(
    z.strictObject({
      id,
      also: z.array(id).max(199).default([]),
      /** `pdf` where the host can write it: elsewhere NOT_IMPLEMENTED, and the page prints. */
      format: z.enum(['md', 'html', 'json', 'pdf']),
      /** With thinking and tool calls. */
      steps: z.boolean().default(true),
      language,
    }),
  ),
  /** Takes conversations in from a kept json file that was exported. */
  import: route<{ readonly conversations: readonly Conversation[] }>()(
    z.strictObject({ mediaId: id }),
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

  /** The assistants of an account as they were listed last; `refresh` lists them now. The predefined ones are always there. */
  assistants: route<{
    readonly assistants: readonly ListedAssistant[]
    readonly at: number | null
    readonly failure: Failure | null
  }>()(z.strictObject({ accountId: id.optional(), refresh: z.boolean().default(false) })),
  /** Fetches where sources lie by two ids of the service (service-notes 11) and keeps it with a message. */
  slices: route<ChatMessage>()(
    z.strictObject({
      messageId: id,
      requestId: z.string().trim().min(1).max(256),
      nodeId: z.string().trim().min(1).max(256),
    }),
  ),
  /** The document of the Library that a document of the service is: known by having been added from it, else by its name. */
  locate: route<{ readonly itemId: string | null; readonly by: 'push' | 'name' | null }>()(
    z.strictObject({
      documentId: z.string().max(256).default(''),
      name: z.string().max(500).default(''),
    }),
  ),
}
