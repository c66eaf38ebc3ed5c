/** The longest a timer holds; one that is set for longer fires at once, and again and again. */
const longestMs = 2 ** 31 - 1

/** Runs work later (after 24 days at most), without keeping the process alive; what it gives takes it back. */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(ms, longestMs)).unref()
  return () => clearTimeout(timer)
}
