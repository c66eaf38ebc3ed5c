import { z } from 'zod'
import type { RawBody } from '../model/raw-body.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../model/slices.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
const remoteId = z.string().trim().min(1).max(256)

/** Routes of citation positions by two ids of the service (service-notes 11). */
export const slices = {
  /** Asks for the slices of a request and node; a look with the same ids is asked again. Fails with what the call fails with: the row stays. */
  request: route<ChunkRequestWhole>()(
    z.strictObject({ requestId: remoteId, nodeId: remoteId, accountId: id.optional() }),
  ),
  /** The look that belongs to slices which a conversation fetched; made from what is kept with the message. */
  ofMessage: route<ChunkRequest>()(
    z.strictObject({ messageId: id, requestId: remoteId, nodeId: remoteId }),
  ),
  /** Newest first. */
  list: route<{ readonly positionRequests: readonly ChunkRequest[]; readonly next: string | null }>()(
    z.strictObject({
      /** Words of the documents' names or of the ids. */
      query: z.string().max(500).default(''),
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(100),
    }),
  ),
  get: route<ChunkRequestWhole>()(z.strictObject({ id })),
  /** The reply as it was received; null when none was kept. */
  raw: route<{ readonly reply: RawBody | null }>()(z.strictObject({ id })),
  /** Tries pictures again that could not be fetched. */
  images: route<ChunkRequestWhole>()(z.strictObject({ id })),
  /** Takes looks out of the list; `restore` is the undo. */
  remove: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(500) })),
  restore: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(500) })),
}
