import type { LibraryPassage } from './context.ts'
import type { LocalServiceMessage, LocalServiceRequest } from './protocol.ts'

/** Questions to the thread that holds the Library. */
export interface LibraryQuestions {
  /** Passages that share words with the query; none when no answer came in time. */
  ask(query: string, limit: number): Promise<readonly LibraryPassage[]>
  /** Hands over what came back. */
  answered(message: Extract<LocalServiceRequest, { type: 'passages' }>): void
  /** Nobody answers any more: open and later questions find nothing. */
  stop(): void
}

/** Milliseconds a question waits; a full-text search takes some of them. */
const defaultTimeoutMs = 3000

/** Pairs questions with their answers by number. */
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
