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

/** Routes of the search of the Library by meaning. */
export const semantic = {
  /** Used last first, with what is new since. */
  indexes: route<readonly SemanticIndex[]>()(z.strictObject({})),
  /** What embedding the items would send; sends nothing. */
  plan: route<SemanticPlan>()(choice),
  /** Embeds what is new, changed or was refused; goes on by itself. */
  begin: route<SemanticIndex>()(choice),
  goOn: route<SemanticIndex>()(z.strictObject({ id })),
  pause: route<SemanticIndex>()(z.strictObject({ id })),
  /** Forgets what waits, keeps what came. */
  stop: route<SemanticIndex>()(z.strictObject({ id })),
  /** The index with its vectors; the items stay. */
  remove: route<Record<string, never>>()(z.strictObject({ id })),
  search: route<SemanticReply>()(
    z.strictObject({
      query: z.string().trim().min(1).max(4096),
      /** Null: words alone. */
      indexId: id.nullable(),
      kinds: kinds.nullable().default(null),
      from: moment.nullable().default(null),
      until: moment.nullable().default(null),
      /** Only items that have it. */
      tag: z.string().trim().min(1).max(60).nullable().default(null),
      limit: z.number().int().min(1).max(100).default(30),
      /** The account that ranks the hits anew (service-notes 5); null leaves them as they were merged. */
      rerankBy: accountId.nullable().default(null),
    }),
  ),
}
