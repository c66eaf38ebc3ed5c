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

/** Maximum number of candidates of a reranking; those over the provider's limit are sent in rounds. */
export const maxCandidates = 2048

/** Routes of rerankings (service-notes 5): a query, candidates, and the resulting order. All are saved. */
export const rerank = {
  /**
   * LIMIT_EXCEEDED names the query or the candidate (`item`, from 0) that exceeds a limit of the account's provider.
   */
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
      /** Defaults to the active account. */
      accountId: id.optional(),
      title: z.string().max(300).optional(),
    }),
  ),
  /** Resumes a reranking that failed, was stopped or interrupted, sending only what is missing. */
  resume: route<RankingSummary>()(z.strictObject({ id })),
  /** Stops it; completed rounds are saved. */
  cancel: route<RankingSummary>()(z.strictObject({ id })),
  get: route<Ranking>()(z.strictObject({ id })),
  /** Newest first. */
  list: route<{ readonly rankings: readonly RankingSummary[]; readonly next: string | null }>()(
    z.strictObject({
      bin: z.boolean().default(false),
      /** Only those that share candidates with this one, excluding itself. */
      like: id.optional(),
      /** `next` of the previous page. */
      before: id.optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
  ),
  rename: route<RankingSummary>()(z.strictObject({ id, title: z.string().trim().min(1).max(300) })),
  /** Moves rerankings to the Trash for 30 days; `restore` undoes it. */
  remove: route<Record<string, never>>()(z.strictObject({ ids })),
  restore: route<Record<string, never>>()(z.strictObject({ ids })),
  /** Returns the raw response of one round; null if there is none. */
  raw: route<{ readonly reply: RawBody | null }>()(
    z.strictObject({ id, round: z.number().int().min(0).max(maxCandidates) }),
  ),
  /** Finds whole passages of the Library that contain the words of a query, as candidates. */
  find: route<{ readonly passages: readonly Candidate[]; readonly more: boolean }>()(
    z.strictObject({
      query: z.string().max(500),
      limit: z.number().int().min(1).max(100).default(30),
    }),
  ),
  /** Exports it as a file that is stored for a day: csv (for spreadsheets), json or Markdown. */
  export: route<{ readonly mediaId: string; readonly name: string }>()(
    z.strictObject({
      id,
      format: z.enum(['csv', 'json', 'md']),
      language: z.enum(['en', 'zh']).default('en'),
    }),
  ),
}
