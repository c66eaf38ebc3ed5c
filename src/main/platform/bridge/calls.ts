import { AppError } from '../../errors.ts'

/** Long calls that the caller can abort by an ID it chose. */
export interface Calls {
  /** Runs `work` under the ID; throws REFUSED if the same page already uses it. */
  run<T>(
    connectionId: string,
    callId: string,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Aborts a call of this page; the IDs of other pages are unknown here. */
  cancel(connectionId: string, callId: string): boolean
  /** Aborts the calls of a page that is gone. */
  dropConnection(connectionId: string): void
}

/** Tracks the running calls, by page and ID. */
export function createCalls(): Calls {
  const pages = new Map<string, Map<string, AbortController>>()
  return {
    async run(connectionId, callId, work) {
      const calls = pages.get(connectionId) ?? new Map<string, AbortController>()
      pages.set(connectionId, calls)
      if (calls.has(callId)) throw new AppError('REFUSED', 'The call ID is already in use')
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
