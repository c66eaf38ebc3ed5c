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

/** After a rate limit, the number of slots does not grow for this many milliseconds. */
const restMs = 10_000

interface RequestQueue {
  size: number
  /**
   * Current limit: between 1 and `size`. Halved after a rate limit, plus one for each successful request after the pause.
   */
  places: number
  inFlight: number
  lastLimitedAt: number
  readonly waiting: Waiter[]
}

interface Waiter {
  start(): void
}

/** Creates a limiter without queues; a queue is removed when nothing is in flight and its limit is not reduced. */
export function createLimiter(clock: () => number): Limiter {
  const lanes = new Map<string, RequestQueue>()

  const queueFor = (name: string, size: number): RequestQueue => {
    const bound = Math.max(1, Math.floor(size))
    const requestQueue = lanes.get(name)
    if (!requestQueue) {
      const made = {
        size: bound,
        places: bound,
        inFlight: 0,
        lastLimitedAt: -Infinity,
        waiting: [],
      }
      lanes.set(name, made)
      return made
    }
    if (requestQueue.size !== bound) {
      // A queue that was not limited follows its new size; a limited one keeps its lower limit and grows from there.
      requestQueue.places =
        requestQueue.places === requestQueue.size ? bound : Math.min(requestQueue.places, bound)
      requestQueue.size = bound
    }
    return requestQueue
  }

  const admit = (name: string, requestQueue: RequestQueue): void => {
    while (requestQueue.inFlight < requestQueue.places) {
      const next = requestQueue.waiting.shift()
      if (!next) break
      requestQueue.inFlight += 1
      next.start()
    }
    if (requestQueue.inFlight === 0 && requestQueue.places === requestQueue.size) lanes.delete(name)
  }

  const lease = (name: string, requestQueue: RequestQueue, queuedMs: number): Lease => {
    let held = true
    return {
      queuedMs,
      release(outcome) {
        if (!held) return
        held = false
        requestQueue.inFlight -= 1
        const now = clock()
        if (outcome === 'limited') {
          // Requests in flight together are rejected together: that counts as one rate limit, not several.
          if (now - requestQueue.lastLimitedAt > 1000)
            requestQueue.places = Math.max(1, Math.floor(requestQueue.places / 2))
          requestQueue.lastLimitedAt = now
        } else if (
          requestQueue.places < requestQueue.size &&
          now - requestQueue.lastLimitedAt >= restMs
        ) {
          requestQueue.places += 1
        }
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
        places: requestQueue?.places ?? 0,
        waiting: requestQueue?.waiting.length ?? 0,
      }
    },
  }
}
