import { z } from 'zod'
import type { RawBody } from '../model/raw-body.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../model/slices.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
const remoteId = z.string().trim().min(1).max(256)

/** Routes of citation positions by two provider IDs (service-notes 11). */
export const slices = {
  /**
   * Fetches the slices of a request and node; an existing entry with the same IDs is fetched again. Fails if the request
   * fails, but the row stays.
   */
  request: route<ChunkRequestWhole>()(
    z.strictObject({ requestId: remoteId, nodeId: remoteId, accountId: id.optional() }),
  ),
  /** Returns the entry for slices that a chat fetched, created from the data saved with the message. */
  ofMessage: route<ChunkRequest>()(
    z.strictObject({ messageId: id, requestId: remoteId, nodeId: remoteId }),
  ),
  /** Newest first. */
  list: route<{
    readonly positionRequests: readonly ChunkRequest[]
    readonly next: string | null
  }>()(
    z.strictObject({
      /** Words of the document names or of the IDs. */
      query: z.string().max(500).default(''),
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(100),
    }),
  ),
  get: route<ChunkRequestWhole>()(z.strictObject({ id })),
  /** Returns the raw response; null if none was saved. */
  raw: route<{ readonly reply: RawBody | null }>()(z.strictObject({ id })),
  /** Retries images that could not be fetched. */
  images: route<ChunkRequestWhole>()(z.strictObject({ id })),
  /** Removes entries from the list; `restore` undoes it. */
  remove: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(500) })),
  restore: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(500) })),
}
