/** First pause in milliseconds, growth factor, and maximum. */
const first = 1_000
const growth = 1.6
const maxDelayMs = 30_000

/**
 * Returns the milliseconds before the next status check of a task that was polled `polls` times (from 1). A chat takes
 * seconds and a video minutes: a chat is detected within about a second of its end, a minute takes eight polls, and long
 * tasks are detected at most half a minute late. A random part of up to a quarter is subtracted so that tasks created
 * together are not polled together.
 */
export function pollDelayMs(polls: number, random: () => number): number {
  const full = Math.min(first * growth ** Math.min(polls - 1, 50), maxDelayMs)
  return Math.round(full * (0.75 + random() / 4))
}
