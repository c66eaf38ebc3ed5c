import type { CheckOutcome } from '../../shared/self-test/checks.ts'
import type { NoteId } from '../../shared/self-test/messages.ts'
import type { Scratch } from './temporary-folder.ts'

/** What a check may use. */
export interface CheckScope {
  /** Aborted when its time is over or the test is stopped. */
  readonly signal: AbortSignal
  /** The throw-away app; the first check that asks for it starts it. */
  scratch(): Promise<Scratch>
}

/** A check of the core. What it throws counts as a failure, told by the error's code alone. */
export type Check = (scope: CheckScope) => Promise<CheckOutcome>

type Values = Readonly<Record<string, string | number>>

/** It works. */
export const pass = (note: NoteId = 'works', values?: Values): CheckOutcome => ({
  result: 'pass',
  note,
  ...(values && { values }),
})

/** It does not work. */
export const fail = (note: NoteId, values?: Values): CheckOutcome => ({
  result: 'fail',
  note,
  ...(values && { values }),
})

/** It is not offered here. */
export const unavailable = (note: NoteId, values?: Values): CheckOutcome => ({
  result: 'unavailable',
  note,
  ...(values && { values }),
})

/** The outcome for something thrown: its code, never its message, which may name a path. */
export function broke(error: unknown): CheckOutcome {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)
  return fail('broke', { code: known ? code : 'INTERNAL' })
}

/** Decimals of a figure that is shown. */
export const rounded = (value: number): number => Math.round(value * 10) / 10
