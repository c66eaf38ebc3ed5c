import type { ActivityCall } from '../../../../../shared/model/activity.ts'

/** Phases of a call's time, in their order. */
export type LifePhase = 'queued' | 'connecting' | 'waiting' | 'receiving'

/** Phase with its length in milliseconds, and its share of the total from 0 to 1. */
interface LifePart {
  readonly phase: LifePhase
  readonly ms: number
  readonly share: number
}

/**
 * Returns the phases of a call: queued, sent, first byte, done. Phases without duration are omitted; calls that were never sent,
 * and those of libraries that did not record the sending, have fewer phases, never estimated ones.
 */
export function lifeOf(call: ActivityCall): readonly LifePart[] {
  const { queuedMs, sentMs, firstByteMs, durationMs } = call
  const parts: [LifePhase, number][] = [['queued', queuedMs]]
  if (sentMs === null) {
    const waited = firstByteMs ?? 0
    if (firstByteMs !== null) parts.push(['waiting', waited])
    parts.push([firstByteMs === null ? 'connecting' : 'receiving', durationMs - queuedMs - waited])
  } else {
    const waited = firstByteMs ?? durationMs - sentMs
    parts.push(['connecting', sentMs - queuedMs], ['waiting', waited])
    parts.push(['receiving', durationMs - sentMs - waited])
  }
  const real = parts
    .map(([phase, ms]) => ({ phase, ms: Math.max(0, ms) }))
    .filter(({ ms }) => ms > 0)
  const whole = real.reduce((sum, { ms }) => sum + ms, 0)
  return real.map((part) => ({ ...part, share: part.ms / whole }))
}
