import type { AnswerStep } from '../../../../../shared/chat/answer.ts'

/** Whether a step of a running answer still works. */
export const isRunning = (step: AnswerStep): boolean =>
  step.kind !== 'unknown' && step.endedAt === null

/** Milliseconds a step took, as the service told or by the times of its events; of a running one so far. Null where nothing can be told. */
export function stepDurationMs(step: AnswerStep, now: number): number | null {
  if (step.kind === 'unknown') return null
  if (step.kind === 'call' && step.durationMs !== null) return step.durationMs
  // A result without its call began and ended at once: nobody knows how long it took.
  if (step.kind === 'call' && step.arguments === null && step.startedAt === step.endedAt)
    return null
  return Math.max(0, (step.endedAt ?? now) - step.startedAt)
}

/** Milliseconds that at least one of the steps took; calls that ran side by side count once. */
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
