import { z } from 'zod'
import {
  meaningKinds,
  type SemanticIndex,
  type SemanticPlan,
  type SemanticReply,
} from '../model/semantic.ts'
import { route } from './contract.ts'

const accountId = z.string().min(1).max(64)
const id = z.number().int().min(1)
const moment = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const kinds = z.array(z.enum(meaningKinds)).min(1).max(meaningKinds.length)

const choice = z.strictObject({
  accountId,
  model: z.enum(['embedding-3', 'embedding-2']),
  dimensions: z.union([z.literal(2048), z.literal(1024), z.literal(512), z.literal(256)]),
  kinds,
  since: moment.nullable(),
})

/** Routes of semantic search in the Library. */
export const semantic = {
  /** Returns the indexes, most recently used first, with the number of new items. */
  indexes: route<readonly SemanticIndex[]>()(z.strictObject({})),
  /** Returns what embedding the items would send; sends nothing. */
  plan: route<SemanticPlan>()(choice),
  /** Embeds new, changed and rejected items in the background. */
  begin: route<SemanticIndex>()(choice),
  /**
   * Indexes new and changed items on this computer now, if nothing was paused; otherwise that happens some time after a change. Returns
   * the index; null if there is nothing to index.
   */
  keepUp: route<{ readonly index: SemanticIndex | null }>()(z.strictObject({})),
  resume: route<SemanticIndex>()(z.strictObject({ id })),
  pause: route<SemanticIndex>()(z.strictObject({ id })),
  /** Discards the waiting items; received vectors are saved. The automatic index is paused then. */
  stop: route<SemanticIndex>()(z.strictObject({ id })),
  /** Removes the index with its vectors; the items stay. The automatic one is paused then. */
  remove: route<Record<string, never>>()(z.strictObject({ id })),
  search: route<SemanticReply>()(
    z.strictObject({
      query: z.string().trim().min(1).max(4096),
      /** Null: keyword search only. */
      indexId: id.nullable(),
      kinds: kinds.nullable().default(null),
      from: moment.nullable().default(null),
      until: moment.nullable().default(null),
      /** Only items with this tag. */
      tag: z.string().trim().min(1).max(64).nullable().default(null),
      /** Only starred items. */
      starred: z.boolean().default(false),
      limit: z.number().int().min(1).max(100).default(30),
      /** Account that reranks the results (service-notes 5); null keeps the merged order. */
      rerankBy: accountId.nullable().default(null),
    }),
  ),
}
