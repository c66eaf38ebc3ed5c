import { z } from 'zod'
import type { KnowledgeBases } from '../model/knowledge.ts'
import { route } from './contract.ts'

const accountId = z.string().min(1).max(64).optional()

/** Routes of knowledge bases (spec 4.7 to 4.11, service-notes 7): what is listed is kept, and read from there. */
export const knowledge = {
  /** Bases of an account (the active one when absent) out of the mirror: no call is made. */
  list: route<KnowledgeBases>()(
    z.strictObject({
      accountId,
      /** Words of name, description or id; empty means all. */
      query: z.string().max(200).default(''),
      order: z.enum(['service', 'name', 'words', 'documents', 'first']).default('service'),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(1000).default(200),
    }),
  ),
  /** Fetches the whole list and the capacity into the mirror; what failed is told beside what is kept. */
  refresh: route<KnowledgeBases>()(z.strictObject({ accountId })),
}
