import { z } from 'zod'

const id = z.string().min(1).max(64)

/** An id at the service. */
export const remoteId = z.string().trim().min(1).max(200)

/** One that was read back. */
export const onlyRemoteItem = z.strictObject({ id })

/** One of its readings; the newest when absent. */
export const versionOf = z.strictObject({ id, version: z.number().int().min(1).optional() })

/** Another title. */
export const remoteItemTitle = z.strictObject({ id, title: z.string().trim().min(1).max(300) })

/** A page of a list; each word of `query` is looked for in title, id, model and content. */
export const remoteItemQuery = z.strictObject({
  query: z.string().trim().max(200).default(''),
  /** `next` of the page before. */
  before: id.nullable().default(null),
  limit: z.number().int().min(1).max(200).default(50),
})
