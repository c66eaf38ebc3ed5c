import { PerformanceObserver } from 'node:perf_hooks'

/** Monitor of the longest uninterrupted work of the main thread, in milliseconds. */
export interface MainWork {
  /** Longest work since the last call; waiting for a processor used by others is not counted. */
  longest(): number
  /** Longest garbage collection pause since the last call: a measuring process uses more memory than the app. */
  pause(): number
  stop(): void
}

const worked = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Watches the thread it is called on. */
export function watchMainWork(): MainWork {
  let longest = 0
  let pause = 0
  const collector = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pause = Math.max(pause, duration)
  })
  collector.observe({ entryTypes: ['gc'] })
  let last = { at: performance.now(), worked: worked() }
  const timer = setInterval(() => {
    const now = { at: performance.now(), worked: worked() }
    longest = Math.max(longest, Math.min(now.at - last.at - 1, now.worked - last.worked))
    last = now
  }, 1)
  return {
    longest() {
      const found = longest
      longest = 0
      return found
    },
    pause() {
      const found = pause
      pause = 0
      return found
    },
    stop() {
      clearInterval(timer)
      collector.disconnect()
    },
  }
}
