import { PerformanceObserver } from 'node:perf_hooks'

/** The longest stretch for which the main thread worked without turning to anything else, in milliseconds. */
export interface MainWork {
  /** What it was since this was asked last; waiting for a processor that others have is not counted. */
  longest(): number
  /** The longest pause of the garbage collector since this was asked last: a process that measures holds more than the app does. */
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
