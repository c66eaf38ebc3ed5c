import { z } from 'zod'
import type { OperationInfo } from '../model/operation.ts'
import type { EventBatch, Run, RunSummary } from '../model/run.ts'
import type { RawBody } from '../model/raw-body.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)

const state = z.enum(['running', 'done', 'failed', 'cancelled', 'broken'])

const exported = z.strictObject({
  /** Runs of operations, or entries of other stores (except those in the Trash); the last three need `ids`. */
  of: z.enum(['operations', 'rankings', 'embeddings', 'responses', 'tasks', 'slides']),
  /** Exactly these; defaults to all that match. */
  ids: z.array(id).min(1).max(10_000).optional(),
  family: z.string().min(1).max(64).optional(),
  state: state.optional(),
})

export type RunsExport = z.output<typeof exported>

/** Run routes: every operation requested by a page, saved with all its results. */
export const runs = {
  /** Returns all operations in the order of the API reference, with their input fields. */
  operations: route<readonly OperationInfo[]>()(z.strictObject({})),
  /**
   * Starts an operation by its name. Main validates the input against the operation's own schema: BAD_REQUEST names the
   * field.
   */
  start: route<RunSummary>()(
    z.strictObject({
      operation: z.string().min(1).max(64),
      input: z.record(z.string().max(64), z.unknown()),
      /** Defaults to the active account. */
      accountId: id.optional(),
      title: z.string().max(300).optional(),
      streamId: z.string().regex(callerIdPattern),
    }),
  ),
  get: route<Run>()(z.strictObject({ id })),
  /** Newest first; `family` is the part of the name before the dot. */
  list: route<{ readonly runs: readonly RunSummary[]; readonly next: string | null }>()(
    z.strictObject({
      family: z.string().min(1).max(64).optional(),
      operation: z.string().min(1).max(64).optional(),
      accountId: id.optional(),
      state: state.optional(),
      /** `next` of the previous page. */
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ),
  /**
   * Returns saved events from an index; `next` is the index to continue from, null if there are no more at the moment.
   */
  events: route<{ readonly batches: readonly EventBatch[]; readonly next: number | null }>()(
    z.strictObject({
      id,
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(5000).default(5000),
    }),
  ),
  /** Returns the raw response; null if there is none. */
  raw: route<{ readonly reply: RawBody | null }>()(z.strictObject({ id })),
  /** Stops a run; received data is saved. */
  cancel: route<RunSummary>()(z.strictObject({ id })),
  /** Removes finished runs, with their events and files. */
  remove: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(1000) })),
  /**
   * Exports all matches as one JSON file that is stored for a day: runs with their raw responses, rerankings with their
   * candidates, embeddings with their texts (vectors are separate files: `embeddings.export`).
   */
  export: route<{ readonly mediaId: string; readonly name: string; readonly count: number }>()(
    exported,
  ),
  rename: route<RunSummary>()(z.strictObject({ id, title: z.string().trim().min(1).max(300) })),
}
