import { isMainThread } from 'node:worker_threads'

// Loaded into the host before its program: the first SIGUSR2 starts measuring how long its main thread is blocked; every
// further one prints the result and resets the counters.

/** Pauses in milliseconds; `byWork` is the part in which the thread itself was busy, not waiting for a processor. */
export interface Pauses {
  readonly longest: number
  readonly byWork: number
  /** Number of pauses with more than 50 ms of own work. */
  readonly long: number
}

/** Prefix of the figures in the output. */
export const pausesMark = 'main-pauses '

const worked = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

if (isMainThread && process.env['LECTERN_BENCH_PAUSES'] === '1') {
  let found = { longest: 0, byWork: 0, long: 0 }
  let last: { at: number; worked: number } | null = null
  process.on('SIGUSR2', () => {
    if (last) process.stdout.write(`${pausesMark}${JSON.stringify(found)}\n`)
    found = { longest: 0, byWork: 0, long: 0 }
    if (last) return
    last = { at: performance.now(), worked: worked() }
    setInterval(() => {
      const now = { at: performance.now(), worked: worked() }
      if (last) {
        const longest = now.at - last.at - 1
        const byWork = Math.min(longest, now.worked - last.worked)
        found = {
          longest: Math.max(found.longest, longest),
          byWork: Math.max(found.byWork, byWork),
          long: found.long + (byWork > 50 ? 1 : 0),
        }
      }
      last = now
    }, 1).unref()
  })
}
