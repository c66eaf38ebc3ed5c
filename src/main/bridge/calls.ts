import { AppError } from '../errors.ts'

/** Long calls that their caller can abort by an id it made itself. */
export interface Calls {
  /** Runs `work` under the id; throws REFUSED when the same page already uses it. */
  run<T>(
    connectionId: string,
    callId: string,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Aborts a call of this page; another page's id is unknown here. */
  cancel(connectionId: string, callId: string): boolean
  /** The page is gone: nobody waits for its calls. */
  dropConnection(connectionId: string): void
}

/** Keeps the calls under way, by page and id. */
export function createCalls(): Calls {
  const pages = new Map<string, Map<string, AbortController>>()
  return {
    async run(connectionId, callId, work) {
      const calls = pages.get(connectionId) ?? new Map<string, AbortController>()
      pages.set(connectionId, calls)
      if (calls.has(callId)) throw new AppError('REFUSED', 'This call id is in use')
      const controller = new AbortController()
      calls.set(callId, controller)
      try {
        return await work(controller.signal)
      } finally {
        calls.delete(callId)
        if (calls.size === 0 && pages.get(connectionId) === calls) pages.delete(connectionId)
      }
    },
    cancel(connectionId, callId) {
      const controller = pages.get(connectionId)?.get(callId)
      controller?.abort()
      return controller !== undefined
    },
    dropConnection(connectionId) {
      for (const controller of pages.get(connectionId)?.values() ?? []) controller.abort()
      pages.delete(connectionId)
    },
  }
}
