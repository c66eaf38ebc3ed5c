import type { LibraryPassage, LocalServiceMessage, LocalServiceRequest } from './protocol.ts'

/** Requests to the thread that owns the Library. */
interface LibraryQuestions {
  /** Returns passages that share words with the query; none if there is no reply in time. */
  ask(query: string, limit: number): Promise<readonly LibraryPassage[]>
  /** Handles a reply. */
  answered(message: Extract<LocalServiceRequest, { type: 'passages' }>): void
  /** Stops: open and later requests find nothing. */
  stop(): void
}

/** Timeout of a request in milliseconds; a full-text search takes part of it. */
const defaultTimeoutMs = 3000

/** Matches requests with their replies by number. */
export function createLibraryQuestions(
  emit: (message: LocalServiceMessage) => void,
  timeoutMs = defaultTimeoutMs,
): LibraryQuestions {
  const open = new Map<number, (passages: readonly LibraryPassage[]) => void>()
  let last = 0
  let stopped = false

  return {
    ask(query, limit) {
      if (stopped) return Promise.resolve([])
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<readonly LibraryPassage[]>()
      const timer = setTimeout(() => answer([]), timeoutMs)
      const answer = (passages: readonly LibraryPassage[]): void => {
        clearTimeout(timer)
        open.delete(id)
        resolve(passages)
      }
      open.set(id, answer)
      emit({ type: 'search', id, query, limit })
      return promise
    },
    answered: ({ id, passages }) => open.get(id)?.(passages),
    stop() {
      stopped = true
      for (const answer of open.values()) answer([])
    },
  }
}
