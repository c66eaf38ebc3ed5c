import { z } from 'zod'
import type { Failure } from './reply.ts'
import type {
  DocumentImage,
  KnowledgeBase,
  KnowledgeBases,
  KnowledgeDocument,
  KnowledgeDocuments,
  KnowledgeEvent,
  KnowledgeUpload,
  ManyOutcome,
} from '../model/knowledge.ts'
import {
  backgrounds,
  icons,
  maxSeparators,
  defaultSentenceSize,
} from '../service/knowledge-terms.ts'
import { route } from './contract.ts'

const accountId = z.string().min(1).max(64).optional()
/** The service's own id. */
const remoteId = z.string().min(1).max(256)
const base = { accountId, baseId: remoteId } as const
const remoteIds = z.array(remoteId).min(1).max(1000)
const uploadIds = z.array(z.string().min(1).max(64)).max(1000)

const fields = {
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().max(2000),
  embeddingId: z.literal([3, 11, 12]),
  contextual: z.boolean(),
  background: z.enum(backgrounds),
  icon: z.enum(icons),
} as const

const changes = z.strictObject({
  name: fields.name.exactOptional(),
  description: fields.description.exactOptional(),
  embeddingId: fields.embeddingId.exactOptional(),
  contextual: fields.contextual.exactOptional(),
  background: fields.background.exactOptional(),
  icon: fields.icon.exactOptional(),
})

const slicing = z.strictObject({
  type: z.literal([1, 2, 3, 5, 6, 7]),
  separators: z.array(z.string().min(1).max(100)).max(maxSeparators).readonly().default([]),
  sentenceSize: z.number().int().min(1).max(100_000).default(defaultSentenceSize),
})

/** Of files an own way of cutting may differ from that of the others. */
const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('file'),
    mediaId: z.string().min(1).max(64),
    name: z.string().trim().min(1).max(255),
    /** The document of the Library whose whole text it is. */
    itemId: z.string().min(1).max(64).optional(),
    slicing: slicing.optional(),
  }),
  z.strictObject({
    kind: z.literal('url'),
    url: z.url({ protocol: /^https?$/ }).max(8192),
    slicing: slicing.optional(),
  }),
])

/** Routes of knowledge bases (service-notes 7): what is listed is kept, and read from there. */
export const knowledge = {
  /** Bases of an account (the active one when absent) out of the mirror: no call is made. */
  list: route<KnowledgeBases>()(
    z.strictObject({
      accountId,
      /** Words of name, description or id; empty means all. */
      query: z.string().max(200).default(''),
      order: z.enum(['service', 'name', 'words', 'documents', 'first']).default('service'),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(1000).default(200),
    }),
  ),
  /** Fetches the whole list and the capacity into the mirror; what failed is told beside what is kept. */
  refresh: route<KnowledgeBases>()(z.strictObject({ accountId })),
  /** One out of the mirror, with how many conversations look into it. `fresh` fetches it first. */
  get: route<{ readonly base: KnowledgeBase; readonly chats: number }>()(
    z.strictObject({ ...base, fresh: z.boolean().default(false) }),
  ),
  create: route<KnowledgeBase>()(z.strictObject({ accountId, ...fields })),
  /** Sends what differs. Another model, or context enhancement, has everything embedded again. */
  update: route<KnowledgeBase>()(z.strictObject({ ...base, fields: changes })),
  /** Deletes it at the service with its documents; what was kept here stays, with a mark. */
  remove: route<KnowledgeBase>()(z.strictObject(base)),
  /** Forgets what was kept of one that the service has no more. */
  forget: route<Record<string, never>>()(z.strictObject(base)),
  /** Documents of a base out of the mirror. */
  documents: route<KnowledgeDocuments>()(
    z.strictObject({
      ...base,
      /** Words of the name; empty means all. */
      query: z.string().max(200).default(''),
      /** Null: all. */
      state: z.enum(['running', 'done', 'failed', 'unknown']).nullable().default(null),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(1000).default(200),
    }),
  ),
  /** Fetches the documents of a base into the mirror, or those whose name holds `word`. */
  refreshDocuments: route<Record<string, never>>()(
    z.strictObject({ ...base, word: z.string().max(200).default('') }),
  ),
  /** One out of the mirror; `fresh` fetches it first. */
  document: route<KnowledgeDocument>()(
    z.strictObject({ ...base, id: remoteId, fresh: z.boolean().default(false) }),
  ),
  removeDocuments: route<ManyOutcome>()(z.strictObject({ ...base, ids: remoteIds })),
  /** Embeds again: those that are named, or all that failed. */
  embed: route<ManyOutcome>()(z.strictObject({ ...base, ids: remoteIds.nullable() })),
  /** Pictures in the slices of a document; `fresh` has them listed first, and fetched beside it, one by one. */
  images: route<{
    readonly images: readonly DocumentImage[]
    readonly seenAt: number | null
    readonly failure: Failure | null
  }>()(z.strictObject({ ...base, id: remoteId, fresh: z.boolean().default(false) })),
  /** Puts files and addresses into the queue of a base. */
  upload: route<readonly KnowledgeUpload[]>()(
    z.strictObject({
      ...base,
      sources: z.array(source).min(1).max(1000),
      slicing,
      parseImages: z.boolean().default(false),
      wordLimit: z.number().int().min(1).max(1_000_000_000).optional(),
    }),
  ),
  /** What is on its way into a base and what became of it, newest first. */
  uploads: route<readonly KnowledgeUpload[]>()(z.strictObject(base)),
  /** Tries again what was not taken: those that are named, or all. */
  retryUploads: route<readonly KnowledgeUpload[]>()(
    z.strictObject({ ...base, ids: uploadIds.min(1).nullable() }),
  ),
  /** Takes them out of the queue; what the service has already stays there. */
  dropUploads: route<Record<string, never>>()(z.strictObject({ ...base, ids: uploadIds.min(1) })),
  /** What was done with a base, newest first. */
  activity: route<readonly KnowledgeEvent[]>()(z.strictObject(base)),
}
