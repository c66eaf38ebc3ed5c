import type { ActivityCall } from '../../../../shared/model/activity.ts'

/** Parts of a call's time, in their order. */
export type LifePhase = 'queued' | 'connecting' | 'waiting' | 'receiving'

/** One part with its length in milliseconds, and its share of the whole from 0 to 1. */
export interface LifePart {
  readonly phase: LifePhase
  readonly ms: number
  readonly share: number
}

/**
 * The life of a call: queued, sent, first byte, done. Parts without any time are left out; calls that never were sent, and those
 * of libraries that did not note the sending, have fewer parts, never guessed ones.
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
