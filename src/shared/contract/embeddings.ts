import { z } from 'zod'
import type { EmbeddingCost, EmbeddingRun } from '../model/embeddings.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
const ids = z.array(id).min(1).max(500)

/** All options of service-notes 15. */
const choice = z.union([
  z.strictObject({
    model: z.literal('embedding-3'),
    dimensions: z.union([z.literal(2048), z.literal(1024), z.literal(512), z.literal(256)]),
  }),
  z.strictObject({ model: z.literal('embedding-2'), dimensions: z.literal(1024) }),
])

const order = {
  /** Text file: one JSON object with `text` (and `source`) per line. */
  mediaId: id,
  /** Defaults to the active account. */
  accountId: id.optional(),
  sets: z.array(choice).min(1).max(5),
}

/**
 * Routes of embeddings (service-notes 15): computing, storing, viewing and comparing vectors. Texts and vectors are
 * files, never part of a reply.
 */
export const embeddings = {
  /** Returns the estimated cost; sends nothing. */
  plan: route<{ readonly count: number; readonly costs: readonly EmbeddingCost[] }>()(
    z.strictObject(order),
  ),
  start: route<EmbeddingRun>()(z.strictObject({ ...order, title: z.string().max(300).optional() })),
  /** Resumes a run that is waiting, failed or stopped, sending only what is missing. */
  resume: route<EmbeddingRun>()(z.strictObject({ id })),
  /** Stops a run; received vectors are saved. */
  cancel: route<EmbeddingRun>()(z.strictObject({ id })),
  get: route<EmbeddingRun>()(z.strictObject({ id })),
  /** Newest first. */
  list: route<{ readonly runs: readonly EmbeddingRun[]; readonly next: string | null }>()(
    z.strictObject({
      bin: z.boolean().default(false),
      /** Only runs of exactly this text file: the same texts are the same file. */
      texts: id.optional(),
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ),
  rename: route<EmbeddingRun>()(z.strictObject({ id, title: z.string().trim().min(1).max(300) })),
  /** Moves runs to the Trash for 30 days; `restore` undoes it. */
  remove: route<Record<string, never>>()(z.strictObject({ ids })),
  restore: route<Record<string, never>>()(z.strictObject({ ids })),
  /**
   * Returns the vector of one more text, with the account, model and dimensions of a set, as a file like that of the set.
   */
  query: route<{ readonly mediaId: string; readonly cached: boolean }>()(
    z.strictObject({
      id,
      set: z.number().int().min(0).max(4),
      text: z.string().trim().min(1).max(50_000),
    }),
  ),
  /** Writes texts of Library items to a text file, in chunks that a model accepts. */
  items: route<{ readonly mediaId: string; readonly count: number }>()(
    z.strictObject({
      ids: z.array(id).min(1).max(200),
      /** Estimated tokens of a chunk. */
      tokens: z.number().int().min(32).max(3072).default(256),
    }),
  ),
  /**
   * Exports the vectors of a set as a file that is stored for a day: npy (1.0, little-endian f4), csv or jsonl (both with
   * the texts).
   */
  export: route<{ readonly mediaId: string; readonly name: string }>()(
    z.strictObject({
      id,
      set: z.number().int().min(0).max(4),
      format: z.enum(['npy', 'csv', 'jsonl']),
    }),
  ),
}
