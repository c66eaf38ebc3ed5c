import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into a process by `--import`: on SIGUSR2 prints the main thread's pauses since the last signal and resets the counters.
// Other work on the machine also delays a process: `workMs` counts only the time the thread itself worked.

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const worked = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let cpu = process.cpuUsage()
  let workMs = 0
  let last = { at: performance.now(), worked: worked() }
  setInterval(() => {
    const now = { at: performance.now(), worked: worked() }
    workMs = Math.max(workMs, Math.min(now.at - last.at - 1, now.worked - last.worked))
    last = now
  }, 1).unref()
  process.on('SIGUSR2', () => {
    const used = process.cpuUsage(cpu)
    const seen = {
      maxMs: delay.max / 1e6,
      p99Ms: delay.percentile(99) / 1e6,
      workMs,
      cpuMs: (used.user + used.system) / 1000,
      rssMb: process.memoryUsage.rss() / 2 ** 20,
      maxRssMb: process.resourceUsage().maxRSS / 1024,
    }
    process.stdout.write(`watched ${JSON.stringify(seen)}\n`)
    delay.reset()
    workMs = 0
    cpu = process.cpuUsage()
  })
  // Until this line has run, the signal would end the process.
  process.stdout.write('watching\n')
}
