import type { AnswerStep } from '../../../../../shared/chats/answer-step.ts'

/** Whether a step of a running answer is still in progress. */
export const isRunning = (step: AnswerStep): boolean =>
  step.kind !== 'unknown' && step.endedAt === null

/**
 * Returns the milliseconds of a step, as reported by the provider or from the times of its events; of a running one so
 * far. Null when unknown.
 */
export function stepDurationMs(step: AnswerStep, now: number): number | null {
  if (step.kind === 'unknown') return null
  if (step.kind === 'call' && step.durationMs !== null) return step.durationMs
  // A result without its call began and ended at the same time: its duration is unknown.
  if (step.kind === 'call' && step.arguments === null && step.startedAt === step.endedAt)
    return null
  return Math.max(0, (step.endedAt ?? now) - step.startedAt)
}

/** Shortest duration that is worth showing next to a step, in milliseconds. */
const minShownMs = 1000

/** Whether a duration is shown: shorter ones, or unknown ones, say nothing to the reader of an answer. */
export const isShownDuration = (ms: number | null): ms is number => ms !== null && ms >= minShownMs

/** Returns the milliseconds during which at least one of the steps was running; parallel calls count once. */
export function workedMs(steps: readonly AnswerStep[], now: number): number {
  let end = 0
  let sum = 0
  const spans = steps
    .flatMap((step) =>
      step.kind === 'unknown' ? [] : [[step.startedAt, step.endedAt ?? now] as const],
    )
    .toSorted((a, b) => a[0] - b[0])
  for (const [from, to] of spans) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return sum
}
