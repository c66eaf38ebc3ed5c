import { z } from 'zod'
import {
  checkIds,
  checks,
  type PageCheckId,
  type SelfTestReport,
  type SelfTestRun,
} from '../self-test/checks.ts'
import { noteText, type NoteId } from '../self-test/messages.ts'
import { callerIdPattern, route } from './contract.ts'

const page = z.string().regex(callerIdPattern)
const idsOf = checkIds.filter((id): id is PageCheckId => checks[id].place === 'page')
const notes = Object.keys(noteText) as NoteId[]

/** Most recent self-test and its report; null before the first one. */
export interface SelfTestState {
  readonly run: SelfTestRun | null
  readonly report: SelfTestReport | null
}

/** Check to run in a page: requested by `self-test.ask`, answered by `selfTest.answer`. */
export interface PageCheckRequest {
  readonly runId: string
  readonly check: PageCheckId
  /** Page that started the test; null: any page. */
  readonly page: string | null
  /** Two-second WAV file in the temporary library, as media. */
  readonly mediaId: string
}

/** Routes of the self-test. Progress is reported by `self-test.changed`. */
export const selfTest = {
  state: route<SelfTestState>()(z.strictObject({})),
  /**
   * Starts a test. Page checks run in the given page; in any page if none is given; in none with `pages: false`. REFUSED
   * while a test is running.
   */
  start: route<SelfTestState>()(
    z.strictObject({ page: page.nullable().default(null), pages: z.boolean().default(true) }),
  ),
  cancel: route<SelfTestState>()(z.strictObject({})),
  answer: route<Record<string, never>>()(
    z.strictObject({
      runId: z.string().min(1).max(64),
      check: z.enum(idsOf as [PageCheckId, ...PageCheckId[]]),
      outcome: z.strictObject({
        result: z.enum(['pass', 'fail', 'unavailable']),
        note: z.enum(notes as [NoteId, ...NoteId[]]),
        values: z.record(z.string().max(20), z.union([z.string().max(120), z.number()])).optional(),
      }),
    }),
  ),
}
