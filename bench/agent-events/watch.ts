import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into a process by `--import`: on SIGUSR2 prints what the main thread went through since the last time, and starts anew.

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let cpu = process.cpuUsage()
  process.on('SIGUSR2', () => {
    const used = process.cpuUsage(cpu)
    const seen = {
      maxMs: delay.max / 1e6,
      p99Ms: delay.percentile(99) / 1e6,
      cpuMs: (used.user + used.system) / 1000,
      rssMb: process.memoryUsage.rss() / 2 ** 20,
    }
    process.stdout.write(`watched ${JSON.stringify(seen)}\n`)
    delay.reset()
    cpu = process.cpuUsage()
  })
  // Before this line the signal would end the process.
  process.stdout.write('watching\n')
}
