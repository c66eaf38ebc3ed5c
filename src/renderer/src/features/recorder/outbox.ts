import type { Reply } from '../../../../shared/bridge/reply.ts'

/** Brings small messages to main in their order, however long it is away; a message that is refused is left out. */
export interface Outbox<T> {
  add(message: T): void
  /** Main may be back. */
  hurry(): void
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>
}

/** Builds it. A failed try is made again after `pauseMs`, or sooner by `hurry`. */
export function createOutbox<T>(
  send: (message: T) => Promise<Reply<unknown>>,
  wait: (ms: number) => Promise<void>,
  pauseMs = 2000,
): Outbox<T> {
  const waiting: T[] = []
  let busy = false
  let running: Promise<void> = Promise.resolve()
  let wake: () => void = () => {}
  const run = async (): Promise<void> => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const reply = await send(first)
      if (reply.ok || !reply.error.retriable) {
        waiting.shift()
        continue
      }
      await Promise.race([wait(pauseMs), new Promise<void>((resolve) => (wake = resolve))])
    }
    busy = false
  }
  return {
    add(message) {
      waiting.push(message)
      if (busy) return
      busy = true
      running = run()
    },
    hurry: () => wake(),
    async settled() {
      while (busy) await running
    },
  }
}
