import { quantile } from '../row.ts'

/** Task durations of a thread, in milliseconds. */
export interface Tasks {
  readonly longest: number
  /** 99th percentile of all tasks longer than a tenth of a millisecond. */
  readonly p99: number
  /** Number of tasks longer than 16 ms, in which a window at 60 Hz misses a frame. */
  readonly missed: number
}

const frameMs = 16
const sampleMs = 1
/** Work of the monitor itself. */
const noiseMs = 0.1

const worked = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Watches this thread. Between two samples, a millisecond apart when idle, the time the thread itself worked counts as one task.
 * Waiting for a processor used by others does not count. Call the returned function for the figures.
 */
export function watchTasks(): () => Tasks {
  const tasks: number[] = []
  let last = { at: performance.now(), worked: worked() }
  const timer = setInterval(() => {
    const now = { at: performance.now(), worked: worked() }
    const task = Math.min(now.at - last.at, now.worked - last.worked)
    if (task > noiseMs) tasks.push(task)
    last = now
  }, sampleMs)
  return () => {
    clearInterval(timer)
    if (tasks.length === 0) return { longest: 0, p99: 0, missed: 0 }
    return {
      longest: tasks.reduce((max, task) => Math.max(max, task), 0),
      p99: quantile(tasks, 0.99),
      missed: tasks.filter((task) => task > frameMs).length,
    }
  }
}
