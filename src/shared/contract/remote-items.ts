import { z } from 'zod'

const id = z.string().min(1).max(64)

/** ID at the provider. */
export const remoteId = z.string().trim().min(1).max(200)

export const onlyRemoteItem = z.strictObject({ id })

/** One of its versions; defaults to the newest. */
export const versionOf = z.strictObject({ id, version: z.number().int().min(1).optional() })

export const remoteItemTitle = z.strictObject({ id, title: z.string().trim().min(1).max(300) })

/** Page of a list; each word of `query` is searched for in title, ID, model and content. */
export const remoteItemQuery = z.strictObject({
  query: z.string().trim().max(200).default(''),
  /** `next` of the previous page. */
  before: id.nullable().default(null),
  limit: z.number().int().min(1).max(200).default(50),
})
