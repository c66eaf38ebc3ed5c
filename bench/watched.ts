import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Environment of a process that {@link readStats} queries. */
export const watched = {
  NODE_OPTIONS: `--import=${new URL('agent-events/watch.ts', import.meta.url).href}`,
}

/** Output of `watch.ts`. */
export interface Seen {
  readonly maxMs: number
  readonly p99Ms: number
  /** Longest uninterrupted work of the thread. */
  readonly workMs: number
  readonly cpuMs: number
  readonly rssMb: number
  /** Peak memory since the process started. */
  readonly maxRssMb: number
}

/** Requests the figures of a watched process; `output` returns everything it has printed so far. */
export async function readStats(child: ChildProcess, output: () => string): Promise<Seen> {
  const before = output().split('watched ').length
  child.kill('SIGUSR2')
  for (;;) {
    const lines = output().split('watched ')
    const last = lines.at(-1)
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended')
    if (lines.length > before && last?.includes('\n')) return JSON.parse(last) as Seen
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Ends a forked program and waits for it. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}
