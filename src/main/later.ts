/** Runs work later, without keeping the process alive; what it gives takes it back. */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}
