import { z } from 'zod'
import type { Lookup, LookupPage, LookupVersion } from '../model/lookup.ts'
import type { RawBody } from '../model/raw-body.ts'
import type { ResponseUsage, StoredResponse } from '../model/response.ts'
import { route } from './contract.ts'
import { lookupQuery, lookupTitle, onlyLookup, remoteId, versionOf } from './lookups.ts'

/** Routes of stored Responses (spec 4.1): read by id, kept with every reading that differed, readable with no network. */
export const responses = {
  /** Reads them and keeps them; known ones are read again. */
  fetch: route<readonly Lookup[]>()(
    z.strictObject({
      ids: z.array(remoteId).min(1).max(50),
      /** The active account when absent. */
      accountId: z.string().min(1).max(64).optional(),
    }),
  ),
  /** Newest first. */
  list: route<LookupPage>()(lookupQuery),
  /** With a reading, the newest unless `version` says otherwise; null as long as nothing came. */
  get: route<{
    readonly lookup: Lookup
    readonly versions: readonly LookupVersion[]
    readonly version: number | null
    readonly response: StoredResponse | null
    readonly usage: ResponseUsage | null
  }>()(versionOf),
  /** A reading as it was received. */
  raw: route<{ readonly reply: RawBody | null }>()(versionOf),
  /** Asks now, and answers when the answer is stored. */
  refresh: route<Lookup>()(onlyLookup),
  rename: route<Lookup>()(lookupTitle),
  remove: route<Record<string, never>>()(onlyLookup),
  restore: route<Lookup>()(onlyLookup),
}
