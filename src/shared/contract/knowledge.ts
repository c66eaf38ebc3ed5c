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
} from '../provider/knowledge-terms.ts'
import { route } from './contract.ts'

const accountId = z.string().min(1).max(64).optional()
/** ID at the provider. */
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

/** A file may have its own chunking options. */
const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('file'),
    mediaId: z.string().min(1).max(64),
    name: z.string().trim().min(1).max(255),
    /** Library document whose whole text it is. */
    itemId: z.string().min(1).max(64).optional(),
    slicing: slicing.optional(),
  }),
  z.strictObject({
    kind: z.literal('url'),
    url: z.url({ protocol: /^https?$/ }).max(8192),
    slicing: slicing.optional(),
  }),
])

/** Routes of knowledge bases (service-notes 7): lists are stored and read from the local copy. */
export const knowledge = {
  /**
   * Returns the knowledge bases of an account (default: all accounts) from the local copy, without a request.
   */
  list: route<KnowledgeBases>()(
    z.strictObject({
      accountId,
      /** Words of name, description or ID; empty means all. */
      query: z.string().max(200).default(''),
      order: z.enum(['service', 'name', 'words', 'documents', 'first']).default('service'),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(1000).default(200),
    }),
  ),
  /**
   * Updates the local copy with the whole list and the capacity of an account (default: the active one and This computer; with
   * `all`, every one with known knowledge bases); failures are returned with the saved list.
   */
  refresh: route<KnowledgeBases>()(z.strictObject({ accountId, all: z.boolean().default(false) })),
  /** Returns one from the local copy, with the number of chats that use it. `fresh` fetches it first. */
  get: route<{ readonly base: KnowledgeBase; readonly chats: number }>()(
    z.strictObject({ ...base, fresh: z.boolean().default(false) }),
  ),
  create: route<KnowledgeBase>()(z.strictObject({ accountId, ...fields })),
  /** Sends changed fields. Another model, or context enhancement, causes everything to be embedded again. */
  update: route<KnowledgeBase>()(z.strictObject({ ...base, fields: changes })),
  /** Deletes it at the provider with its documents; the local copy stays, marked as deleted. */
  remove: route<KnowledgeBase>()(z.strictObject(base)),
  /** Deletes the local copy of one that the provider no longer has. */
  forget: route<Record<string, never>>()(z.strictObject(base)),
  /** Returns the documents of a knowledge base from the local copy. */
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
  /**
   * Updates the local copy with the documents of a knowledge base, or with those whose name contains `word`.
   */
  refreshDocuments: route<Record<string, never>>()(
    z.strictObject({ ...base, word: z.string().max(200).default('') }),
  ),
  /** Returns one from the local copy; `fresh` fetches it first. */
  document: route<KnowledgeDocument>()(
    z.strictObject({ ...base, id: remoteId, fresh: z.boolean().default(false) }),
  ),
  removeDocuments: route<ManyOutcome>()(z.strictObject({ ...base, ids: remoteIds })),
  /** Embeds documents again: the given ones, or all that failed. */
  embed: route<ManyOutcome>()(z.strictObject({ ...base, ids: remoteIds.nullable() })),
  /**
   * Returns the images in the chunks of a document; `fresh` lists them first, and fetches them one by one in the
   * background.
   */
  images: route<{
    readonly images: readonly DocumentImage[]
    readonly seenAt: number | null
    readonly failure: Failure | null
  }>()(z.strictObject({ ...base, id: remoteId, fresh: z.boolean().default(false) })),
  /** Adds files and URLs to the upload queue of a knowledge base. */
  upload: route<readonly KnowledgeUpload[]>()(
    z.strictObject({
      ...base,
      sources: z.array(source).min(1).max(1000),
      slicing,
      parseImages: z.boolean().default(false),
      wordLimit: z.number().int().min(1).max(1_000_000_000).optional(),
    }),
  ),
  /** Returns the uploads to a knowledge base and their results, newest first. */
  uploads: route<readonly KnowledgeUpload[]>()(z.strictObject(base)),
  /** Retries rejected uploads: the given ones, or all. */
  retryUploads: route<readonly KnowledgeUpload[]>()(
    z.strictObject({ ...base, ids: uploadIds.min(1).nullable() }),
  ),
  /** Removes uploads from the queue; files the provider already has stay there. */
  dropUploads: route<Record<string, never>>()(z.strictObject({ ...base, ids: uploadIds.min(1) })),
  /** Returns the history of a knowledge base, newest first. */
  activity: route<readonly KnowledgeEvent[]>()(z.strictObject(base)),
}
