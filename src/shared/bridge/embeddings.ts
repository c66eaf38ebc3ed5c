import { z } from 'zod'
import type { EmbeddingCost, EmbeddingRun } from '../model/embeddings.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
const ids = z.array(id).min(1).max(500)

/** Every choice of service-notes 15. */
const choice = z.union([
  z.strictObject({
    model: z.literal('embedding-3'),
    dimensions: z.union([z.literal(2048), z.literal(1024), z.literal(512), z.literal(256)]),
  }),
  z.strictObject({ model: z.literal('embedding-2'), dimensions: z.literal(1024) }),
])

const order = {
  /** A file of texts: one JSON object with `text` (and `source`) a line. */
  mediaId: id,
  /** The active account when absent. */
  accountId: id.optional(),
  sets: z.array(choice).min(1).max(5),
}

/** Most texts of one run. */
export const maxTexts = 20_000

/** Routes of embeddings (service-notes 15): texts to vectors, kept, looked at and compared. Texts and vectors are files, never in a reply. */
export const embeddings = {
  /** What it would cost: sends nothing. */
  plan: route<{ readonly count: number; readonly costs: readonly EmbeddingCost[] }>()(
    z.strictObject(order),
  ),
  start: route<EmbeddingRun>()(z.strictObject({ ...order, title: z.string().max(300).optional() })),
  /** Sends what is missing of a run that waits, failed or was stopped. */
  goOn: route<EmbeddingRun>()(z.strictObject({ id })),
  /** Stops it; what came is kept. */
  cancel: route<EmbeddingRun>()(z.strictObject({ id })),
  get: route<EmbeddingRun>()(z.strictObject({ id })),
  /** Newest first. */
  list: route<{ readonly runs: readonly EmbeddingRun[]; readonly next: string | null }>()(
    z.strictObject({
      bin: z.boolean().default(false),
      /** Only those of this very file of texts: the same texts are the same file. */
      texts: id.optional(),
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ),
  rename: route<EmbeddingRun>()(z.strictObject({ id, title: z.string().trim().min(1).max(300) })),
  /** To the bin, for 30 days; `restore` is the undo. */
  remove: route<Record<string, never>>()(z.strictObject({ ids })),
  restore: route<Record<string, never>>()(z.strictObject({ ids })),
  /** The vector of one more text, by the account, model and dimensions of a set: a file like that of the set. */
  query: route<{ readonly mediaId: string; readonly cached: boolean }>()(
    z.strictObject({
      id,
      set: z.number().int().min(0).max(4),
      text: z.string().trim().min(1).max(50_000),
    }),
  ),
  /** Texts of items of the Library, in pieces that a model takes, as a file of texts. */
  items: route<{ readonly mediaId: string; readonly count: number }>()(
    z.strictObject({
      ids: z.array(id).min(1).max(200),
      /** Likely tokens of one piece. */
      tokens: z.number().int().min(32).max(3072).default(256),
    }),
  ),
  /** The vectors of a set as a file, kept for a day: npy (1.0, little-endian f4), csv or jsonl (both with the texts). */
  export: route<{ readonly mediaId: string; readonly name: string }>()(
    z.strictObject({
      id,
      set: z.number().int().min(0).max(4),
      format: z.enum(['npy', 'csv', 'jsonl']),
    }),
  ),
}
