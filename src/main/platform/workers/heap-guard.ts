import { getHeapStatistics } from 'node:v8'
import type { Worker } from 'node:worker_threads'

/** Worker whose heap counts. */
interface HeapUser {
  readonly worker: Worker
  /** Stops it; its current work fails. */
  end(): void
}

/** Limits the total heap of all workers. */
export interface HeapGuard {
  /** Counts this worker until it exits. */
  watch(user: HeapUser): void
}

/** Pause between two checks, in milliseconds: a heap grows by less than the reserve in that time. */
const checkMs = 500
/** Minimum bytes of a heap for its worker to be stopped: a small one would free nothing. */
const minBytes = 128 * 1_048_576

/**
 * Stops the worker with the largest heap when all heaps together, including the main thread's, use more than `most` bytes. A
 * limit per worker cannot do that: any number of them may work at the same time.
 */
export function createHeapGuard(
  maxBytes: number,
  own: () => number = () => getHeapStatistics().total_heap_size,
): HeapGuard {
  /** Last size reported by each worker. One inside native code does not respond, and its heap does not grow either. */
  const sizes = new Map<HeapUser, number>()
  const pending = new Set<HeapUser>()
  let timer: NodeJS.Timeout | undefined

  const check = (): void => {
    const total = [...sizes.values()].reduce((sum, size) => sum + size, own())
    if (total <= maxBytes) return
    const [largest] = [...sizes].toSorted(([, a], [, b]) => b - a)
    if (!largest || largest[1] < minBytes) return
    const [user] = largest
    sizes.delete(user)
    user.end()
  }
  const ask = async (user: HeapUser): Promise<void> => {
    if (pending.has(user)) return
    pending.add(user)
    try {
      const { total_heap_size: size } = await user.worker.getHeapStatistics()
      if (!sizes.has(user)) return
      sizes.set(user, size)
      check()
    } catch {
      // It has exited.
    } finally {
      pending.delete(user)
    }
  }
  return {
    watch(user) {
      sizes.set(user, 0)
      timer ??= setInterval(() => {
        for (const each of sizes.keys()) void ask(each)
      }, checkMs).unref()
      user.worker.once('exit', () => {
        sizes.delete(user)
        if (sizes.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
  }
}
