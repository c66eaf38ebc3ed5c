import { z } from 'zod'
import type { RawBody } from '../model/raw-body.ts'
import type { Candidate, Ranking, RankingSummary } from '../model/rerank.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
const ids = z.array(id).min(1).max(500)

const source = z.strictObject({
  itemId: id,
  kind: z.string().min(1).max(32),
  title: z.string().max(300),
  partId: id.nullable(),
  page: z.number().int().min(1).nullable(),
})

/** Most candidates of one ranking; those over the service's limit go out in rounds. */
export const maxCandidates = 2048

/** Routes of rankings (service-notes 5): a question, candidates, and what the service makes of their order. Every one is kept. */
export const rerank = {
  /** LIMIT_EXCEEDED names the query or the candidate (`item`, from 0) that is over a limit of the account's service. */
  start: route<RankingSummary>()(
    z.strictObject({
      query: z.string().max(100_000),
      candidates: z
        .array(z.strictObject({ text: z.string().max(100_000), source: source.nullable() }))
        .min(1)
        .max(maxCandidates),
      /** 0: all. */
      topN: z.number().int().min(0).max(maxCandidates).default(0),
      rawScores: z.boolean().default(false),
      /** The active account when absent. */
      accountId: id.optional(),
      title: z.string().max(300).optional(),
    }),
  ),
  /** Asks for what is missing of a ranking that failed, was stopped or broke off. */
  goOn: route<RankingSummary>()(z.strictObject({ id })),
  /** Stops it; the rounds that were answered are kept. */
  cancel: route<RankingSummary>()(z.strictObject({ id })),
  get: route<Ranking>()(z.strictObject({ id })),
  /** Newest first. */
  list: route<{ readonly rankings: readonly RankingSummary[]; readonly next: string | null }>()(
    z.strictObject({
      bin: z.boolean().default(false),
      /** Only those that have candidates in common with this one, itself left out. */
      like: id.optional(),
      /** `next` of the page before. */
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ),
  rename: route<RankingSummary>()(z.strictObject({ id, title: z.string().trim().min(1).max(300) })),
  /** To the bin, for 30 days; `restore` is the undo. */
  remove: route<Record<string, never>>()(z.strictObject({ ids })),
  restore: route<Record<string, never>>()(z.strictObject({ ids })),
  /** The reply of one round as it was received; null when there is none. */
  raw: route<{ readonly reply: RawBody | null }>()(
    z.strictObject({ id, round: z.number().int().min(0).max(maxCandidates) }),
  ),
  /** Passages of the Library that hold the words of a query, whole, to be ranked. */
  find: route<{ readonly passages: readonly Candidate[]; readonly more: boolean }>()(
    z.strictObject({
      query: z.string().max(500),
      limit: z.number().int().min(1).max(100).default(30),
    }),
  ),
  /** A file of it, kept for a day: csv (as spreadsheets read it), json or Markdown. */
  export: route<{ readonly mediaId: string; readonly name: string }>()(
    z.strictObject({
      id,
      format: z.enum(['csv', 'json', 'md']),
      language: z.enum(['en', 'zh']).default('en'),
    }),
  ),
}
