import { z } from 'zod'
import { chatSettings } from './chat-settings.ts'
import { chatJsonLimits } from '../chats/chat-json-limits.ts'
import { errorCodes } from './reply.ts'

const id = z.string().min(1).max(64)
const short = z.string().max(1000)
/** Unix milliseconds, up to the maximum of a date. */
const at = z.number().int().min(0).max(8_640_000_000_000_000)
const name = z.string().max(300)
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable()
const tokens = z.number().int().min(0).nullable()
const place = { textAt: z.number().int().min(0), startedAt: at }

const attachment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('image'), name, sha256 }),
  z.strictObject({
    kind: z.literal('document'),
    itemId: id,
    title: name,
    pages: z.string().max(1000),
    sha256,
  }),
  z.strictObject({ kind: z.literal('meeting'), itemId: id, name }),
  z.strictObject({
    kind: z.literal('file'),
    name,
    fileId: z.string().max(256).nullable(),
    sha256,
  }),
])

const step = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['reasoning', 'thought']),
    text: z.string(),
    ...place,
    endedAt: at.nullable(),
  }),
  z.strictObject({
    kind: z.literal('call'),
    callId: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    result: z.strictObject({ value: z.unknown(), status: z.string() }).nullable(),
    ...place,
    endedAt: at.nullable(),
    durationMs: z.number().min(0).nullable(),
  }),
  z.strictObject({
    kind: z.literal('tool'),
    call: z.looseObject({
      type: z.enum([
        'web_browser',
        'code_interpreter',
        'drawing_tool',
        'retrieval',
        'function',
        'unknown',
      ]),
    }),
    ...place,
    endedAt: at.nullable(),
  }),
  z.strictObject({ kind: z.literal('unknown'), name: z.string(), data: z.unknown(), ...place }),
])

const failure = z.strictObject({
  code: z.enum(errorCodes),
  message: z.string(),
  retriable: z.boolean(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  service: z
    .strictObject({
      status: z.number().exactOptional(),
      code: z.string().exactOptional(),
      message: z.string().exactOptional(),
      requestId: z.string().exactOptional(),
      logId: z.string().exactOptional(),
    })
    .exactOptional(),
  at,
})

const message = z.strictObject({
  id,
  /** ID of the parent message, which precedes it in the file; null at the beginning. */
  parentId: id.nullable(),
  role: z.enum(['user', 'assistant']),
  /** As in `MessageState`. Importing an unsent question sends nothing. */
  state: z.enum(['queued', 'waiting', 'running', 'done', 'stopped', 'failed', 'broken']),
  /** Markdown, with citations in answers. */
  text: z.string(),
  /** By name, and by the SHA-256 of their content if it existed: images and files are not included. */
  attachments: z.array(attachment).max(20),
  /** Reasoning and tool calls in order, as in `AnswerStep`. */
  steps: z.array(step).max(100_000),
  slices: z
    .array(z.strictObject({ requestId: short, nodeId: short, at, data: z.unknown() }))
    .max(10_000),
  settings: chatSettings.nullable(),
  model: short.nullable(),
  engine: short.nullable(),
  notice: z.string().nullable(),
  finishReason: short.nullable(),
  usage: z
    .strictObject({
      prompt: tokens,
      completion: tokens,
      total: tokens,
      reasoning: tokens,
      cached: tokens,
    })
    .nullable(),
  serviceMessageId: short.nullable(),
  requestId: short.nullable(),
  retold: z.number().int().min(0),
  error: failure.nullable(),
  createdAt: at,
  endedAt: at.nullable(),
})

/** Chat JSON without messages. Times are Unix milliseconds. */
const chatJsonHead = z.strictObject({
  format: z.literal('lectern.chat'),
  /** Incremented when readers of an older version would misinterpret it. */
  version: z.literal(1),
  /** App version that wrote it. */
  app: z.string().max(40),
  exportedAt: at,
  title: z.string().max(1000),
  tags: z.array(z.string().min(1).max(64)).max(20),
  settings: chatSettings,
  createdAt: at,
  updatedAt: at,
  /** End of the shown branch; null if there are no messages. */
  leafId: id.nullable(),
})

/** Lectern's chat JSON, version 1: every branch, and everything except files, account and unsent draft. */
export const chatJson = chatJsonHead.extend({
  /** Oldest first, parents before their children. */
  messages: z.array(message).max(chatJsonLimits.messages),
})

/** Content of a chat file. */
export type ChatJson = z.infer<typeof chatJson>
export type ChatJsonMessage = ChatJson['messages'][number]
