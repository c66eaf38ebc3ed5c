import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into a process by `--import`: on SIGUSR2 prints what the main thread went through since the last time, and starts anew.
// A machine that does other things holds a process up as well: `workMs` is the part that the thread itself worked.

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
  // Before this line the signal would end the process.
  process.stdout.write('watching\n')
}
