import type { Reply } from '../../../../shared/bridge/reply.ts'

/** Brings small messages to main in their order, however long it is away; a message that is refused is left out. */
export interface Outbox<T> {
  add(message: T): void
  /** Main may be back. */
  hurry(): void
  clear(): void
}

/** Builds it. A failed try is made again after `pauseMs`, or sooner by `hurry`. */
export function createOutbox<T>(
  send: (message: T) => Promise<Reply<unknown>>,
  wait: (ms: number) => Promise<void>,
  pauseMs = 2000,
): Outbox<T> {
  let waiting: T[] = []
  let busy = false
  let wake: () => void = () => {}
  const run = async (): Promise<void> => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const reply = await send(first)
      if (reply.ok || !reply.error.retriable) {
        if (waiting[0] === first) waiting.shift()
        continue
      }
      await Promise.race([wait(pauseMs), new Promise<void>((resolve) => (wake = resolve))])
    }
  }
  return {
    add(message) {
      waiting.push(message)
      if (busy) return
      busy = true
      void run().finally(() => (busy = false))
    },
    hurry: () => wake(),
    clear() {
      waiting = []
      wake()
    },
  }
}
