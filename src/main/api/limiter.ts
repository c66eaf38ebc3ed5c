import { stopped } from './network-errors.ts'

/** Bounds the requests in flight per account and model (service-notes 14: the service counts requests in flight). */
export interface Limiter {
  /**
   * Waits for a place, first come first served. `size` is the account's configured bound and takes effect at once, for those
   * who wait as well. Rejects with CANCELLED (TIMEOUT for a deadline) when the signal fires first.
   */
  acquire(name: string, size: number, signal?: AbortSignal): Promise<Lease>
  /** Places in use, places at present, and callers waiting under a name. */
  state(name: string): {
    readonly inFlight: number
    readonly places: number
    readonly waiting: number
  }
}

/** A place in flight. */
export interface Lease {
  /** Milliseconds spent in the queue. */
  readonly queuedMs: number
  /** Gives the place back; `limited` tells that the service asked for fewer requests. A second call does nothing. */
  release(outcome: 'fine' | 'limited'): void
}

/** After the service asked for less, the bound does not grow for this long. */
const restMs = 10_000

interface Lane {
  size: number
  /** Present bound: between 1 and `size`. Halved when limited, one more for each good call after the rest. */
  places: number
  inFlight: number
  lastLimitedAt: number
  readonly waiting: Waiter[]
}

interface Waiter {
  start(): void
}

/** Makes a limiter without lanes; a lane is forgotten when nothing is in flight and nothing is held back. */
export function createLimiter(clock: () => number): Limiter {
  const lanes = new Map<string, Lane>()

  const laneFor = (name: string, size: number): Lane => {
    const bound = Math.max(1, Math.floor(size))
    const lane = lanes.get(name)
    if (!lane) {
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
    if (lane.size !== bound) {
      // A lane that was not held back follows its new size; one that was keeps its lower bound and grows from there.
      lane.places = lane.places === lane.size ? bound : Math.min(lane.places, bound)
      lane.size = bound
    }
    return lane
  }

  const admit = (name: string, lane: Lane): void => {
    while (lane.inFlight < lane.places) {
      const next = lane.waiting.shift()
      if (!next) break
      lane.inFlight += 1
      next.start()
    }
    if (lane.inFlight === 0 && lane.places === lane.size) lanes.delete(name)
  }

  const lease = (name: string, lane: Lane, queuedMs: number): Lease => {
    let held = true
    return {
      queuedMs,
      release(outcome) {
        if (!held) return
        held = false
        lane.inFlight -= 1
        const now = clock()
        if (outcome === 'limited') {
          // Calls that were in flight together are refused together: that is one refusal, not several.
          if (now - lane.lastLimitedAt > 1000)
            lane.places = Math.max(1, Math.floor(lane.places / 2))
          lane.lastLimitedAt = now
        } else if (lane.places < lane.size && now - lane.lastLimitedAt >= restMs) {
          lane.places += 1
        }
        admit(name, lane)
      },
    }
  }

  return {
    acquire(name, size, signal) {
      if (signal?.aborted) return Promise.reject(stopped(signal))
      const asked = clock()
      const lane = laneFor(name, size)
      return new Promise<Lease>((resolve, reject) => {
        const waiter: Waiter = {
          start() {
            signal?.removeEventListener('abort', leave)
            resolve(lease(name, lane, Math.max(0, clock() - asked)))
          },
        }
        const leave = (): void => {
          const place = lane.waiting.indexOf(waiter)
          if (place >= 0) lane.waiting.splice(place, 1)
          if (signal) reject(stopped(signal))
        }
        signal?.addEventListener('abort', leave, { once: true })
        lane.waiting.push(waiter)
        admit(name, lane)
      })
    },
    state(name) {
      const lane = lanes.get(name)
      return {
        inFlight: lane?.inFlight ?? 0,
        places: lane?.places ?? 0,
        waiting: lane?.waiting.length ?? 0,
      }
    },
  }
}
