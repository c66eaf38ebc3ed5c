import { z } from 'zod'
import type { OperationInfo } from '../model/operation.ts'
import type { EventBatch, Run, RunSummary } from '../model/run.ts'
import type { RawBody } from '../model/raw-body.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)

const state = z.enum(['running', 'done', 'failed', 'cancelled', 'broken'])

const exported = z.strictObject({
  /** Runs of operations, or what the places of their own keep (those that do not lie in the bin); the last three need `ids`. */
  of: z.enum(['operations', 'rankings', 'embeddings', 'responses', 'tasks', 'slides']),
  /** Exactly these; all that fit when absent. */
  ids: z.array(id).min(1).max(10_000).optional(),
  family: z.string().min(1).max(64).optional(),
  state: state.optional(),
})

/** Which runs a file shall hold. */
export type RunsExport = z.output<typeof exported>

/** Routes of runs: every operation of the service that a page asks for, kept with all that came of it. */
export const runs = {
  /** Every operation there is, in the order of the API reference, with the fields of its input. */
  operations: route<readonly OperationInfo[]>()(z.strictObject({})),
  /** Starts an operation by its name. The input is judged by the operation's own schema in main: BAD_REQUEST names the field. */
  start: route<RunSummary>()(
    z.strictObject({
      operation: z.string().min(1).max(64),
      input: z.record(z.string().max(64), z.unknown()),
      /** The active account when absent. */
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
      /** `next` of the page before. */
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ),
  /** Events kept so far, from a place on; `next` is the place to go on from, null when there are no more now. */
  events: route<{ readonly batches: readonly EventBatch[]; readonly next: number | null }>()(
    z.strictObject({
      id,
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(5000).default(5000),
    }),
  ),
  /** The reply as it was received; null when none was. */
  raw: route<{ readonly reply: RawBody | null }>()(z.strictObject({ id })),
  /** Stops a run; what came is kept. */
  cancel: route<RunSummary>()(z.strictObject({ id })),
  /** Removes runs that are over, with their events and files. */
  remove: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(1000) })),
  /**
   * All that fit as one JSON file, kept for a day: runs with their replies as received, rankings with their candidates, embeddings with their
   * texts (their vectors are files of their own: `embeddings.export`).
   */
  export: route<{ readonly mediaId: string; readonly name: string; readonly count: number }>()(
    exported,
  ),
  rename: route<RunSummary>()(z.strictObject({ id, title: z.string().trim().min(1).max(300) })),
}
