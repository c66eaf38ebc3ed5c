import { createConcurrencyLimit, type ConcurrencyLimit } from '../work-queue/concurrency-limit.ts'
import { stopped } from './network-errors.ts'

/**
 * Limits the requests in flight per account and model (service-notes 14: the provider counts requests in flight).
 */
export interface Limiter {
  /**
   * Waits for a slot, first come, first served. `size` is the account's configured limit and takes effect at once, for
   * waiting callers too. Rejects with CANCELLED (TIMEOUT for a deadline) when the signal is aborted first.
   */
  acquire(name: string, size: number, signal?: AbortSignal): Promise<Lease>
  /** Returns the slots in use, the current slots and the waiting callers under a name. */
  state(name: string): {
    readonly inFlight: number
    readonly places: number
    readonly waiting: number
  }
}

/** A slot for one request in flight. */
export interface Lease {
  /** Milliseconds spent in the queue. */
  readonly queuedMs: number
  /** Releases the slot; `limited` means that the provider requested fewer requests. A second call does nothing. */
  release(outcome: 'fine' | 'limited'): void
}

interface RequestQueue {
  size: number
  readonly limit: ConcurrencyLimit
  inFlight: number
  readonly waiting: Waiter[]
}

interface Waiter {
  start(): void
}

/** Creates a limiter without queues; a queue is removed when nothing is in flight and its limit is not reduced. */
export function createLimiter(clock: () => number): Limiter {
  const lanes = new Map<string, RequestQueue>()

  const queueFor = (name: string, size: number): RequestQueue => {
    const requestQueue = lanes.get(name)
    if (requestQueue) {
      requestQueue.size = size
      return requestQueue
    }
    const made = { size, limit: createConcurrencyLimit(clock), inFlight: 0, waiting: [] }
    lanes.set(name, made)
    return made
  }

  const admit = (name: string, requestQueue: RequestQueue): void => {
    while (requestQueue.inFlight < requestQueue.limit.places(requestQueue.size)) {
      const next = requestQueue.waiting.shift()
      if (!next) break
      requestQueue.inFlight += 1
      next.start()
    }
    if (requestQueue.inFlight === 0 && !requestQueue.limit.isReduced) lanes.delete(name)
  }

  const lease = (name: string, requestQueue: RequestQueue, queuedMs: number): Lease => {
    let held = true
    return {
      queuedMs,
      release(outcome) {
        if (!held) return
        held = false
        requestQueue.inFlight -= 1
        if (outcome === 'limited') requestQueue.limit.limited()
        else requestQueue.limit.succeeded()
        admit(name, requestQueue)
      },
    }
  }

  return {
    acquire(name, size, signal) {
      if (signal?.aborted) return Promise.reject(stopped(signal))
      const requestedAt = clock()
      const requestQueue = queueFor(name, size)
      return new Promise<Lease>((resolve, reject) => {
        const waiter: Waiter = {
          start() {
            signal?.removeEventListener('abort', leave)
            resolve(lease(name, requestQueue, Math.max(0, clock() - requestedAt)))
          },
        }
        const leave = (): void => {
          const place = requestQueue.waiting.indexOf(waiter)
          if (place >= 0) requestQueue.waiting.splice(place, 1)
          if (signal) reject(stopped(signal))
        }
        signal?.addEventListener('abort', leave, { once: true })
        requestQueue.waiting.push(waiter)
        admit(name, requestQueue)
      })
    },
    state(name) {
      const requestQueue = lanes.get(name)
      return {
        inFlight: requestQueue?.inFlight ?? 0,
        places: requestQueue?.limit.places(requestQueue.size) ?? 0,
        waiting: requestQueue?.waiting.length ?? 0,
      }
    },
  }
}
