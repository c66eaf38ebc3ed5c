import type { CheckOutcome } from '../../shared/self-test/checks.ts'
import type { NoteId } from '../../shared/self-test/messages.ts'
import type { Scratch } from './temporary-folder.ts'

export interface CheckScope {
  /** Aborted when the check's time is over or the test is stopped. */
  readonly signal: AbortSignal
  /** Returns the temporary app; the first check that needs it starts it. */
  scratch(): Promise<Scratch>
}

/** A check of the core. An error it throws counts as a failure, reported by its code only. */
export type Check = (scope: CheckScope) => Promise<CheckOutcome>

type Values = Readonly<Record<string, string | number>>

export const pass = (note: NoteId = 'works', values?: Values): CheckOutcome => ({
  result: 'pass',
  note,
  ...(values && { values }),
})

export const fail = (note: NoteId, values?: Values): CheckOutcome => ({
  result: 'fail',
  note,
  ...(values && { values }),
})

/** The feature is not available here. */
export const unavailable = (note: NoteId, values?: Values): CheckOutcome => ({
  result: 'unavailable',
  note,
  ...(values && { values }),
})

/** Outcome for a thrown error: its code, never its message, which may contain a path. */
export function broke(error: unknown): CheckOutcome {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)
  return fail('broke', { code: known ? code : 'INTERNAL' })
}

/** Rounds a displayed number to one decimal. */
export const rounded = (value: number): number => Math.round(value * 10) / 10
