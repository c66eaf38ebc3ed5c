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

/** The last self-test and its report; null before the first one. */
export interface SelfTestState {
  readonly run: SelfTestRun | null
  readonly report: SelfTestReport | null
}

/** A check that a page is to run: told as `self-test.ask`, answered by `selfTest.answer`. */
export interface PageCheckRequest {
  readonly runId: string
  readonly check: PageCheckId
  /** The page that started the test; null: whichever page is there. */
  readonly page: string | null
  /** A WAV file of two seconds in the throw-away library, as media. */
  readonly mediaId: string
}

/** Routes of the self-test. Progress comes as `self-test.changed`. */
export const selfTest = {
  state: route<SelfTestState>()(z.strictObject({})),
  /** Starts a test. Checks of the page run in the page that names itself; in any page without a name; in none with `pages: false`. REFUSED while one runs. */
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
