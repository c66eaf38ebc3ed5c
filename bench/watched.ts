import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The environment of a process that {@link readStats} asks. */
export const watched = {
  NODE_OPTIONS: `--import=${new URL('agent-events/watch.ts', import.meta.url).href}`,
}

/** What `watch.ts` prints. */
export interface Seen {
  readonly maxMs: number
  readonly p99Ms: number
  /** The longest stretch of the thread's own work. */
  readonly workMs: number
  readonly cpuMs: number
  readonly rssMb: number
  /** Since the process began. */
  readonly maxRssMb: number
}

/** Asks a watched process what it went through; `output` is all it printed so far. */
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

/** Lets a forked program end, and waits for it. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}
