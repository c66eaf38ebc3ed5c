/** Milliseconds of the first pause, how much longer each next one is, and the longest. */
const first = 1_000
const growth = 1.6
const maxDelayMs = 30_000

/**
 * Milliseconds before the next question about a task that was asked `polls` times (from 1). A chat is done in seconds and a
 * video in minutes: by these numbers the first is told within about a second of its end, a minute takes eight questions, and
 * whatever takes long is told half a minute late at most. Up to a quarter is taken off by chance, so that tasks that were
 * created together do not ask together.
 */
export function pollDelayMs(polls: number, random: () => number): number {
  const full = Math.min(first * growth ** Math.min(polls - 1, 50), maxDelayMs)
  return Math.round(full * (0.75 + random() / 4))
}
