import { getHeapStatistics } from 'node:v8'
import type { Worker } from 'node:worker_threads'

/** A worker whose heap counts. */
export interface HeapUser {
  readonly worker: Worker
  /** Ends it; what it works on fails. */
  end(): void
}

/** Bounds what the heaps of all workers take together. */
export interface HeapGuard {
  /** Counts this worker until it exits. */
  watch(user: HeapUser): void
}

/** Pause between two looks, in milliseconds: a heap grows by less than the reserve meanwhile. */
const checkMs = 500
/** Bytes that a worker must hold to be ended: one that is small would free nothing. */
const minBytes = 128 * 1_048_576

/**
 * Ends the worker with the largest heap when all heaps together, the main thread's among them, take more than `most` bytes. A limit for
 * each cannot do that: any number of them may work at the same time.
 */
export function createHeapGuard(
  maxBytes: number,
  own: () => number = () => getHeapStatistics().total_heap_size,
): HeapGuard {
  /** What each said last. One inside native code does not answer, and its heap does not grow either. */
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
      // It exits.
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
